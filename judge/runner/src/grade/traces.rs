//! The functions that were running when a graded bot failed. They are shown with the report, but no
//! digest depends on them.

use std::collections::BTreeSet;
use std::io;

use judge_arena::Job;
use judge_core::{
    Blame, BotIdentity, BotReport, BySeat, Event, FailureTrace, Listener, RoundSpec, SeatSpec,
    TestcaseReport, Verdict,
};
use judge_grading::{Repeat, Suite, deciding_round, round_budgets};

use crate::Error;
use crate::base::workers::Workers;
use crate::bots::BotSource;
use crate::rounds::play::RoundSetup;
use crate::rounds::stack_trace;

/// Maximum number of failures to trace, because each replays a round twice.
const MOST: usize = 3;

/// Verdicts that stop a running function of the bot.
pub const STOPPED: &[Verdict] =
    &[Verdict::RuntimeError, Verdict::MemoryLimitExceeded, Verdict::TimeLimitExceeded];

/// Those of them after which a replay is rarely long.
pub(crate) const SOON: &[Verdict] = &[Verdict::RuntimeError, Verdict::MemoryLimitExceeded];

/// The failures that are worth a replay.
#[derive(Clone, Copy)]
pub struct Replays<'a> {
    /// Their verdicts.
    pub verdicts: &'a [Verdict],
    /// Asked before each replay; false ends them.
    pub go_on: &'a dyn Fn() -> bool,
}

/// Adds the running functions to the report of a bot with this module, for each kind of failure
/// that is worth a replay. A failure that cannot be replayed gets none.
pub fn add(
    report: &mut BotReport,
    suite: &Suite,
    module: &[u8],
    workers: &Workers,
    replays: Replays<'_>,
) {
    if !stack_trace::has_trace_data(module) {
        return;
    }
    let bot = report.bot.clone();
    let worth = worth_a_replay(&mut report.testcases, replays.verdicts);
    for case in worth.into_iter().take_while(|_| (replays.go_on)()) {
        // A round that cannot be repeated keeps its message.
        if let Ok(Some(trace)) = traced(case, suite, (&bot, module), workers) {
            case.trace = Some(trace).filter(|trace| !trace.is_empty());
        }
    }
}

/// The first failure of each kind. Open testcases come first and are not compared with hidden
/// ones, so that an open one never shows whether a hidden one failed.
fn worth_a_replay<'a>(
    cases: &'a mut [TestcaseReport],
    verdicts: &[Verdict],
) -> Vec<&'a mut TestcaseReport> {
    let mut cases: Vec<&mut TestcaseReport> = cases.iter_mut().collect();
    cases.sort_by_key(|case| case.hidden);
    cases.retain(|case| verdicts.contains(&case.verdict) && case.blame == Some(Blame::Bot));
    let mut seen = BTreeSet::new();
    cases.retain(|case| seen.insert((case.hidden, case.verdict.label(), kind(case))));
    cases.truncate(MOST);
    cases
}

/// The kind of failure, without its position in the round.
fn kind(case: &TestcaseReport) -> String {
    let fault = deciding_round(case).and_then(|round| round.fault.as_ref());
    fault
        .map(|fault| fault.detail.as_str().split(" after `").next().unwrap_or_default().to_owned())
        .unwrap_or_default()
}

/// Plays the round that decided a testcase, and again with an eye on the bot.
fn traced(
    case: &TestcaseReport,
    suite: &Suite,
    (bot, module): (&BotIdentity, &[u8]),
    workers: &Workers,
) -> Result<Option<FailureTrace>, Error> {
    let Some(spec) = deciding_spec(case, suite, bot) else { return Ok(None) };
    let modules = BySeat::from_fn(|seat| (seat == case.seat).then_some(0));
    let run = workers.clone().with_jobs(1).run();
    let record = run.play(&[module], &Job { spec, modules })?.record;
    let mut trace = case.trace.clone().unwrap_or_default();
    stack_trace::complete(&mut trace, workers, module, (&record, case.seat));
    Ok(Some(trace))
}

/// The round that decided a testcase, with the fuel that earlier rounds left.
pub(super) fn deciding_spec(
    case: &TestcaseReport,
    suite: &Suite,
    bot: &BotIdentity,
) -> Option<RoundSpec> {
    let again = deciding_repeat(case, suite)?;
    let testcase = suite.testcases.iter().find(|one| one.name == case.name)?;
    let seat = SeatSpec::Bot { name: bot.name.clone(), sha256: bot.sha256 };
    let mut spec = testcase.spec(&seat, again.seed);
    spec.limits.fuel = again.fuel;
    Some(spec)
}

fn deciding_repeat(case: &TestcaseReport, suite: &Suite) -> Option<Repeat> {
    let testcase = suite.testcases.iter().find(|one| one.name == case.name)?;
    let round = deciding_round(case)?;
    let at = case.rounds.iter().position(|one| one.round == round.round)?;
    let fuel = round_budgets(testcase.limits.fuel, &case.rounds).get(at).copied().flatten()?;
    Some(Repeat::new(testcase, round.seed, fuel))
}

/// The setup of the round that decided a testcase, with the fuel that earlier rounds left.
pub(super) fn deciding_setup(case: &TestcaseReport, suite: &Suite) -> Option<RoundSetup> {
    deciding_repeat(case, suite).map(|again| RoundSetup::from(&again))
}

/// A listener that adds the running functions to the result of a single bot before it passes it on.
pub(super) struct Traced<'a> {
    inner: &'a mut dyn Listener,
    suite: &'a Suite,
    /// The only bot; none if there are several, because each would need replays.
    bot: Option<&'a BotSource>,
    workers: &'a Workers,
    /// The bot's results, once they are complete.
    pub(super) done: Option<BotReport>,
}

impl<'a> Traced<'a> {
    pub(super) fn new(
        inner: &'a mut dyn Listener,
        suite: &'a Suite,
        bots: &'a [BotSource],
        workers: &'a Workers,
    ) -> Traced<'a> {
        let bot = if let [bot] = bots { Some(bot) } else { None };
        Traced { inner, suite, bot, workers, done: None }
    }
}

impl Listener for Traced<'_> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match (event, self.bot, &self.done) {
            (Event::SubmissionDecided { report }, Some(bot), _) => {
                let mut report = report.clone();
                let replays = Replays { verdicts: STOPPED, go_on: &|| true };
                add(&mut report, self.suite, &bot.submission.module, self.workers, replays);
                self.done = Some(BotReport::clone(&report));
                self.inner.event(&Event::SubmissionDecided { report })
            }
            (Event::Graded { report }, _, Some(done)) => {
                let mut report = report.clone();
                report.bots = vec![done.clone()];
                self.inner.event(&Event::Graded { report })
            }
            _ => self.inner.event(event),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four testcases that failed in the same way.
    fn failed(hidden: [bool; 4]) -> Vec<TestcaseReport> {
        let suite = crate::base::bundled::suite("mahjong").expect("it is bundled").expect("whole");
        let cases = std::iter::zip(&suite.testcases, hidden).map(|(testcase, hidden)| {
            let case = judge_grading::fold(testcase, &[]);
            let (verdict, blame) = (Verdict::RuntimeError, Some(Blame::Bot));
            TestcaseReport { hidden, verdict, blame, ..case }
        });
        cases.collect()
    }

    #[test]
    fn a_hidden_failure_does_not_use_up_replays_of_open_rounds() {
        let names = |hidden, verdicts: &[Verdict]| {
            let mut cases = failed(hidden);
            let worth = worth_a_replay(&mut cases, verdicts);
            worth.iter().map(|case| (case.name[..2].to_owned(), case.hidden)).collect::<Vec<_>>()
        };
        let (one, two) = (("01".to_owned(), true), ("02".to_owned(), false));
        assert_eq!(names([true, false, false, true], STOPPED), [two, one]);
        assert_eq!(names([false; 4], STOPPED), [("01".to_owned(), false)]);
        assert_eq!(names([false; 4], &[Verdict::TimeLimitExceeded]), []);
    }
}
