//! PrairieLearn's `results.json`. A refused module and a failure of the judge are not gradable, so
//! they cost no attempt.

use judge_core::{Points, StudentBot, StudentReport, TestcaseReport};
use serde_json::{Value, json};

use crate::text::{json, tame_in_one_line};
use crate::words::{OWED, is_owed, outcome, particulars, passed, refusal};

/// Renders the report's only bot.
pub(crate) fn render(report: &StudentReport) -> String {
    report.bots().map(render_bot).collect()
}

fn render_bot(bot: StudentBot<'_>) -> String {
    let error = match &bot.refused {
        _ if is_owed(&bot) => Some(OWED.to_owned()),
        refused => refused.as_ref().map(refusal),
    };
    if let Some(error) = error {
        return json(&json!({"gradable": false, "format_errors": [error]}));
    }
    let tests: Vec<Value> = bot.testcases.iter().map(test).collect();
    json(&json!({
        "gradable": true,
        "score": share(bot.points, bot.max_points),
        "message": passed(&bot.testcases),
        "tests": tests,
    }))
}

fn test(case: &TestcaseReport) -> Value {
    json!({
        "name": tame_in_one_line(&case.name),
        "description": tame_in_one_line(&case.title),
        "points": case.points,
        "max_points": case.max_points,
        "message": outcome(case),
        "output": particulars(case),
    })
}

/// The points as a fraction from 0 to 1, which the format requires. Nothing else depends on it.
/// Extra credit is capped.
fn share(points: Points, max_points: Points) -> f64 {
    if max_points.is_zero() { 0.0 } else { (points.to_f64() / max_points.to_f64()).min(1.0) }
}
