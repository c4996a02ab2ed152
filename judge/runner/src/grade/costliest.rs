//! The move that cost a graded bot the most: in the worst round of the testcase that it missed by
//! most.

use judge_core::{GradeReport, IgnoreEvents, TestcaseReport, Verdict, printable};
use judge_grading::Suite;

use super::traces;
use crate::base::workers::Workers;
use crate::bots::BotSource;
use crate::rounds::explain;

/// Maximum number of rounds to play with other answers: less than a second for a light bot.
const ROUNDS: usize = 100;

/// Finds the move, if there is a single bot, and describes it. None if no other answer of those
/// that were tried would have scored more.
pub(super) fn find(
    report: &GradeReport,
    suite: &Suite,
    bots: &[BotSource],
    workers: &Workers,
) -> Option<String> {
    let ([bot], [graded]) = (bots, report.bots.as_slice()) else { return None };
    let case = farthest(&graded.testcases)?;
    let request = explain::Request {
        bot: bot.path.clone(),
        setting: traces::deciding_setup(case, suite)?,
        worst_of: None,
        rounds: Some(ROUNDS),
        moves: 1,
        page: None,
    };
    let outcome = explain::of_bot(bot, &request, workers, &mut IgnoreEvents).ok()?;
    let text = outcome.costliest_text()?;
    let name = printable(&case.name, usize::MAX);
    Some(format!("{name}: the costliest move of its worst round\n  {text}\n"))
}

/// The testcase with the largest gap to its threshold.
fn farthest(testcases: &[TestcaseReport]) -> Option<&TestcaseReport> {
    let below = testcases.iter().filter(|case| case.verdict == Verdict::BelowThreshold);
    below.min_by_key(|case| case.score - case.min_score)
}
