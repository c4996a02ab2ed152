//! Gradescope's `results.json`. Every text is plain (`text`, without markup), line ends are `
//! `, and Gradescope adds the time, so equal results are equal bytes.

use judge_core::{Points, StudentBot, StudentReport, TestcaseReport, Verdict};
use serde_json::{Value, json};

use crate::course_tool::{CourseTool, Visibility};
use crate::text::json;
use crate::words::{OWED, explanation, is_owed, name, passed, refusal};

/// Renders the report's only bot.
pub(crate) fn render(report: &StudentReport, tool: &CourseTool) -> String {
    report.bots().map(|bot| render_bot(report, bot, tool)).collect()
}

fn render_bot(report: &StudentReport, bot: StudentBot<'_>, tool: &CourseTool) -> String {
    // Sums that include hidden testcases would reveal their results.
    let shown = |case: &&TestcaseReport| tool.visibility(case) == Visibility::Visible;
    let shown: Vec<&TestcaseReport> = bot.testcases.iter().filter(shown).collect();
    let tests: Vec<Value> = match &bot.refused {
        Some(refused) => vec![json!({
            "name": "intake",
            "name_format": "text",
            "score": 0,
            "max_score": bot.max_points,
            "status": "failed",
            "output": refusal(refused),
            "output_format": "text",
            "tags": [refused.label()],
            "visibility": Visibility::Visible,
        })],
        None => bot.testcases.iter().map(|case| test(case, tool.visibility(case))).collect(),
    };
    let mut results = json!({
        "score": bot.points,
        "output": headline(&bot, &shown),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": Visibility::Visible,
        "stdout_visibility": Visibility::Hidden,
        "tests": tests,
        "extra_data": {
            "judge": report.fingerprint.judge,
            "engine": report.fingerprint.engine,
            "sha256": bot.bot.sha256,
            // With the digest, a student could test guesses of the seeds of hidden testcases.
            "digest": (!bot.testcases.iter().any(|case| case.hidden)).then_some(bot.digest),
        },
    });
    if tool.leaderboard {
        results["leaderboard"] = leaderboard(&shown);
    }
    json(&results)
}

/// The leaderboard, with sums of the testcases that students see.
fn leaderboard(shown: &[&TestcaseReport]) -> Value {
    let points: Points = shown.iter().map(|case| case.points).sum();
    let score: i64 = shown.iter().map(|case| case.score).sum();
    json!([
        {"name": "points", "value": points, "order": "desc"},
        {"name": "score", "value": score, "order": "desc"},
    ])
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
        "tags": [case.label()],
        "visibility": visibility,
    })
}

/// The text above the testcases; `shown` are those that students see.
fn headline(bot: &StudentBot<'_>, shown: &[&TestcaseReport]) -> String {
    let passed = passed(shown.iter().copied());
    match bot.testcases.len() - shown.len() {
        _ if is_owed(bot) => OWED.to_owned(),
        _ if bot.refused.is_some() => "the module was not played".to_owned(),
        0 => passed,
        more => format!("{passed}; {more} more count, and are not shown yet"),
    }
}
