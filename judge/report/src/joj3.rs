//! The result of one bot for JOJ3's parser `sample`, which reads it from standard output: one
//! score, and one comment in Markdown that becomes part of an issue. Its scores are whole numbers,
//! so a fraction of a point is only in the comment.

use judge_core::{BotReport, StudentReport, TestcaseReport};
use serde_json::{Value, json};

use crate::markdown::{code, paragraph, trace_list};
use crate::text::json;
use crate::words::{OWED, figures, is_owed, passed};

/// Renders the report's only bot.
pub(crate) fn render(report: &StudentReport) -> String {
    report.bots.iter().map(|bot| json(&result(bot))).collect()
}

fn result(bot: &BotReport) -> Value {
    let comment = match &bot.refused {
        _ if is_owed(bot) => format!("**Not graded**: {OWED}\n"),
        Some(refused) => paragraph(refused.label(), &refused.why.to_string()) + "\n",
        None => testcases(bot),
    };
    json!({"score": bot.points.rounded_down(), "comment": comment})
}

/// A headline, and a line for each testcase.
fn testcases(bot: &BotReport) -> String {
    let (points, max_points) = (bot.points, bot.max_points);
    let headline = format!("**{}**, {points} of {max_points} points\n\n", passed(&bot.testcases));
    let line = |case: &TestcaseReport| format!("- {}\n{}", testcase(case), trace_list(case));
    headline + &bot.testcases.iter().map(line).collect::<String>()
}

fn testcase(case: &TestcaseReport) -> String {
    let heading = format!("{}, {}", case.label(), figures(case));
    format!("{}: {}", code(&case.name), paragraph(&heading, &case.detail))
}
