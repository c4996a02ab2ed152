//! The tables of a tournament: Markdown that can be read as it is, and CSV.

use std::fmt::Write as _;

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use judge_core::printable;

use super::openings::Openings;
use super::standing::{Row, Standing, share};
use super::{Report, words};
use crate::failure::Failure;

/// A cross table of more players is too wide to be read.
const WIDEST: usize = 40;

/// Everything for people.
pub(super) fn markdown(report: &Report<'_>) -> String {
    let standing = &report.standing;
    let setting = words::setting(report.pairing, report.pairs, &report.played);
    let mut text = format!("{}\n\n{}\n", printable(&setting, usize::MAX), ranks(standing));
    paragraph(&mut text, &standing.rating.about(standing.name(0)));
    if standing.rows.len() <= WIDEST {
        let _ = write!(text, "\n{}\n", cross(standing));
    } else {
        paragraph(&mut text, "The cross table is too wide for a text: see `--html` or `--json`.");
    }
    words::seats(&report.openings, report.pairing)
        .iter()
        .for_each(|line| paragraph(&mut text, line));
    if !report.openings.shown.is_empty() {
        let _ = write!(text, "\n{}\n", openings(&report.openings));
    }
    for row in standing.rows.iter().filter(|row| row.faults > 0) {
        paragraph(&mut text, &faults(row));
    }
    for remark in words::remarks(standing, &report.played) {
        paragraph(&mut text, &remark);
    }
    text
}

/// A text that may hold names, as a paragraph of its own.
fn paragraph(text: &mut String, line: &str) {
    let _ = write!(text, "\n{}\n", escaped(line, usize::MAX));
}

fn table(headings: &[String], names: usize) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(headings);
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn ranks(standing: &Standing) -> Table {
    let headings = [
        "",
        "player",
        "rating",
        "score, %",
        "won",
        "drawn",
        "lost",
        "seat 1, %",
        "seat 2, %",
        "faults",
    ];
    let mut table = table(&headings.map(str::to_owned), 2);
    for row in &standing.rows {
        let [won, drawn, lost] = row.results();
        let mut cells =
            vec![row.rank.to_string(), escaped(&row.name, LONGEST), rating(standing, row)];
        cells.push(per_cent(row.score));
        cells.extend([won, drawn, lost].map(|count| count.to_string()));
        cells.extend(row.seats.map(|results| per_cent(share(results))));
        cells.push(row.faults.to_string());
        table.add_row(cells);
    }
    table
}

/// What each player made against each other, in percent of the points.
fn cross(standing: &Standing) -> Table {
    let numbers = (1..=standing.rows.len()).map(|number| number.to_string());
    let headings = ["", "score, % against"].map(str::to_owned).into_iter().chain(numbers);
    let mut table = table(&headings.collect::<Vec<_>>(), 2);
    for (number, row) in (1_usize..).zip(&standing.rows) {
        let scores = standing.rows.iter().map(|other| {
            let share = standing.cross.share(row.player, other.player);
            share.map_or_else(String::new, per_cent)
        });
        let start = [number.to_string(), escaped(&row.name, LONGEST)];
        table.add_row(start.into_iter().chain(scores));
    }
    table
}

fn openings(openings: &Openings) -> Table {
    let headings = ["seed", "seeds alike", "rounds", "seat 1", "interval"];
    let mut table = table(&headings.map(str::to_owned), 0);
    for opening in &openings.shown {
        let share = opening.seat_one;
        table.add_row([
            opening.seed.to_string(),
            opening.seeds.to_string(),
            opening.rounds.to_string(),
            per_cent(share.value),
            format!("{} to {}", per_cent(share.low), per_cent(share.high)),
        ]);
    }
    table
}

/// The first player of the command line has no interval if all others are measured from it.
fn rating(standing: &Standing, Row { player, rating, .. }: &Row) -> String {
    let decimals = standing.rating.decimals();
    let exact = *player == 0 && standing.rating.is_relative();
    let ends = (!exact).then_some([rating.low, rating.high]);
    judge_report::rating_text(rating.value, ends, decimals)
}

fn faults(row: &Row) -> String {
    let kinds: Vec<String> =
        row.kinds.iter().map(|(verdict, count)| format!("{count} × {verdict}")).collect();
    let first = row.first_fault.as_deref().unwrap_or_default();
    let (name, faults, kinds) = (printable(&row.name, LONGEST), row.faults, kinds.join(", "));
    format!("{name} failed in {faults} rounds ({kinds}), first: {}", printable(first, 200))
}

fn per_cent(share: f64) -> String {
    judge_report::per_cent(share, 1)
}

/// A share with four digits after the point; only none and all are 0 and 1.
fn fraction(share: f64) -> String {
    let inner = share.clamp(0.0001, 0.9999);
    format!("{:.4}", if share > 0.0 && share < 1.0 { inner } else { share })
}

/// Most characters of a name.
const LONGEST: usize = 100;

/// A text from outside, in which no cell ends and no tag and no link begins.
fn escaped(text: &str, most: usize) -> String {
    let mut safe = String::new();
    for c in printable(text, most).chars() {
        if matches!(c, '|' | '<' | '[' | '\\') {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}

/// One line a player.
pub(super) fn csv(standing: &Standing) -> Result<String, Failure> {
    let failed = |error: csv::Error| Failure::Judge(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let headings = [
        "rank",
        "player",
        "rating",
        "low",
        "high",
        "score",
        "won",
        "drawn",
        "lost",
        "seat_1",
        "seat_2",
        "faults",
        "ended_early",
        "first_fault",
    ];
    writer.write_record(headings).map_err(failed)?;
    for row in &standing.rows {
        // No spreadsheet shall take a name for a formula.
        let mut cells = vec![row.rank.to_string(), judge_report::cell(&row.name)];
        let rating = [row.rating.value, row.rating.low, row.rating.high];
        let decimals = 1 + standing.rating.decimals();
        cells.extend(rating.map(|points| format!("{points:.decimals$}")));
        cells.push(fraction(row.score));
        cells.extend(row.results().map(|count| count.to_string()));
        cells.extend(row.seats.map(|results| fraction(share(results))));
        cells.extend([row.faults, row.ended_early].map(|count| count.to_string()));
        cells.push(judge_report::cell(row.first_fault.as_deref().unwrap_or_default()));
        writer.write_record(cells).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::Judge(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{escaped, fraction};

    #[test]
    fn shares_are_all_or_nothing_only_where_they_are() {
        let shown = [0.0, 0.00001, 0.5, 0.99999, 1.0].map(fraction);
        assert_eq!(shown, ["0.0000", "0.0001", "0.5000", "0.9999", "1.0000"]);
    }

    #[test]
    fn names_are_names() {
        assert_eq!(escaped("my-bot_2", 100), "my-bot_2");
        assert_eq!(escaped("a|<b>[c](d)\\", 100), "a\\|\\<b>\\[c](d)\\\\");
        assert_eq!(escaped("abc", 2), "ab");
    }
}
