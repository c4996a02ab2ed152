//! Settings of the formats for course tools.

use std::collections::BTreeMap;
use std::str::FromStr;

use judge_report::{CourseTool, Visibility};

/// Settings of Gradescope's `results.json`.
#[derive(clap::Args)]
pub(crate) struct CourseToolArgs {
    /// Set when students see the results of hidden testcases on Gradescope: `hidden` (never),
    /// `after_published`, `after_due_date` or `visible`. They never see anything of the rounds.
    #[arg(long, value_name = "WHEN", default_value = "after_published")]
    hidden_visibility: Visibility,
    /// Set it for a single testcase; may be repeated.
    #[arg(long, value_name = "TESTCASE=WHEN")]
    visibility: Vec<TestcaseVisibility>,
    /// Leave out Gradescope's leaderboard of points and scores.
    #[arg(long)]
    no_leaderboard: bool,
}

impl CourseToolArgs {
    pub(crate) fn settings(&self) -> CourseTool {
        CourseTool {
            hidden: self.hidden_visibility,
            testcases: self.testcases(),
            leaderboard: !self.no_leaderboard,
            ..CourseTool::default()
        }
    }

    /// Visibilities of single testcases; the last one for each testcase counts.
    fn testcases(&self) -> BTreeMap<String, Visibility> {
        self.visibility.iter().map(|one| (one.testcase.clone(), one.visibility)).collect()
    }
}

#[derive(Debug, Clone)]
struct TestcaseVisibility {
    testcase: String,
    visibility: Visibility,
}

impl FromStr for TestcaseVisibility {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<TestcaseVisibility, &'static str> {
        let (testcase, visibility) =
            text.rsplit_once('=').ok_or("expected a testcase's name, `=` and a time")?;
        Ok(TestcaseVisibility { testcase: testcase.to_owned(), visibility: visibility.parse()? })
    }
}
