//! The rounds of testcases for people: opponent, number, and cost of a round.

use comfy_table::{Cell, Table};
use judge_core::{BotReport, TestcaseReport};

use crate::text_table::{align_right, new_table, shown};
use crate::units::{fuel_as_ms, percent};

const HEADER: [&str; 6] =
    ["testcase", "opponent", "rounds", "worst score", "time a round", "longest round"];

/// Returns a table of the testcases with visible rounds.
pub(crate) fn table(report: &BotReport) -> Table {
    let mut table = new_table();
    table.set_header(HEADER);
    for case in report.testcases.iter().filter(|case| !case.is_withheld()) {
        table.add_row(row(case).map(Cell::new));
    }
    align_right(&mut table, 2..HEADER.len());
    table
}

fn row(case: &TestcaseReport) -> [String; 6] {
    let rounds = &case.rounds;
    // A round that was not played has no outcome.
    let played = rounds.iter().filter(|round| round.outcome.is_some()).count().max(1);
    let longest = rounds.iter().map(|round| round.fuel).max().unwrap_or(0);
    let worst = rounds.iter().map(|round| round.score).min().unwrap_or(0);
    [
        shown(&case.name),
        shown(&case.opponent),
        rounds.len().to_string(),
        worst.to_string(),
        fuel_as_ms(case.fuel / played as u64),
        format!("{} ({})", fuel_as_ms(longest), percent(longest, case.limits.fuel)),
    ]
}
