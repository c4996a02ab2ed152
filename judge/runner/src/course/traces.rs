//! The functions that were running when submissions failed, for their reports. No journal keeps
//! them, so the rounds that decided the verdicts are replayed when a report is written, unless an
//! earlier report on the same result has them.

use std::path::Path;

use judge_arena::Run;
use judge_core::{Blame, GradeReport, TestcaseReport};
use judge_grading::Suite;

use super::CourseFolder;
use super::submissions::FoundSubmission;
use crate::Error;
use crate::base::workers::Workers;
use crate::grade::traces::{self, Replays, SOON};
use crate::suites;

/// Adds the running functions to the report on a submission. A submission without such a failure
/// costs nothing.
pub(super) fn add(
    report: &mut GradeReport,
    submission: &FoundSubmission,
    suite: &Suite,
    folder: &CourseFolder,
    (run, workers): (&Run, &Workers),
) {
    // A run that plays no rounds has no workers to replay one.
    if run.is_stored_only() || !failed(report).any(|case| !has_functions(case)) {
        return;
    }
    // An interrupted run may have written a report without them.
    if take_over(report, folder.path(), suite, folder) && failed(report).any(has_functions) {
        return;
    }
    let Ok(module) = submission.module() else { return };
    let replays = Replays { verdicts: SOON, go_on: &|| !run.stop().is_asked() };
    for bot in &mut report.bots {
        traces::add(bot, suite, &module, workers, replays);
    }
}

/// The testcases that ended by a failure that is worth a replay.
fn failed(report: &GradeReport) -> impl Iterator<Item = &TestcaseReport> {
    let cases = report.bots.iter().flat_map(|bot| &bot.testcases);
    cases.filter(|case| SOON.contains(&case.verdict) && case.blame == Some(Blame::Bot))
}

/// True if the functions are known, which some languages log by themselves.
fn has_functions(case: &TestcaseReport) -> bool {
    case.trace.as_ref().is_some_and(|trace| !trace.frames.is_empty())
}

/// Takes the traces from an earlier report on the same result, in the course's folder `earlier`
/// with the names of `folder`. Returns false if there is none.
pub(crate) fn take_over(
    report: &mut GradeReport,
    earlier: &Path,
    suite: &Suite,
    folder: &CourseFolder,
) -> bool {
    let Some(name) = report.bots.first().map(|bot| bot.bot.name.as_str()) else { return false };
    // The complete report has the rounds of hidden testcases, too.
    let hidden = suites::has_hidden(suite);
    let path = if hidden { folder.full_report(name) } else { folder.report(name) };
    let file = earlier.join(path);
    let text = if file.is_file() { Error::read_text(&file).ok() } else { None };
    let read = text.and_then(|text| GradeReport::from_json(&text).ok());
    let Some(read) = read.filter(|read| read.seal == report.seal) else { return false };
    let own = report.bots.iter_mut().flat_map(|bot| &mut bot.testcases);
    let cases = read.bots.into_iter().flat_map(|bot| bot.testcases);
    for (case, earlier) in std::iter::zip(own, cases) {
        case.trace = earlier.trace;
    }
    true
}
