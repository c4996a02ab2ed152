//! A run that is ended before its time, because nobody waits for its result any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends the run of a pool from another thread. Clones end the same run.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// No further round begins; those under way are played to their ends, and count for nothing.
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has stopped the run.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
