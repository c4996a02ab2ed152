//! The result of a grading.

use std::path::PathBuf;

use judge_core::{GradeReport, StudentReport};
use judge_grading::Suite;

use super::traces::Trace;
use crate::base::boards;
use crate::suites;

/// Result of a grading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The whole result, hidden testcases included.
    pub report: GradeReport,
    /// True if hidden testcases are among those that were graded.
    pub has_hidden: bool,
    /// The folder of hidden testcases that were not graded because it is missing.
    pub absent: Option<PathBuf>,
    /// Names of the hidden testcases that were not graded because their seeds are secret.
    pub locked: Vec<String>,
    /// Where the bot failed.
    traces: Vec<Trace>,
    /// The suite's boards and rules, for each bot with answers that did not fit them.
    boards: Vec<String>,
}

impl Outcome {
    pub(super) fn new(
        report: GradeReport,
        suite: &Suite,
        traces: Vec<Trace>,
        for_student: bool,
    ) -> Outcome {
        let remark = |bot| boards::remark(bot, suite, !for_student);
        Outcome {
            boards: report.bots.iter().filter_map(remark).collect(),
            report,
            traces,
            has_hidden: suites::has_hidden(suite),
            absent: suite.absent.clone(),
            locked: suites::locked(suite).into_iter().map(str::to_owned).collect(),
        }
    }

    /// The result as students may see it.
    pub fn for_student(&self) -> StudentReport {
        self.report.for_student()
    }

    /// The places where a single bot failed whose module has names or lines, with the functions that
    /// were running for each kind of failure, and the boards for bots that did not know them.
    pub fn traces_text(&self) -> String {
        let traces: String = self.traces.iter().map(Trace::to_text).collect();
        traces + &self.boards.concat()
    }

    /// One line on where the time went. Its sums include the rounds of hidden testcases.
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
