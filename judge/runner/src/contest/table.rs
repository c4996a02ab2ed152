//! The rows of a run in progress. They are stored in a file until their order is known, because
//! meetings run at the same time.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use judge_arena::{Pair, PairRound, Pairing, RowPlace};
use judge_core::{RoundRow, Seat};
use judge_report::{RoundFormat, RoundWriter, Worst};
use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Serialize, Serializer};

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

    /// Adds the next pair of a meeting, counted from 0. The rounds start with `opening`, or with
    /// that of their seed.
    pub(crate) fn take(
        &mut self,
        meeting: usize,
        pairing: &Pairing,
        pair: &Pair,
        opening: Option<String>,
    ) -> io::Result<()> {
        let rows = rows(meeting, pairing, pair, opening);
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

    /// Reads all rows, in the order of the schedule.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Result<RoundRow, Error>> {
        let mut before = 0;
        let pairs = self.meetings.iter().flat_map(move |pairs| {
            let first = before;
            before += 2 * pairs.len() as u64;
            pairs.iter().map(move |place| (first, *place))
        });
        pairs.flat_map(|(before, place)| match self.pair(place) {
            Ok(rows) => {
                Vec::from(rows.map(|row| Ok(RoundRow { round: row.round + before, ..row })))
            }
            Err(error) => vec![Err(error)],
        })
    }

    /// Reads the rows of a pair, numbered within their meeting.
    fn pair(&self, (at, length): (u64, usize)) -> Result<[RoundRow; 2], Error> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(at))?;
        let mut bytes = vec![0; length];
        file.read_exact(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes).map_err(io::Error::from)?)
    }

    /// Writes the table to a file, in the format of its extension.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        let format = format_of(path)?;
        files::streamed(path, &mut |out| {
            let mut writer = RoundWriter::new(format, out)?;
            for row in self.rows() {
                let row = row?;
                writer.row(&row, row.a)?;
            }
            Ok(writer.finish()?)
        })
    }

    /// Returns the worst rounds of A, worst first.
    pub(crate) fn worst(&self, most: usize) -> Result<Vec<RoundRow>, Error> {
        let mut worst = Worst::new(most);
        for row in self.rows() {
            let row = row?;
            worst.take(&row, row.a);
        }
        Ok(worst.into_rows())
    }
}

/// The rows of a run in its JSON, in the order of the schedule; null if there are too many. They are
/// then in the journal or in the table of rounds.
pub struct Rows(pub(super) RoundTable);

impl Serialize for Rows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_rows(self.0.len(), self.0.rows(), serializer)
    }
}

/// As [`Rows`], for a finished run.
pub(crate) struct SavedRows<'a>(pub(crate) &'a Source);

impl Serialize for SavedRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_rows(self.0.len() as u64, self.0.rows(), serializer)
    }
}

fn serialize_rows<S: Serializer>(
    count: u64,
    rows: impl Iterator<Item = Result<RoundRow, Error>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if count > MOST_IN_JSON {
        return serializer.serialize_none();
    }
    let mut list = serializer.serialize_seq(None)?;
    for row in rows {
        list.serialize_element(&row.map_err(S::Error::custom)?)?;
    }
    list.end()
}

/// A run's document with its rows.
#[derive(Serialize)]
pub(crate) struct WithRows<D, R> {
    #[serde(flatten)]
    pub(crate) document: D,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rows: Option<R>,
}

/// The two rows of a pair, numbered within the meeting.
fn rows(meeting: usize, pairing: &Pairing, pair: &Pair, opening: Option<String>) -> [RoundRow; 2] {
    let counts = !pair.rounds.iter().any(PairRound::is_judge_error);
    let opening = opening.unwrap_or_else(|| opening_of(pairing, pair.number, Seat::One));
    let row = |round| row_from(opening.clone(), meeting, pairing, pair.number, round);
    pair.rounds.each_ref().map(row).map(|row| RoundRow { counts, ..row })
}

/// The row of a round, numbered within the meeting.
pub(crate) fn row(meeting: usize, pairing: &Pairing, pair: u64, round: &PairRound) -> RoundRow {
    row_from(opening_of(pairing, pair, round.seat), meeting, pairing, pair, round)
}

/// The opening of the pair's seed.
fn opening_of(pairing: &Pairing, pair: u64, seat: Seat) -> String {
    judge_referee::opening(&pairing.job(pair, seat).spec).unwrap_or_default()
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

/// The format for a file's extension.
pub(super) fn format_of(path: &Path) -> Result<RoundFormat, Error> {
    RoundFormat::of_file(&path.to_string_lossy()).ok_or_else(|| {
        let what = format!("`{}`: the name must end in `.csv` or `.jsonl`", path.display());
        Error::usage(what, "`--rounds-to FILE.csv` or `--rounds-to FILE.jsonl`")
    })
}
