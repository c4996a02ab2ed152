//! What a bot has while no instance of it is there.

use judge_core::{Limits, Usage};

use crate::limiter::Limiter;
use crate::profile::Counter;
use crate::trap::TrapFrame;

/// What is there without an instance: before it starts, and when it could not.
#[derive(Default)]
pub(crate) struct Idle {
    /// What a start that failed had used.
    pub(crate) usage: Usage,
    /// What counts the fuel, if anything does.
    pub(crate) counter: Option<Counter>,
    /// Where a start that failed was.
    pub(crate) trace: Vec<TrapFrame>,
    /// True to stop where the fuel ends: see [`crate::BotPlayer::strict`].
    pub(crate) strict: bool,
}

impl Idle {
    /// The limiter of an instance that starts.
    pub(crate) fn limiter(&self, limits: &Limits) -> Limiter {
        let mut limiter = Limiter::new(limits.memory_bytes);
        if self.strict {
            limiter.grace = 0;
        }
        limiter
    }
}
