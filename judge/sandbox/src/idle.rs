//! State of a bot while it has no instance.

use judge_core::{Limits, Usage};

use crate::limiter::Limiter;
use crate::profile::Counter;
use crate::trap::TrapFrame;

/// State of a bot before its instance starts, and after a failed start.
#[derive(Default)]
pub(crate) struct Idle {
    /// Resources that a failed start used.
    pub(crate) usage: Usage,
    /// The fuel counter, if there is one.
    pub(crate) counter: Option<Counter>,
    /// The stack of a failed start.
    pub(crate) trace: Vec<TrapFrame>,
    /// True to stop exactly where the fuel ends; see [`crate::BotPlayer::strict`].
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
