//! Gradescope's `results.json`. Every text is plain (`text`: shown as it is), line ends are `\n`,
//! and the time is left to Gradescope, so that equal results are equal bytes.

use judge_core::{BotReport, GradeReport, TestcaseReport, Verdict};
use serde::Serialize;
use serde_json::{Value, json};

use crate::text::json;
use crate::words::{OWED, explanation, is_owed, name, refusal};

/// When students see a testcase; staff always do. While one is held back, so is the total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// At once.
    Visible,
    /// When nothing can be handed in any more.
    AfterDueDate,
    /// With the grades.
    AfterPublished,
    /// Never.
    Hidden,
}

/// The result of one bot, with every testcase visible.
pub(crate) fn render(report: &GradeReport, bot: &BotReport) -> String {
    render_with(report, bot, &|_| Visibility::Visible)
}

/// The result of one bot of a report as Gradescope's `results.json`; `visibility` says of each
/// testcase when students see it.
pub fn render_with(
    report: &GradeReport,
    bot: &BotReport,
    visibility: &dyn Fn(&TestcaseReport) -> Visibility,
) -> String {
    let tests: Vec<Value> = match &bot.refused {
        Some(refused) => vec![json!({
            "name": "intake",
            "name_format": "text",
            "score": 0,
            "max_score": bot.max_points,
            "status": "failed",
            "output": refusal(refused),
            "output_format": "text",
            "tags": [refused.verdict.label()],
            "visibility": Visibility::Visible,
        })],
        None => bot.testcases.iter().map(|case| test(case, visibility(case))).collect(),
    };
    json(&json!({
        "score": bot.points,
        "output": headline(bot),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": Visibility::Visible,
        "stdout_visibility": Visibility::Hidden,
        "tests": tests,
        "leaderboard": [
            {"name": "points", "value": bot.points, "order": "desc"},
            {"name": "score", "value": bot.score, "order": "desc"},
        ],
        "extra_data": {
            "judge": report.fingerprint.judge,
            "engine": report.fingerprint.engine,
            "sha256": bot.bot.sha256,
            // It could be used to guess the seeds of hidden testcases.
            "digest": (!bot.testcases.iter().any(|case| case.hidden)).then_some(bot.digest),
        },
    }))
}

fn test(case: &TestcaseReport, visibility: Visibility) -> Value {
    let status = if case.verdict == Verdict::Accepted { "passed" } else { "failed" };
    json!({
        "name": name(case),
        "name_format": "text",
        "score": case.points,
        "max_score": case.max_points,
        "status": status,
        "output": explanation(case),
        "output_format": "text",
        "tags": [case.verdict.label()],
        "visibility": visibility,
    })
}

fn headline(bot: &BotReport) -> String {
    let passed = format!("{} of {} testcases passed", bot.passed, bot.testcases.len());
    match &bot.refused {
        _ if is_owed(bot) => OWED.to_owned(),
        Some(_) => "the module was not played".to_owned(),
        None => passed,
    }
}
