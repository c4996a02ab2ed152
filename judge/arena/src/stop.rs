//! Early end of a run whose result is no longer needed.

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

    /// The flag behind it, for handlers of signals: to set it is [`Stop::now`].
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// True if the run was stopped.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
