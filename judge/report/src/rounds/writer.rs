//! A table of rounds, written row by row: CSV for spreadsheets, JSON Lines for programs, text
//! columns for people.

use std::io::{self, Write};

use judge_core::{RoundRow, Seat, escaped_json, printable};

use crate::text::{cell, shorten};
use crate::units::fuel_as_ms;

/// Maximum length of a name in the text table.
const WIDEST_NAME: usize = 20;

/// A format of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundFormat {
    /// A header, then a line per round.
    Csv,
    /// A JSON object per round, one per line.
    JsonLines,
    /// Columns for people, with the figures that fit.
    Table,
}

impl RoundFormat {
    /// Returns the format for a file name's extension.
    pub fn of_file(name: &str) -> Option<RoundFormat> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "csv" => Some(RoundFormat::Csv),
            "jsonl" | "ndjson" => Some(RoundFormat::JsonLines),
            _ => None,
        }
    }
}

/// Writes a table.
pub struct RoundWriter<W: Write> {
    format: RoundFormat,
    out: W,
}

impl<W: Write> RoundWriter<W> {
    /// Starts a table, with a header if the format has one.
    ///
    /// # Errors
    /// If the header cannot be written.
    pub fn new(format: RoundFormat, mut out: W) -> io::Result<RoundWriter<W>> {
        match format {
            RoundFormat::Csv => {
                out.write_all(&csv_line(|csv| csv.write_record(RoundRow::COLUMNS))?)?;
            }
            RoundFormat::JsonLines => {}
            RoundFormat::Table => writeln!(out, "{}", heading())?,
        }
        Ok(RoundWriter { format, out })
    }

    /// Writes a row as seen from that seat.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn row(&mut self, row: &RoundRow, seat: Seat) -> io::Result<()> {
        match self.format {
            RoundFormat::Csv => {
                let harmless = harmless(row);
                self.out.write_all(&csv_line(|csv| csv.serialize(&harmless))?)
            }
            RoundFormat::JsonLines => writeln!(self.out, "{}", json_line(row)),
            RoundFormat::Table => writeln!(self.out, "{}", line(row, seat)),
        }
    }

    /// Finishes the table.
    ///
    /// # Errors
    /// If the rest cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn csv_line(
    write: impl FnOnce(&mut csv::Writer<Vec<u8>>) -> csv::Result<()>,
) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    write(&mut writer).map_err(io::Error::other)?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// The row without texts that a spreadsheet would treat as a formula.
fn harmless(row: &RoundRow) -> RoundRow {
    RoundRow {
        opening: cell(&row.opening),
        seat_1: cell(&row.seat_1),
        seat_2: cell(&row.seat_2),
        reason: cell(&row.reason),
        detail: row.detail.as_deref().map(cell),
        ..row.clone()
    }
}

/// The row as JSON without control characters. Such characters occur only in strings.
fn json_line(row: &RoundRow) -> String {
    let json = serde_json::to_string(row).expect("rows hold nothing that JSON cannot");
    escaped_json(&json)
}

fn heading() -> String {
    format!(
        "{:>7} {:>7} {:>19}  {:WIDEST_NAME$}  {:WIDEST_NAME$}  {:6} {:>11} {:>6} {:>10} {:>10}  {}",
        "round",
        "pair",
        "seed",
        "seat 1",
        "seat 2",
        "result",
        "score",
        "plies",
        "time 1",
        "time 2",
        "how it ended"
    )
}

/// A row as the player in that seat sees it.
fn line(row: &RoundRow, seat: Seat) -> String {
    let name = |seat: Seat| {
        let name = printable(row.name(seat), usize::MAX);
        shorten(&name, WIDEST_NAME - 1)
    };
    let time = |fuel: Option<u64>| fuel.map_or_else(|| "–".to_owned(), fuel_as_ms);
    let pair = row.pair.map_or_else(|| "–".to_owned(), |pair| pair.to_string());
    format!(
        "{:>7} {pair:>7} {:>19}  {:WIDEST_NAME$}  {:WIDEST_NAME$}  {:6} {:>11} {:>6} {:>10} {:>10}  {}",
        row.round,
        row.seed.0,
        name(Seat::One),
        name(Seat::Two),
        row.result_for(seat).label(),
        format!("{}:{}", row.score_1, row.score_2),
        row.plies,
        time(row.fuel_1),
        time(row.fuel_2),
        how(row)
    )
}

/// The end of a round in one line, with the seat that failed.
pub(crate) fn how(row: &RoundRow) -> String {
    let text = match (row.fault, row.blame.map(judge_core::Culprit::seat), &row.detail) {
        (Some(verdict), Some(Some(seat)), Some(detail)) => {
            format!("{verdict}, seat {seat}: {detail}")
        }
        (Some(verdict), _, Some(detail)) => format!("{verdict}: {detail}"),
        _ => row.reason.clone(),
    };
    let counts = if row.counts { "" } else { " (does not count)" };
    let first = text.lines().next().unwrap_or_default();
    shorten(&printable(first, usize::MAX), 120) + counts
}

#[cfg(test)]
mod tests {
    use judge_core::{Culprit, Verdict};

    use super::*;
    use crate::test_data::samples::round_row;

    fn written(format: RoundFormat, rows: &[RoundRow]) -> String {
        let mut out = Vec::new();
        let mut writer = RoundWriter::new(format, &mut out).expect("room");
        rows.iter().for_each(|row| writer.row(row, row.a).expect("room"));
        writer.finish().expect("room");
        String::from_utf8(out).expect("text")
    }

    fn rows() -> [RoundRow; 2] {
        let mut failed = round_row(2, Seat::Two, [0, 1]);
        failed.fault = Some(Verdict::RuntimeError);
        failed.blame = Some(Culprit::SeatOne);
        failed.detail = Some("a trap,\n\"quoted\"".to_owned());
        failed.counts = false;
        [round_row(1, Seat::One, [5, -2]), failed]
    }

    #[test]
    fn each_form_has_a_row_for_each_round() {
        let forms = [RoundFormat::Csv, RoundFormat::JsonLines, RoundFormat::Table];
        insta::assert_snapshot!(forms.map(|form| written(form, &rows())).join("\n"));
    }

    #[test]
    fn written_rows_read_back() {
        let text = written(RoundFormat::JsonLines, &rows());
        let read: Vec<RoundRow> =
            text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
        assert_eq!(read, rows());
        let text = written(RoundFormat::Csv, &rows());
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().expect("a line"), &RoundRow::COLUMNS[..]);
        assert_eq!(reader.records().filter(Result::is_ok).count(), 2);
    }

    #[test]
    fn names_in_tables_are_escaped() {
        let mut row = round_row(1, Seat::One, [1, 0]);
        row.seat_1 = "=1+1\u{202e}\u{1b}[2J".to_owned();
        let csv = written(RoundFormat::Csv, std::slice::from_ref(&row));
        assert!(csv.contains(",'=1+1\\u{202e}\u{fffd}[2J,"), "{csv}");
        let json = written(RoundFormat::JsonLines, std::slice::from_ref(&row));
        assert!(json.contains(r#""seat_1":"=1+1\u202e\u001b[2J""#), "{json}");
        assert_eq!(serde_json::from_str::<RoundRow>(json.trim()).expect("a row"), row);
        let table = written(RoundFormat::Table, &[row]);
        assert!(!table.contains(['\u{202e}', '\u{1b}']), "{table}");
    }

    #[test]
    fn the_ending_of_a_file_chooses_the_format() {
        let of = RoundFormat::of_file;
        assert_eq!(
            [of("a.csv"), of("b/c.JSONL")],
            [Some(RoundFormat::Csv), Some(RoundFormat::JsonLines)]
        );
        assert_eq!([of("a.json"), of("csv")], [None; 2]);
    }
}
