//! The table of a run's rounds, filtered, as CSV, JSON Lines or text.

pub(crate) mod board_marks;
pub mod check_bot;
pub(crate) mod course_folder;
pub mod diff;
pub mod explain;
pub mod graded_rounds;
pub mod play;
pub mod profile;
pub mod replay;
pub(crate) mod rerun;
pub(crate) mod round_html;
pub(crate) mod round_pages;
pub(crate) mod round_text;
pub(crate) mod source;
pub(crate) mod stack_trace;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use judge_core::{RoundRow, Seat};
use judge_report::{RoundFilter, RoundFormat, RoundWriter, Worst};

use crate::Error;
use crate::rounds::source::Source;

/// Number of players to name when one is not found.
const NAMED: usize = 8;

/// A listing of rounds.
#[derive(Debug, Clone)]
pub struct Request {
    /// A journal, the folder of a course, or the JSON of a match or tournament.
    pub file: PathBuf,
    /// Filter of the rounds.
    pub filter: RoundFilter,
    /// The maximum number of rounds, the worst ones first; none for all in order.
    pub worst: Option<u64>,
}

/// Rounds to list. They are read one by one during output.
pub struct Outcome {
    source: Source,
    filter: RoundFilter,
    worst: Option<u64>,
}

/// Opens the rounds of a run.
///
/// # Errors
/// If the file has no rounds, or cannot be read.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    let source = Source::read(&request.file)?;
    Ok(Outcome { source, filter: request.filter.clone(), worst: request.worst })
}

impl Outcome {
    /// A remark, if rounds may be missing or duplicate.
    pub fn remark(&self) -> Option<String> {
        self.source.remark()
    }

    /// Writes the rounds, and returns their number.
    ///
    /// # Errors
    /// If a player of the filter is in no round, or a round cannot be read or written.
    pub fn write(&self, format: RoundFormat, out: &mut dyn Write) -> Result<u64, Error> {
        match self.worst {
            Some(most) => {
                let rows = worst(&self.source, &self.filter, most)?;
                write(format, out, rows.into_iter().map(Ok))
            }
            None => write(format, out, wanted(&self.source, &self.filter)?),
        }
    }
}

/// The worst selected rounds, with the seats that they are seen from.
pub(crate) fn worst(
    source: &Source,
    filter: &RoundFilter,
    most: u64,
) -> Result<Vec<(RoundRow, Seat)>, Error> {
    let mut worst = Worst::new(usize::try_from(most).unwrap_or(usize::MAX));
    for found in wanted(source, filter)? {
        let (row, seat) = found?;
        worst.take(&row, seat);
    }
    let rows = worst.into_rows();
    Ok(rows.into_iter().filter_map(|row| filter.seat(&row).map(|seat| (row, seat))).collect())
}

type Found = Result<(RoundRow, Seat), Error>;

/// The selected rounds, one by one. A player without a round is an error.
fn wanted<'a>(
    source: &'a Source,
    filter: &'a RoundFilter,
) -> Result<impl Iterator<Item = Found> + 'a, Error> {
    for player in [&filter.player, &filter.against].into_iter().flatten() {
        refuse_stranger(source, player)?;
    }
    Ok(source.rows().filter_map(|row| match row {
        Ok(row) => filter.seat(&row).map(|seat| Ok((row, seat))),
        Err(failure) => Some(Err(failure)),
    }))
}

fn refuse_stranger(source: &Source, player: &str) -> Result<(), Error> {
    let filter = RoundFilter { player: Some(player.to_owned()), ..RoundFilter::default() };
    let mut names = BTreeSet::new();
    for row in source.rows() {
        let row = row?;
        if filter.seat(&row).is_some() {
            return Ok(());
        }
        names.extend(Seat::BOTH.map(|seat| row.name(seat).to_owned()));
    }
    let more = if names.len() > NAMED { " and others" } else { "" };
    let names: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let what = format!("`{player}` plays in none of these rounds");
    let hint =
        format!("the players are {}{more}; or give the digits of a SHA-256", names.join(", "));
    Err(Error::usage(what, hint))
}

fn write(
    format: RoundFormat,
    out: &mut dyn Write,
    rows: impl Iterator<Item = Found>,
) -> Result<u64, Error> {
    let mut writer = RoundWriter::new(format, out)?;
    let mut count = 0;
    for found in rows {
        let (row, seat) = found?;
        writer.row(&row, seat)?;
        count += 1;
    }
    writer.finish()?;
    Ok(count)
}
