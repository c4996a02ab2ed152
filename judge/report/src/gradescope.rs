//! Gradescope's `results.json`. Every text is plain (`text`: shown as it is), line ends are `\n`,
//! and the time is left to Gradescope, so that equal results are equal bytes.

use std::str::FromStr;

use judge_core::{Points, StudentBot, StudentReport, TestcaseReport, Verdict};
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

impl Visibility {
    const ALL: [Visibility; 4] = [
        Visibility::Hidden,
        Visibility::AfterPublished,
        Visibility::AfterDueDate,
        Visibility::Visible,
    ];

    /// Name in Gradescope.
    pub fn name(self) -> &'static str {
        match self {
            Visibility::Visible => "visible",
            Visibility::AfterDueDate => "after_due_date",
            Visibility::AfterPublished => "after_published",
            Visibility::Hidden => "hidden",
        }
    }
}

impl FromStr for Visibility {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Visibility, &'static str> {
        let known = Visibility::ALL.into_iter().find(|one| one.name() == text);
        known.ok_or("expected `hidden`, `after_published`, `after_due_date` or `visible`")
    }
}

/// The result of a report's one bot, with every testcase visible but the hidden ones.
pub(crate) fn render(report: &StudentReport, hidden: Visibility) -> String {
    let visibility = |case: &TestcaseReport| if case.hidden { hidden } else { Visibility::Visible };
    report.bots().map(|bot| render_with(report, bot, &visibility)).collect()
}

/// The result of one bot of a report as Gradescope's `results.json`; `visibility` says of each
/// testcase when students see it.
pub(crate) fn render_with(
    report: &StudentReport,
    bot: StudentBot<'_>,
    visibility: &dyn Fn(&TestcaseReport) -> Visibility,
) -> String {
    // Sums over what is held back would tell it.
    let shown = |case: &&TestcaseReport| visibility(case) == Visibility::Visible;
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
        None => bot.testcases.iter().map(|case| test(case, visibility(case))).collect(),
    };
    let points: Points = shown.iter().map(|case| case.points).sum();
    let score: i64 = shown.iter().map(|case| case.score).sum();
    json(&json!({
        "score": bot.points,
        "output": headline(&bot, &shown),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": Visibility::Visible,
        "stdout_visibility": Visibility::Hidden,
        "tests": tests,
        "leaderboard": [
            {"name": "points", "value": points, "order": "desc"},
            {"name": "score", "value": score, "order": "desc"},
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
        "tags": [case.label()],
        "visibility": visibility,
    })
}

/// Text above the testcases, of which `shown` are those that they see.
fn headline(bot: &StudentBot<'_>, shown: &[&TestcaseReport]) -> String {
    let passed = shown.iter().filter(|case| case.verdict == Verdict::Accepted).count();
    let passed = format!("{passed} of {} testcases passed", shown.len());
    match bot.testcases.len() - shown.len() {
        _ if is_owed(bot) => OWED.to_owned(),
        _ if bot.refused.is_some() => "the module was not played".to_owned(),
        0 => passed,
        more => format!("{passed}; {more} more count, and are not shown yet"),
    }
}
