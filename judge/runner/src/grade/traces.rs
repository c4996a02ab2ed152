//! The place where a graded bot failed, with file and line. It is shown with the report, but is not
//! a part of it.

use std::collections::BTreeSet;

use judge_core::{Blame, GradeReport, IgnoreEvents, TestcaseReport, Verdict, printable};
use judge_grading::{Repeat, Suite, deciding_round, round_budgets};

use crate::base::workers::Workers;
use crate::bots::BotSource;
use crate::rounds::play::{self, RoundSetup};
use crate::rounds::stack_trace;

/// Maximum number of failures to trace, because each replays a round twice.
const MOST: usize = 3;

/// Verdicts that stop a running function of the bot.
pub(crate) const STOPPED: &[Verdict] =
    &[Verdict::RuntimeError, Verdict::MemoryLimitExceeded, Verdict::TimeLimitExceeded];

/// Those of them after which a replay is rarely long.
pub(crate) const SOON: &[Verdict] = &[Verdict::RuntimeError, Verdict::MemoryLimitExceeded];

/// The functions that were running when a testcase failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(super) testcase: String,
    /// The last lines of the log, then one line per function.
    pub(super) lines: Vec<String>,
}

impl Trace {
    /// Formats the trace for people.
    pub(crate) fn to_text(&self) -> String {
        let testcase = printable(&self.testcase, usize::MAX);
        format!("{testcase}: where it failed\n{}\n", self.lines.join("\n"))
    }
}

/// Traces each kind of failure with one of these verdicts, if there is a single bot and its module
/// has names or lines. A failure that cannot be replayed has no trace.
pub(crate) fn collect(
    report: &GradeReport,
    suite: &Suite,
    bots: &[BotSource],
    workers: &Workers,
    verdicts: &[Verdict],
) -> Vec<Trace> {
    let ([bot], [graded]) = (bots, report.bots.as_slice()) else { return Vec::new() };
    if !stack_trace::is_told_by(&bot.submission.module) {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let failed =
        |case: &&TestcaseReport| verdicts.contains(&case.verdict) && case.blame == Some(Blame::Bot);
    let failed = graded.testcases.iter().filter(failed);
    let first = failed.filter(|case| seen.insert((case.verdict.label(), kind(case))));
    first.take(MOST).filter_map(|case| trace(case, suite, bot, workers)).collect()
}

/// The kind of failure, without its position in the round.
fn kind(case: &TestcaseReport) -> String {
    let fault = deciding_round(case).and_then(|round| round.fault.as_ref());
    fault
        .map(|fault| fault.detail.as_str().split(" after `").next().unwrap_or_default().to_owned())
        .unwrap_or_default()
}

fn trace(
    case: &TestcaseReport,
    suite: &Suite,
    bot: &BotSource,
    workers: &Workers,
) -> Option<Trace> {
    let setting = deciding_setup(case, suite)?;
    let played = play::run_bot(bot, &setting, workers, &mut IgnoreEvents).ok()?;
    let round = (&played.record, played.seat);
    let frames = stack_trace::lines(workers, &bot.submission.module, round).ok()?;
    let lines = [stack_trace::last_logged(round), frames].concat();
    (!lines.is_empty()).then(|| Trace { testcase: case.name.clone(), lines })
}

/// The setup of the round that decided a testcase, with the fuel that earlier rounds left.
pub(super) fn deciding_setup(case: &TestcaseReport, suite: &Suite) -> Option<RoundSetup> {
    let testcase = suite.testcases.iter().find(|one| one.name == case.name)?;
    let round = deciding_round(case)?;
    let at = case.rounds.iter().position(|one| one.round == round.round)?;
    let fuel = round_budgets(testcase.limits.fuel, &case.rounds).get(at).copied().flatten()?;
    Some(RoundSetup::from(&Repeat::new(testcase, round.seed, fuel)))
}
