//! What the formats of course tools take from outside of the report.

use std::collections::BTreeMap;

use judge_core::TestcaseReport;

use crate::{Classroom50Submission, Visibility};

/// Settings of the formats for course tools and spreadsheets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseTool {
    /// When students see the results of hidden testcases.
    pub hidden: Visibility,
    /// When they see those of single testcases, by name.
    pub testcases: BTreeMap<String, Visibility>,
    /// Whether Gradescope's leaderboard gets points and scores.
    pub leaderboard: bool,
    /// Whether CSV begins with a byte-order mark, by which spreadsheets know UTF-8.
    pub byte_order_mark: bool,
    /// The submission, on Classroom 50.
    pub submission: Option<Classroom50Submission>,
}

impl Default for CourseTool {
    fn default() -> CourseTool {
        CourseTool {
            hidden: Visibility::AfterPublished,
            testcases: BTreeMap::new(),
            leaderboard: true,
            byte_order_mark: false,
            submission: None,
        }
    }
}

impl CourseTool {
    /// When students see a testcase.
    pub(crate) fn visibility(&self, case: &TestcaseReport) -> Visibility {
        let otherwise = if case.hidden { self.hidden } else { Visibility::Visible };
        self.testcases.get(&case.name).copied().unwrap_or(otherwise)
    }
}
