//! The conditions of testcases, for rounds on fresh seeds.

pub(super) use judge_grading::conditions;
use judge_grading::{Suite, Testcase};

use crate::Error;
use crate::bots::BotSource;

/// Refuses a bot that cannot play under any testcase.
pub(super) fn refuse_unfit(bot: &BotSource, suite: &Suite) -> Result<(), Error> {
    bot.fitting(suite).refused.map_or(Ok(()), |refused| Err(bot.invalid(refused.why)))
}

/// The suite's testcases by name.
pub(super) fn testcases(suite: &Suite) -> Vec<&Testcase> {
    suite.by_name()
}
