//! Testcases as CSV: one row per bot and testcase, for a spreadsheet or a script. If a testcase
//! awards partial points, a last column shows their calculation.

use judge_core::{Blame, BotReport, GradeReport, TestcaseReport};

use crate::text::cell;
use crate::words;

const HEADER: [&str; 17] = [
    "suite",
    "bot",
    "sha256",
    "testcase",
    "game",
    "opponent",
    "seat",
    "verdict",
    "blame",
    "score",
    "min_score",
    "points",
    "max_points",
    "fuel",
    "fuel_limit",
    "peak_memory_bytes",
    "detail",
];

/// Renders all bots.
pub(crate) fn render(report: &GradeReport) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let cases = || report.bots.iter().flat_map(|bot| &bot.testcases);
    let way = cases().any(|case| case.worked_out().is_some());
    let rows = report.bots.iter().flat_map(|bot| rows(&report.suite, bot, way));
    let mut header = HEADER.map(str::to_owned).to_vec();
    header.extend(way.then(|| "worked_out".to_owned()));
    for row in std::iter::once(header).chain(rows) {
        writer.write_record(row).expect("memory takes every row, and all are of one length");
    }
    let bytes = writer.into_inner().expect("memory takes everything");
    String::from_utf8(bytes).expect("made of text")
}

fn rows(suite: &str, bot: &BotReport, way: bool) -> Vec<Vec<String>> {
    let of_bot = [cell(suite), cell(&bot.bot.name), bot.bot.sha256.to_string()];
    let row = |rest: Vec<String>| of_bot.iter().cloned().chain(rest).collect();
    match &bot.refused {
        Some(refused) => {
            let mut rest = vec![String::new(); HEADER.len() - of_bot.len()];
            rest[4] = refused.label().to_owned();
            rest[5] = refused.blame.to_string();
            rest[8] = "0".to_owned();
            rest[9] = bot.max_points.to_string();
            rest[13] = detail(&refused.why.to_string());
            rest.extend(way.then(String::new));
            vec![row(rest)]
        }
        None => bot.testcases.iter().map(|case| row(of_testcase(case, way))).collect(),
    }
}

fn of_testcase(case: &TestcaseReport, way: bool) -> Vec<String> {
    // Empty if the score is not shown.
    let score = |pick: fn([i64; 3]) -> i64| {
        words::score(case).map(|all| pick(all).to_string()).unwrap_or_default()
    };
    let spent = |amount: u64| if case.is_withheld() { String::new() } else { amount.to_string() };
    let mut row = vec![
        cell(&case.name),
        cell(&case.game),
        cell(&case.opponent),
        case.seat.to_string(),
        case.label().to_owned(),
        case.blame.as_ref().map(Blame::to_string).unwrap_or_default(),
        score(|[score, ..]| score),
        score(|[_, needed, _]| needed),
        case.points.to_string(),
        case.max_points.to_string(),
        spent(case.fuel),
        case.limits.fuel.to_string(),
        spent(case.peak_memory_bytes),
        detail(&case.detail),
    ];
    row.extend(way.then(|| cell(&case.worked_out().unwrap_or_default())));
    row
}

/// Puts the detail on a single line, so that the file can be read without a CSV parser.
fn detail(text: &str) -> String {
    cell(&text.replace('\n', " – "))
}
