//! The compiler's work on a whole module, in quantities that many small functions can exceed as
//! well as a few large ones.

use super::limit::{Limit, LimitTally};
use super::refusal::IntakeRefusal;
use super::weights::{ACTIVE_SEGMENT, FUNCTION};

/// Bytes of memory per unit of weight of the function that is being compiled.
const BYTES_IN_WORK: u64 = 750;

/// Bytes per unit of weight of functions that are already compiled.
const BYTES_KEPT: u64 = 25;

/// Bytes kept per function, in addition to its weight.
const BYTES_OF_FUNCTION: u64 = 5_500;

/// Bytes per active data segment that is not joined with others.
const BYTES_OF_SEGMENT: u64 = 21_000;

/// Sums over the whole module.
#[derive(Default)]
pub(super) struct Work {
    /// Squares of the weights of functions.
    squares: u64,
    code: u64,
    weight: u64,
    functions: u64,
    /// Weight of the heaviest function.
    heaviest: u64,
    active_segments: u64,
    pub(super) branches_times_locals: u64,
    /// Sum over the functions of moves times values; see `joins`.
    joins: u64,
    pub(super) local_bytes: u64,
}

impl Work {
    /// Adds a function of `bytes` bytes whose operators have this weight.
    pub(super) fn function(
        &mut self,
        bytes: u64,
        operators: u64,
        tally: &mut LimitTally,
    ) -> Result<(), IntakeRefusal> {
        let weight = bytes + operators;
        self.functions += 1;
        self.heaviest = self.heaviest.max(weight);
        self.squares = self.squares.saturating_add(weight * weight);
        self.code += bytes;
        self.weight += weight + FUNCTION;
        tally.note(Limit::CodeKib, kib(self.code))?;
        tally.note(Limit::FunctionWeightKib, kib(weight))?;
        tally.note(Limit::SquareKib, self.squares >> 20)?;
        tally.note(Limit::WeightKib, kib(self.weight))?;
        tally.note(Limit::LocalKib, kib(self.local_bytes))?;
        tally.note(Limit::BranchesTimesLocals, self.branches_times_locals)?;
        self.together(tally)
    }

    /// Adds a function's product of moves and values.
    pub(super) fn joins(
        &mut self,
        product: u64,
        tally: &mut LimitTally,
    ) -> Result<(), IntakeRefusal> {
        self.joins = self.joins.saturating_add(product);
        tally.note(Limit::Joins, self.joins / 1_000_000)
    }

    /// Adds a data segment that is copied when an instance starts.
    pub(super) fn active_segment(&mut self, tally: &mut LimitTally) -> Result<(), IntakeRefusal> {
        self.active_segments += 1;
        self.together(tally)
    }

    fn together(&self, tally: &mut LimitTally) -> Result<(), IntakeRefusal> {
        tally.note(Limit::WorkKib, kib(self.weight + self.active_segments * ACTIVE_SEGMENT))?;
        tally.note(Limit::MemoryMib, self.memory() >> 20)
    }

    /// An estimate of the bytes for compilation. The code that copies segments is compiled as one
    /// more function, and a function can reuse only a part of the memory that the previous one
    /// freed.
    fn memory(&self) -> u64 {
        let largest = self.heaviest * BYTES_IN_WORK;
        let segments = self.active_segments * BYTES_OF_SEGMENT;
        let kept = self.weight * BYTES_KEPT + self.functions * BYTES_OF_FUNCTION;
        largest.max(segments) + largest.min(segments) / 3 + kept
    }
}

fn kib(bytes: u64) -> u64 {
    bytes >> 10
}
