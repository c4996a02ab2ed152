//! Rounds of a graded bot, read from their store to be shown one by one.

use judge_arena::{ArenaError, Job, Run};
use judge_core::{BotIdentity, BySeat, RoundRecord, RoundReport, SeatSpec, TestcaseReport};
use judge_grading::{Suite, play_arguments, round_budgets};
use judge_report::page::Again;
pub use judge_report::page::{Beside, Links};
use judge_report::see_again;

use crate::Error;
use crate::rounds::round_html;
pub use crate::rounds::round_html::LinkedPage;

/// Reads the round with that number (counted from 1) of a testcase from the run's store. None if
/// it was not played, or the judge failed in it. Plays nothing.
///
/// # Errors
/// If the store cannot be read, or the testcase is invalid.
pub fn record(
    run: &Run,
    suite: &Suite,
    bot: &BotIdentity,
    case: &TestcaseReport,
    number: u32,
) -> Result<Option<RoundRecord>, Error> {
    let budgets = round_budgets(case.limits.fuel, &case.rounds);
    let mut rounds = std::iter::zip(&case.rounds, budgets);
    let Some((round, Some(fuel))) = rounds.find(|(round, _)| round.round == number) else {
        return Ok(None);
    };
    kept(&run.clone().stored_only(), suite, bot, case, round, fuel)
}

/// Reads the round from the store; none if it is missing, as after a judge error.
pub(crate) fn kept(
    run: &Run,
    suite: &Suite,
    bot: &BotIdentity,
    case: &TestcaseReport,
    round: &RoundReport,
    fuel: u64,
) -> Result<Option<RoundRecord>, Error> {
    let testcase = suite.testcases.iter().find(|testcase| testcase.name == case.name);
    let Some(testcase) = testcase else { return Ok(None) };
    let seat = SeatSpec::Bot { name: bot.name.clone(), sha256: bot.sha256 };
    let mut spec = testcase.spec(&seat, round.seed);
    spec.limits.fuel = fuel;
    match run.play(&[], &Job { spec, modules: BySeat::default() }) {
        Ok(played) => Ok(Some(played.record)),
        Err(ArenaError::NotPlayed { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Ways to see each round of a testcase again. `file` is the bot as an argument of commands, `page`
/// returns the address of a round's page.
pub(crate) fn again(
    suite: &Suite,
    case: &TestcaseReport,
    file: &str,
    page: impl Fn(&RoundReport) -> Option<String>,
) -> Vec<Again> {
    let testcase = suite.testcases.iter().find(|testcase| testcase.name == case.name);
    let budgets = round_budgets(case.limits.fuel, &case.rounds);
    let rounds = std::iter::zip(&case.rounds, budgets).map(|(round, fuel)| {
        let command = testcase
            .zip(fuel)
            .map(|(testcase, fuel)| see_again(file, &play_arguments(testcase, round.seed, fuel)));
        Again { command, page: page(round) }
    });
    rounds.collect()
}

/// Possible ends of the suite's games.
pub(crate) fn endings(suite: &Suite) -> Vec<(&'static str, &'static str)> {
    let mut games: Vec<&str> = suite.testcases.iter().map(|case| case.game.as_str()).collect();
    games.sort_unstable();
    games.dedup();
    let known = games.into_iter().filter_map(|name| judge_referee::find(name).ok());
    let mut endings: Vec<_> = known.flat_map(judge_games::Game::endings).copied().collect();
    endings.sort_unstable();
    endings.dedup();
    endings
}

/// Renders the page of a round without inline style and script; `verify` is the command that checks
/// its file.
///
/// # Errors
/// If the rules contradict the record.
pub fn page(
    record: &RoundRecord,
    verify: &str,
    beside: Beside,
    links: Links,
) -> Result<LinkedPage, Error> {
    round_html::linked(record, verify, beside, links)
}
