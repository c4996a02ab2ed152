//! The tables of a tournament: Markdown that can be read as it is, and CSV.

use std::fmt::Write as _;

use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{CellAlignment, Table};
use judge_arena::Pairing;
use judge_core::printable;

use super::Meeting;
use super::standing::{Row, Standing, share};
use crate::failure::Failure;

/// Everything for people.
pub(super) fn markdown(
    pairing: &Pairing,
    pairs: u64,
    standing: &Standing,
    meetings: &[Meeting],
) -> String {
    let mut text = heading(pairing, pairs);
    for table in [ranks(standing), cross(standing, meetings)] {
        let _ = write!(text, "\n{table}\n");
    }
    for row in &standing.rows {
        if let Some(first) = &row.first_fault {
            let name = escaped(&row.name);
            let _ =
                write!(text, "\n{name}: {} faults, the first: {}\n", row.faults, escaped(first));
        }
    }
    let left_out: u64 = meetings.iter().map(|meeting| meeting.tally.left_out).sum();
    if left_out > 0 {
        let _ = write!(text, "\n{left_out} pairs are left out, as the judge failed in them.\n");
    }
    text
}

fn heading(pairing: &Pairing, pairs: u64) -> String {
    let title = judge_games::find(&pairing.game).map_or("", judge_games::Game::title);
    let switches = pairing.options.iter().map(|(key, value)| format!(" {key}={value}"));
    let rules = switches.collect::<String>();
    let (first, last) = (pairing.seed, pairing.seed(pairs.max(1) - 1));
    let line = format!("{title}{rules}, seeds {first} to {last}, each from both seats.");
    printable(&line, usize::MAX) + "\n"
}

fn table(headings: &[String]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(headings);
    for column in table.column_iter_mut().skip(2) {
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
    let mut table = table(&headings.map(str::to_owned));
    for (number, row) in (1_usize..).zip(&standing.rows) {
        let [won, drawn, lost] = row.results();
        let mut cells = vec![number.to_string(), escaped(&row.name), rating(row)];
        cells.push(per_cent(row.score));
        cells.extend([won, drawn, lost].map(|count| count.to_string()));
        cells.extend(row.seats.map(|results| per_cent(share(results))));
        cells.push(row.faults.to_string());
        table.add_row(cells);
    }
    table
}

/// Shares of the points in each meeting: the row's player against the column's, both by rank.
fn cross(standing: &Standing, meetings: &[Meeting]) -> Table {
    let numbers = (1..=standing.rows.len()).map(|number| number.to_string());
    let headings: Vec<String> =
        ["", "score, % against"].map(str::to_owned).into_iter().chain(numbers).collect();
    let mut table = table(&headings);
    for (number, row) in (1_usize..).zip(&standing.rows) {
        let scores = standing
            .rows
            .iter()
            .map(|other| met(meetings, row.player, other.player).map(per_cent).unwrap_or_default());
        let start = [number.to_string(), escaped(&row.name)];
        table.add_row(start.into_iter().chain(scores));
    }
    table
}

/// The share of the points that one player made against another, if they have met.
fn met(meetings: &[Meeting], one: usize, other: usize) -> Option<f64> {
    let find = |players: [usize; 2]| meetings.iter().find(|meeting| meeting.players == players);
    let score = |meeting: &Meeting| share(meeting.tally.table.results());
    find([one, other]).map(score).or_else(|| find([other, one]).map(|meeting| 1.0 - score(meeting)))
}

/// The first player of the command line has no interval: all others are measured from it.
fn rating(Row { player, rating, .. }: &Row) -> String {
    if *player == 0 {
        return "0".to_owned();
    }
    // No `-0`.
    format!("{:.0} ± {:.0}", rating.value.round() + 0.0, rating.high - rating.value)
}

fn per_cent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// A name or a text from outside as the cell of a table.
fn escaped(text: &str) -> String {
    printable(text, 100).replace('|', "\\|")
}

/// One line a player.
pub(super) fn csv(standing: &Standing) -> Result<String, Failure> {
    let failed = |error: csv::Error| Failure::Judge(error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let headings = [
        "rank", "player", "rating", "low", "high", "score", "won", "drawn", "lost", "seat_1",
        "seat_2", "faults",
    ];
    writer.write_record(headings).map_err(failed)?;
    for (number, row) in (1_usize..).zip(&standing.rows) {
        let mut cells = vec![number.to_string(), row.name.clone()];
        let rating = [row.rating.value, row.rating.low, row.rating.high];
        cells.extend(rating.map(|points| format!("{points:.1}")));
        cells.push(format!("{:.4}", row.score));
        cells.extend(row.results().map(|count| count.to_string()));
        cells.extend(row.seats.map(|results| format!("{:.4}", share(results))));
        cells.push(row.faults.to_string());
        writer.write_record(cells).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::Judge(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
