//! Data for the formats of course tools that the report does not contain.

use std::collections::BTreeMap;
use std::str::FromStr;

use judge_core::TestcaseReport;
use serde::Serialize;

use crate::classroom50::SubmissionFacts;

/// The time at which students see a testcase's result; staff always see it. While one testcase is
/// held back, the total is, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// At once.
    Visible,
    /// After the last possible submission.
    AfterDueDate,
    /// With the grades.
    AfterPublished,
    /// Never.
    Hidden,
}

impl Visibility {
    const ALL: [Visibility; 4] = [
        Visibility::Hidden,
        Visibility::AfterPublished,
        Visibility::AfterDueDate,
        Visibility::Visible,
    ];

    /// Name in Gradescope.
    pub fn name(self) -> &'static str {
        match self {
            Visibility::Visible => "visible",
            Visibility::AfterDueDate => "after_due_date",
            Visibility::AfterPublished => "after_published",
            Visibility::Hidden => "hidden",
        }
    }
}

impl FromStr for Visibility {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Visibility, &'static str> {
        let known = Visibility::ALL.into_iter().find(|one| one.name() == text);
        known.ok_or("expected `hidden`, `after_published`, `after_due_date` or `visible`")
    }
}

/// Settings of the formats for course tools and spreadsheets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseTool {
    /// Visibility of the results of hidden testcases.
    pub hidden: Visibility,
    /// Visibility of single testcases, by name.
    pub testcases: BTreeMap<String, Visibility>,
    /// True if Gradescope's leaderboard gets points and scores.
    pub leaderboard: bool,
    /// True if CSV begins with a byte-order mark, so that spreadsheets recognize UTF-8.
    pub byte_order_mark: bool,
    /// The submission, on Classroom 50.
    pub submission: Option<SubmissionFacts>,
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
    /// The visibility of a testcase's result.
    pub(crate) fn visibility(&self, case: &TestcaseReport) -> Visibility {
        let otherwise = if case.hidden { self.hidden } else { Visibility::Visible };
        self.testcases.get(&case.name).copied().unwrap_or(otherwise)
    }
}
