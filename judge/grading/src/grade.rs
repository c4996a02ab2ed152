//! Results over a whole suite, of a bot and of a run.

use judge_core::{
    BotIdentity, BotReport, Fingerprint, GradeReport, Refused, TestcaseReport, Timing, digest,
};

use crate::Suite;

/// Sums up a bot's testcases.
pub fn bot_report(bot: BotIdentity, suite: &Suite, testcases: Vec<TestcaseReport>) -> BotReport {
    BotReport::new(bot, None, suite.max_points(), testcases)
}

/// The report on a module that intake refused.
pub fn refused_report(bot: BotIdentity, suite: &Suite, refused: Refused) -> BotReport {
    BotReport::new(bot, Some(refused), suite.max_points(), Vec::new())
}

/// The sealed report of a run.
pub fn grade_report(
    fingerprint: Fingerprint,
    suite: &Suite,
    bots: Vec<BotReport>,
    timing: Timing,
) -> GradeReport {
    GradeReport {
        version: GradeReport::VERSION,
        fingerprint,
        suite: suite.name.clone(),
        title: suite.title.clone(),
        bots,
        seal: digest(&[]),
        timing,
    }
    .sealed()
}
