//! The fact in a course's journal about a finished submission.

use judge_core::{BotIdentity, Refused};
use serde::{Deserialize, Serialize};

use crate::facts::{Fact, Facts};

/// A graded submission, stored under its name in the course's results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionNote {
    /// The name of its file or folder.
    pub file: String,
    /// Its name and module.
    pub bot: BotIdentity,
    /// The refusal, if it was not played.
    pub refused: Option<Refused>,
}

/// Start of the names of all these facts.
const SUBMISSION: &str = "submission ";

impl Fact for SubmissionNote {
    type About = str;

    fn name(submission: &str) -> String {
        format!("{SUBMISSION}{submission}")
    }
}

impl SubmissionNote {
    /// The names of all stored submissions, in order.
    pub fn names(facts: &Facts) -> impl Iterator<Item = &str> {
        facts.names().filter_map(|fact| fact.strip_prefix(SUBMISSION))
    }
}
