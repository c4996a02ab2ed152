//! What a bot has while no instance of it is there.

use judge_core::Usage;

use crate::profile::Counter;
use crate::trap::Frame;

/// What is there without an instance: before it starts, and when it could not.
#[derive(Default)]
pub(crate) struct Idle {
    /// What a start that failed had used.
    pub(crate) usage: Usage,
    /// What counts the fuel, if anything does.
    pub(crate) counter: Option<Counter>,
    /// Where a start that failed was.
    pub(crate) trace: Vec<Frame>,
}
