//! The rows of a run in progress. They are stored in a file until their order is known, because
//! meetings run at the same time.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use judge_arena::{Pair, PairRound, Pairing, RowPlace};
use judge_core::{RoundRow, Seat};
use judge_report::{RoundFormat, RoundWriter, Worst};
use serde::Serialize;
use serde_json::{Value, json};

use crate::Error;
use crate::base::files;
use crate::rounds::source::Source;

/// Maximum number of rounds with rows in a run's JSON.
const MOST_IN_JSON: u64 = 20_000;

/// Rows in the order of arrival, with the position of each pair's rows.
pub(crate) struct RoundTable {
    file: File,
    end: u64,
    /// The position and length of each pair's rows, by meeting.
    meetings: Vec<Vec<(u64, usize)>>,
}

impl RoundTable {
    /// Creates an empty table in an unnamed temporary file.
    pub(crate) fn new() -> Result<RoundTable, Error> {
        Ok(RoundTable { file: tempfile::tempfile()?, end: 0, meetings: Vec::new() })
    }

    /// Adds the next pair of a meeting, counted from 0.
    pub(crate) fn take(
        &mut self,
        meeting: usize,
        pairing: &Pairing,
        pair: &Pair,
    ) -> io::Result<()> {
        let rows = rows(meeting, pairing, pair);
        let mut bytes = serde_json::to_vec(&rows)?;
        bytes.push(b'\n');
        self.file.write_all(&bytes)?;
        if self.meetings.len() <= meeting {
            self.meetings.resize_with(meeting + 1, Vec::new);
        }
        self.meetings[meeting].push((self.end, bytes.len()));
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Number of rounds.
    pub(crate) fn len(&self) -> u64 {
        self.meetings.iter().map(|pairs| 2 * pairs.len() as u64).sum()
    }

    /// Passes all rows to the caller, in the order of the schedule.
    pub(crate) fn each(
        &self,
        listen: &mut dyn FnMut(&RoundRow) -> io::Result<()>,
    ) -> Result<(), Error> {
        let mut file = &self.file;
        let mut before = 0;
        for pairs in &self.meetings {
            for (at, length) in pairs {
                file.seek(SeekFrom::Start(*at))?;
                let mut bytes = vec![0; *length];
                file.read_exact(&mut bytes)?;
                let rows: [RoundRow; 2] =
                    serde_json::from_slice(&bytes).map_err(io::Error::from)?;
                for mut row in rows {
                    row.round += before;
                    listen(&row)?;
                }
            }
            before += 2 * pairs.len() as u64;
        }
        Ok(())
    }

    /// Writes the table to a file, in the format of its extension.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        let format = format_of(path)?;
        files::streamed(path, &mut |out| {
            let mut writer = RoundWriter::new(format, out)?;
            self.each(&mut |row| writer.row(row, row.a))?;
            Ok(writer.finish()?)
        })
    }

    /// Returns the rows for the JSON of a run.
    pub(crate) fn rows(&self) -> Result<Rows, Error> {
        if self.len() > MOST_IN_JSON {
            return Ok(Rows::TooMany);
        }
        let mut rows = Vec::new();
        self.each(&mut |row| {
            rows.push(row.clone());
            Ok(())
        })?;
        Ok(Rows::All(rows))
    }

    /// Returns the worst rounds of A, worst first.
    pub(crate) fn worst(&self, most: usize) -> Result<Vec<RoundRow>, Error> {
        let mut worst = Worst::new(most);
        self.each(&mut |row| {
            worst.take(row, row.a);
            Ok(())
        })?;
        Ok(worst.into_rows())
    }
}

/// The rows of a run in its JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Rows {
    /// All rows, in the order of the schedule.
    All(Vec<RoundRow>),
    /// No rows, because there are too many. They are in the journal or in the table of rounds.
    TooMany,
}

/// The two rows of a pair, numbered within the meeting.
fn rows(meeting: usize, pairing: &Pairing, pair: &Pair) -> [RoundRow; 2] {
    let counts = !pair.rounds.iter().any(PairRound::is_judge_error);
    let [one, two] = &pair.rounds;
    let first = row(meeting, pairing, pair.number, one);
    let opening = first.opening.clone();
    let second = row_from(opening, meeting, pairing, pair.number, two);
    [first, second].map(|row| RoundRow { counts, ..row })
}

/// The row of a round, numbered within the meeting.
pub(crate) fn row(meeting: usize, pairing: &Pairing, pair: u64, round: &PairRound) -> RoundRow {
    let opening = judge_referee::opening(&pairing.job(pair, round.seat).spec);
    row_from(opening.unwrap_or_default(), meeting, pairing, pair, round)
}

fn row_from(
    opening: String,
    meeting: usize,
    pairing: &Pairing,
    pair: u64,
    round: &PairRound,
) -> RoundRow {
    let place = RowPlace {
        round: round_number(pair, round.seat),
        meeting: meeting as u64 + 1,
        pair: Some(pair + 1),
        opening,
        counts: !round.is_judge_error(),
    };
    judge_arena::row(place, &pairing.job(pair, round.seat).spec, round)
}

/// The number, within its meeting, of that pair's round in which A has this seat.
pub(crate) fn round_number(pair: u64, seat: Seat) -> u64 {
    2 * pair + seat.index() as u64 + 1
}

/// The position of a row's round.
pub(crate) fn place_of(row: &RoundRow) -> RowPlace {
    RowPlace {
        round: row.round,
        meeting: row.meeting,
        pair: row.pair,
        opening: row.opening.clone(),
        counts: row.counts,
    }
}

/// The rows of a finished run for its JSON; none if there are too many.
pub(crate) fn rows_for_json(source: &Source) -> Result<Value, Error> {
    if source.len() as u64 > MOST_IN_JSON {
        return Ok(Value::Null);
    }
    let rows = source.rows().map(|row| Ok(json!(row?)));
    Ok(Value::Array(rows.collect::<Result<_, Error>>()?))
}

/// The format for a file's extension.
pub(super) fn format_of(path: &Path) -> Result<RoundFormat, Error> {
    RoundFormat::of_file(&path.to_string_lossy()).ok_or_else(|| {
        let what = format!("`{}`: the name must end in `.csv` or `.jsonl`", path.display());
        Error::usage(what, "`--rounds-to FILE.csv` or `--rounds-to FILE.jsonl`")
    })
}
