//! Scripts: modules that consist of an interpreter of this judge and a block of data. Only the
//! interpreter is compiled, once for all scripts. The block is written into the memory of each
//! instance, exactly where the module's data segment puts it.

use judge_interpreters::{Interpreter, Script};
use wasmtime::{Memory, Store};

/// Bytes that [`Block::write`] appends to the script's own.
const TAIL: usize = 16;

/// The part of a script that is not compiled; empty for a module that is not a script.
#[derive(Clone, Default)]
pub(crate) struct Block {
    bytes: Vec<u8>,
    address: u32,
    pages: u64,
}

impl Block {
    pub(crate) fn from_script(script: &Script<'_>) -> Block {
        let Script { block, address, pages, .. } = *script;
        Block { bytes: block.to_vec(), address, pages }
    }

    pub(crate) fn is_script(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// The words that interrupt the script; none for a module that is not a script.
    pub(crate) fn interruption(&self) -> &'static [(u32, u32)] {
        Interpreter::of_block(&self.bytes).map_or(&[], |interpreter| interpreter.interruption)
    }

    /// Grows a new instance's memory to the module's declared size, and copies the script into it.
    pub(crate) fn lay<T>(&self, memory: Memory, store: &mut Store<T>) -> wasmtime::Result<()> {
        let more = self.pages.saturating_sub(memory.size(&*store));
        if more > 0 {
            memory.grow(&mut *store, more)?;
        }
        Ok(memory.write(&mut *store, self.address as usize, &self.bytes)?)
    }

    /// Appends the block to machine code.
    pub(crate) fn write(&self, code: &mut Vec<u8>) {
        code.extend(&self.bytes);
        code.extend(self.address.to_le_bytes());
        code.extend(self.pages.to_le_bytes());
        // Modules are far smaller than 4 GiB.
        code.extend((self.bytes.len() as u32).to_le_bytes());
    }

    /// Reads the block from the end of machine code, and returns the rest.
    pub(crate) fn read(code: &[u8]) -> Option<(&[u8], Block)> {
        let (code, tail) = code.split_last_chunk::<TAIL>()?;
        let (address, rest) = tail.split_first_chunk()?;
        let (pages, size) = rest.split_first_chunk()?;
        let size = u32::from_le_bytes(size.try_into().ok()?) as usize;
        let (code, bytes) = code.split_at_checked(code.len().checked_sub(size)?)?;
        let (address, pages) = (u32::from_le_bytes(*address), u64::from_le_bytes(*pages));
        Some((code, Block { bytes: bytes.to_vec(), address, pages }))
    }
}

/// The interpreter in a module, as a separate module for compilation.
pub fn interpreter_of(module: &[u8]) -> Option<&'static [u8]> {
    Script::in_module(module).map(|script| script.interpreter.module)
}
