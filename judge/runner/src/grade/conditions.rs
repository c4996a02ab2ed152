//! The conditions of testcases, for rounds on fresh seeds.

use judge_grading::{Suite, Testcase};

use crate::Error;
use crate::bots::BotSource;

/// Refuses a bot that cannot play under any testcase.
pub(super) fn refuse_unfit(bot: &BotSource, suite: &Suite) -> Result<(), Error> {
    bot.fitting(suite).refused.map_or(Ok(()), |refused| Err(bot.invalid(refused.why)))
}

/// The suite's testcases by name, including hidden ones without a key, because only their seeds are
/// secret.
pub(super) fn testcases(suite: &Suite) -> Vec<&Testcase> {
    let mut testcases: Vec<&Testcase> = suite.testcases.iter().chain(&suite.locked).collect();
    testcases.sort_by(|one, other| one.name.cmp(&other.name));
    testcases
}

/// Testcases that differ in more than name, seeds and threshold; and for each testcase the index of
/// the one with the same conditions.
pub(super) fn conditions<'a>(testcases: &[&'a Testcase]) -> (Vec<&'a Testcase>, Vec<usize>) {
    let mut distinct: Vec<&Testcase> = Vec::new();
    let alike = |one: &Testcase, other: &Testcase| {
        (&one.game, &one.opponent, one.seat, one.limits, &one.options)
            == (&other.game, &other.opponent, other.seat, other.limits, &other.options)
    };
    let places = testcases.iter().map(|testcase| {
        distinct.iter().position(|known| alike(known, testcase)).unwrap_or_else(|| {
            distinct.push(testcase);
            distinct.len() - 1
        })
    });
    let places = places.collect();
    (distinct, places)
}
