//! Bounds on the cost of a whole submission, as requested.

use std::time::Duration;

use judge_arena::Bounds;
use judge_grading::Suite;
use serde::{Deserialize, Serialize};

/// Bounds on a whole submission. The suite determines the missing ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SubmissionBounds {
    /// Maximum processor time in seconds, for compilation and all rounds together.
    pub seconds: Option<u64>,
    /// Maximum size of its rounds in the journal, in MiB.
    pub mebibytes: Option<u64>,
}

impl SubmissionBounds {
    /// Returns the bounds for that suite; none if both follow from the suite.
    pub fn on(self, suite: &Suite) -> Option<Bounds> {
        if self == SubmissionBounds::default() {
            return None;
        }
        let usual = Bounds::for_suite(suite);
        Some(Bounds {
            processor: self.seconds.map_or(usual.processor, Duration::from_secs),
            journal_bytes: self.mebibytes.map_or(usual.journal_bytes, |mebibytes| mebibytes << 20),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_bounds_follow_from_the_suite() {
        let suite =
            crate::base::bundled::suite("mahjong").expect("it is bundled").expect("and whole");
        assert_eq!(SubmissionBounds::default().on(&suite), None);
        let bounds = SubmissionBounds { seconds: Some(7), mebibytes: None }.on(&suite);
        let usual = Bounds::for_suite(&suite);
        assert_eq!(bounds, Some(Bounds { processor: Duration::from_secs(7), ..usual }));
    }
}
