//! Output `result` that a step passes to GitHub Classroom's reporter: JSON in base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge_core::{BotReport, StudentReport, TestcaseReport, Verdict};
use serde_json::{Value, json};

use crate::text::{json, tame_in_one_line};
use crate::words::{explanation, is_owed, name, refusal, totals};

/// All bots, in one line.
pub(crate) fn render(report: &StudentReport) -> String {
    STANDARD.encode(results(report)) + "\n"
}

/// The JSON.
fn results(report: &StudentReport) -> String {
    let several = report.bots.len() > 1;
    let label = |bot: &BotReport| several.then(|| tame_in_one_line(&bot.bot.name));
    let tests: Vec<Value> =
        report.bots.iter().flat_map(|bot| tests(bot, label(bot).as_deref())).collect();
    let (points, max_points) = totals(&report.bots);
    let status = match () {
        () if report.bots.iter().any(is_owed) => "error",
        // Extra credit may take it above.
        () if points >= max_points => "pass",
        () => "fail",
    };
    json(&json!({"version": 1, "status": status, "max_score": max_points, "tests": tests}))
}

fn tests(bot: &BotReport, label: Option<&str>) -> Vec<Value> {
    let labelled = |name: String| match label {
        Some(label) => format!("{label}: {name}"),
        None => name,
    };
    match &bot.refused {
        Some(refused) => vec![json!({
            "name": labelled("intake".to_owned()),
            "status": if refused.verdict == Verdict::JudgeError { "error" } else { "fail" },
            "score": 0,
            "message": refusal(refused),
            "test_code": "",
            "filename": "",
            "line_no": 0,
        })],
        None => bot.testcases.iter().map(|case| test(case, &labelled(name(case)))).collect(),
    }
}

fn test(case: &TestcaseReport, name: &str) -> Value {
    let status = match case.verdict {
        Verdict::Accepted => "pass",
        Verdict::JudgeError => "error",
        _ => "fail",
    };
    json!({
        "name": name,
        "status": status,
        "score": case.points,
        "message": explanation(case),
        "test_code": "",
        "filename": "",
        "line_no": 0,
    })
}
