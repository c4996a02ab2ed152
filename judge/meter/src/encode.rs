//! A piece of code that grows by instructions and by bytes of the original.

use wasm_encoder::{Encode as _, Instruction};

use crate::layout::{Global, Layout};

/// Code with the layout of its module.
pub(crate) struct Code<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) bytes: Vec<u8>,
}

impl<'a> Code<'a> {
    pub(crate) fn new(layout: &'a Layout) -> Code<'a> {
        Code { layout, bytes: Vec::new() }
    }

    pub(crate) fn add(&mut self, instructions: &[Instruction<'_>]) {
        for instruction in instructions {
            instruction.encode(&mut self.bytes);
        }
    }

    pub(crate) fn get(&mut self, global: Global) {
        self.add(&[Instruction::GlobalGet(self.layout.global(global))]);
    }

    pub(crate) fn set(&mut self, global: Global) {
        self.add(&[Instruction::GlobalSet(self.layout.global(global))]);
    }

    /// Sets bits of the state.
    pub(crate) fn note(&mut self, bits: i32) {
        self.get(Global::State);
        self.add(&[Instruction::I32Const(bits), Instruction::I32Or]);
        self.set(Global::State);
    }
}
