//! A bot's results over a whole suite.

use judge_core::{BotIdentity, BotReport, Digest, Refused, TestcaseReport, Verdict, digest};
use serde::Serialize;

use crate::Suite;

/// Sums a bot's testcases up.
pub fn bot_report(bot: BotIdentity, suite: &Suite, testcases: Vec<TestcaseReport>) -> BotReport {
    sealed(bot, None, suite.max_points(), testcases)
}

/// The report on a module that was not played because intake refused it.
pub fn refused_report(bot: BotIdentity, suite: &Suite, refused: Refused) -> BotReport {
    sealed(bot, Some(refused), suite.max_points(), Vec::new())
}

/// A bot's results as its author may see them: nothing of the rounds of hidden testcases. The
/// digest is that of what is left.
pub fn for_student(report: &BotReport) -> BotReport {
    let testcases = report.testcases.iter().map(TestcaseReport::for_student).collect();
    sealed(report.bot.clone(), report.refused.clone(), report.max_points, testcases)
}

pub(crate) fn sealed(
    bot: BotIdentity,
    refused: Option<Refused>,
    max_points: u32,
    testcases: Vec<TestcaseReport>,
) -> BotReport {
    let passed = testcases.iter().filter(|case| case.verdict == Verdict::Accepted).count() as u32;
    BotReport {
        points: testcases.iter().map(|testcase| testcase.points).sum(),
        max_points,
        score: testcases.iter().map(|testcase| testcase.score).sum(),
        passed,
        digest: seal(&bot.sha256, refused.as_ref(), &testcases),
        bot,
        refused,
        testcases,
    }
}

/// Digest over what decides the result. The bot's name stays out: a renamed file is the same bot.
fn seal(module: &Digest, refused: Option<&Refused>, testcases: &[TestcaseReport]) -> Digest {
    #[derive(Serialize)]
    struct Sealed<'a> {
        module: &'a Digest,
        refused: Option<&'a Refused>,
        testcases: &'a [TestcaseReport],
    }
    let sealed = Sealed { module, refused, testcases };
    let json = serde_json::to_vec(&sealed).expect("reports hold nothing that JSON cannot");
    digest(&json)
}
