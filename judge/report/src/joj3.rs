//! Stages of JOJ3: one for each bot, with a result for each testcase. Its comments are Markdown
//! that ends up in an issue. Its scores are whole: a fraction of a point stands in the comment alone.

use judge_core::{BotReport, StudentReport, TestcaseReport};
use serde_json::{Value, json};

use crate::markdown::{code, paragraph};
use crate::text::{json, tame_in_one_line};
use crate::words::figures;

/// All bots.
pub(crate) fn render(report: &StudentReport) -> String {
    let several = report.bots.len() > 1;
    let stages: Vec<Value> = report
        .bots
        .iter()
        .map(|bot| {
            let name = if several { &bot.bot.name } else { &report.suite };
            json!({"name": tame_in_one_line(name), "results": results(bot), "force_quit": false})
        })
        .collect();
    json(&stages)
}

fn results(bot: &BotReport) -> Vec<Value> {
    match &bot.refused {
        Some(refused) => {
            let comment = paragraph(refused.label(), &refused.why.to_string());
            vec![json!({"score": 0, "comment": comment})]
        }
        None => bot.testcases.iter().map(result).collect(),
    }
}

fn result(case: &TestcaseReport) -> Value {
    let heading = format!("{}, {}", case.label(), figures(case));
    let comment = format!("{}: {}", code(&case.name), paragraph(&heading, &case.detail));
    json!({"score": case.points.rounded_down(), "comment": comment})
}
