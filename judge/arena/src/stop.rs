//! Stops a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends the run of a pool from another thread. Clones end the same run.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// Flag of the stop that this one is a part of.
    outer: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// No further round begins. Current rounds are played to their ends, but do not count.
    pub fn now(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// The flag for signal handlers. Setting it has the effect of [`Stop::now`].
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// A stop for one run of several; this one ends them all. There is only one level: parts of a
    /// part do not see the outermost stop.
    #[must_use]
    pub fn part(&self) -> Stop {
        Stop { flag: Arc::default(), outer: Some(self.flag()) }
    }

    /// True if the run was stopped.
    pub fn is_asked(&self) -> bool {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        is_set(&self.flag) || self.outer.as_ref().is_some_and(is_set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stopping_the_whole_stops_its_parts_but_not_the_reverse() {
        let whole = Stop::default();
        let [one, other] = [whole.part(), whole.part()];
        one.now();
        assert_eq!([&whole, &one, &other].map(Stop::is_asked), [false, true, false]);
        whole.now();
        assert!(other.is_asked());
    }
}
