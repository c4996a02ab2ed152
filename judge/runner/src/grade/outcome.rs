//! The result of a grading.

use std::path::PathBuf;

use judge_core::{GradeReport, StudentReport};
use judge_grading::Suite;

use crate::base::boards;
use crate::suites;

/// The outcome of a grading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The complete result, including hidden testcases.
    pub report: GradeReport,
    /// True if any graded testcase is hidden.
    pub has_hidden: bool,
    /// The missing folder of hidden testcases that were therefore not graded.
    pub absent: Option<PathBuf>,
    /// Names of hidden testcases that were not graded because their seeds are secret.
    pub locked: Vec<String>,
    /// The sentence that only a part of a suite was graded, if so.
    pub(super) part: Option<String>,
    /// The move that cost the most in a round, as text.
    pub(super) costliest: Option<String>,
    /// The suite's boards and rules, for each bot with answers that did not fit them.
    boards: Vec<String>,
}

impl Outcome {
    pub(super) fn new(report: GradeReport, suite: &Suite, for_student: bool) -> Outcome {
        let remark = |bot| boards::remark(bot, suite, !for_student);
        Outcome {
            boards: report.bots.iter().filter_map(remark).collect(),
            report,
            part: None,
            costliest: None,
            has_hidden: suites::has_hidden(suite),
            absent: suite.absent.clone(),
            locked: suites::locked(suite).into_iter().map(str::to_owned).collect(),
        }
    }

    /// Returns the result that students may see.
    pub fn for_student(&self) -> StudentReport {
        self.report.for_student()
    }

    /// The sentence on a part of a suite, the boards for bots that did not fit them, and the
    /// costliest move.
    pub fn remarks_text(&self) -> String {
        let part = self.part.as_ref().map(|part| format!("{part}\n")).unwrap_or_default();
        part + &self.boards.concat() + self.costliest.as_deref().unwrap_or_default()
    }

    /// A line on where the time went. Its sums include the rounds of hidden testcases.
    pub fn timing_text(&self) -> String {
        let timing = &self.report.timing;
        let ms = |us: u64| format!("{}.{} ms", us / 1000, us % 1000 / 100);
        format!(
            "{} with {} {}; summed over them: bot {}, judge {}, start-up {}",
            ms(timing.wall_us),
            timing.workers,
            if timing.workers == 1 { "worker" } else { "workers" },
            ms(timing.bot_us),
            ms(timing.judge_us),
            ms(timing.start_up_us),
        )
    }
}
