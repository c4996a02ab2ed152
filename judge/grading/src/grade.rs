//! A bot's results over a whole suite.

use judge_core::{BotIdentity, BotReport, Refused, TestcaseReport};

use crate::Suite;

/// Sums up a bot's testcases.
pub fn bot_report(bot: BotIdentity, suite: &Suite, testcases: Vec<TestcaseReport>) -> BotReport {
    BotReport::new(bot, None, suite.max_points(), testcases)
}

/// The report on a module that intake refused.
pub fn refused_report(bot: BotIdentity, suite: &Suite, refused: Refused) -> BotReport {
    BotReport::new(bot, Some(refused), suite.max_points(), Vec::new())
}
