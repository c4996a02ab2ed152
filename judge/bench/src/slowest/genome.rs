//! The search space: modules with a few kinds of functions and their quantities.

use std::fmt;

use judge_core::Random;
use judge_sandbox::intake::{
    MAX_BODY_BYTES, MAX_CODE_KIB, MAX_DATA_SEGMENTS, MAX_ELEMENT_SEGMENTS, MAX_EXPORTS,
    MAX_FUNCTIONS, MAX_GLOBALS, MAX_LOCALS, MAX_LOOP_NESTING, MAX_NESTING, MAX_TYPES,
};
use wasm_encoder::ValType;

use super::shapes::Shape;
use crate::operators::KINDS;

/// Most kinds of functions in one module.
const MOST_PARTS: usize = 3;

/// One kind of function.
#[derive(Clone)]
pub(super) struct FunctionKind {
    pub(super) shape: Shape,
    /// Approximate size of the body.
    pub(super) bytes: u32,
    pub(super) locals: u32,
    /// Number and type of unused local variables.
    pub(super) idle: (u32, ValType),
    /// The repetition count of the shape.
    pub(super) width: u32,
    /// Number of enclosing loops and blocks.
    pub(super) loops: u32,
    pub(super) blocks: u32,
    /// True if every local variable is read at the end.
    pub(super) read: bool,
}

/// The description of a module.
#[derive(Clone)]
pub(super) struct Genome {
    pub(super) parts: Vec<FunctionKind>,
    /// Approximate size of the module.
    pub(super) bytes: u32,
    /// Most functions.
    pub(super) functions: u32,
    pub(super) sections: Sections,
}

/// Counts of sections of a module besides its code. Each is zero in most modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sections {
    pub(super) active_data: u32,
    pub(super) passive_data: u32,
    pub(super) active_elements: u32,
    pub(super) passive_elements: u32,
    pub(super) globals: u32,
    pub(super) vector_globals: u32,
    pub(super) function_globals: u32,
    pub(super) exports: u32,
    pub(super) types: u32,
}

impl Sections {
    fn random(random: &mut Random) -> Sections {
        let mut some = |most| if random.below(4) == 0 { scaled(random, 1, most) } else { 0 };
        Sections {
            active_data: some(MAX_DATA_SEGMENTS),
            passive_data: some(MAX_DATA_SEGMENTS),
            active_elements: some(MAX_ELEMENT_SEGMENTS - 1),
            passive_elements: some(MAX_ELEMENT_SEGMENTS - 1),
            globals: some(MAX_GLOBALS / 3),
            vector_globals: some(MAX_GLOBALS / 3),
            function_globals: some(MAX_GLOBALS / 3),
            exports: some(MAX_EXPORTS - 3),
            types: some(MAX_TYPES - 5),
        }
    }
}

impl Genome {
    /// A module full of one kind of function.
    pub(super) fn with_part(part: FunctionKind) -> Genome {
        Genome {
            parts: vec![part],
            bytes: (MAX_CODE_KIB << 10) as u32,
            functions: MAX_FUNCTIONS,
            sections: Sections::default(),
        }
    }

    /// A random change of the genome.
    pub(super) fn changed(&self, random: &mut Random) -> Genome {
        let mut next = self.clone();
        let at = random.below(next.parts.len() as u32) as usize;
        match random.below(13) {
            10 => next.sections = Sections::random(random),
            11 => next.sections = Sections::default(),
            12 => next.functions = scaled(random, 1, MAX_FUNCTIONS),
            0 if next.parts.len() < MOST_PARTS => next.parts.push(FunctionKind::random(random)),
            1 if next.parts.len() > 1 => drop(next.parts.swap_remove(at)),
            2 => next.parts[at] = FunctionKind::random(random),
            _ => next.parts[at].change(random),
        }
        next
    }
}

impl FunctionKind {
    /// Small functions of a shape only.
    pub(super) fn plain(shape: Shape) -> FunctionKind {
        FunctionKind {
            shape,
            bytes: 4096,
            locals: 16,
            idle: (0, ValType::I32),
            width: 60,
            loops: 0,
            blocks: 1,
            read: false,
        }
    }

    /// A random kind of function, mostly with quantities at the limits.
    pub(super) fn random(random: &mut Random) -> FunctionKind {
        let all = Shape::all();
        let shape = all[random.below(all.len() as u32) as usize];
        let idle = [0, 0, scaled(random, 1, MAX_LOCALS)][random.below(3) as usize];
        FunctionKind {
            idle: (idle, KINDS[random.below(KINDS.len() as u32) as usize]),
            shape,
            bytes: scaled(random, 32, MAX_BODY_BYTES as u32 - 64),
            locals: scaled(random, 1, MAX_LOCALS),
            width: scaled(random, 1, 3000),
            loops: [0, 0, 1, scaled(random, 1, MAX_LOOP_NESTING)][random.below(4) as usize],
            blocks: [0, 1, 1, scaled(random, 1, MAX_NESTING - MAX_LOOP_NESTING)]
                [random.below(4) as usize],
            read: random.below(2) == 1,
        }
    }

    fn change(&mut self, random: &mut Random) {
        let other = FunctionKind::random(random);
        match random.below(10) {
            9 => self.idle = other.idle,
            0 => self.shape = other.shape,
            1 => self.bytes = other.bytes,
            2 => self.locals = other.locals,
            3 => self.width = other.width,
            4 => self.loops = other.loops,
            5 => self.blocks = other.blocks,
            6 => self.read = !self.read,
            7 => self.locals = nudged(random, self.locals, MAX_LOCALS),
            _ => self.bytes = nudged(random, self.bytes, MAX_BODY_BYTES as u32 - 64),
        }
    }
}

/// A number up to `most`. All orders of magnitude are equally likely, and the limit itself is
/// included.
fn scaled(random: &mut Random, least: u32, most: u32) -> u32 {
    if random.below(4) == 0 {
        return most;
    }
    let top = most >> random.below(most.ilog2() + 1);
    (top / 2 + random.below(top / 2 + 1)).clamp(least, most)
}

/// A value up to a third larger or smaller.
fn nudged(random: &mut Random, value: u32, most: u32) -> u32 {
    let step = value / 3 + 1;
    (value.saturating_sub(step) + random.below(2 * step + 1)).clamp(1, most)
}

impl fmt::Display for FunctionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FunctionKind { shape, bytes, locals, idle, width, loops, blocks, read } = self;
        let read = if *read { ", all read" } else { "" };
        write!(
            f,
            "{} of width {width} in {loops} loops and {blocks} blocks, {bytes} bytes, \
             {locals} locals{read}, {} idle of {:?}",
            shape.name(),
            idle.0,
            idle.1,
        )
    }
}

impl fmt::Display for Genome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.parts.iter().map(FunctionKind::to_string).collect();
        write!(f, "{}", parts.join(" + "))?;
        if self.functions < MAX_FUNCTIONS {
            write!(f, ", at most {} functions", self.functions)?;
        }
        if self.sections == Sections::default() {
            return Ok(());
        }
        write!(f, ", {:?}", self.sections)
    }
}
