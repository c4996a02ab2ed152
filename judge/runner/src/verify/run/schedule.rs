//! The check of a run's meetings and pairs against those that its own rules require.

use std::path::Path;

use judge_arena::RunKind;
use judge_core::RoundRow;

use super::super::{CheckStop, FirstProblem};
use super::missing::Missing;
use super::progress::Progress;
use super::{meetings, swiss};
use crate::Error;
use crate::base::shard::Shard;
use crate::contest::tournament::{Fixture, Format};
use crate::contest::{Saved, SavedPairs};
use crate::rounds::source::Source;

/// Reads the rows of a finished run in order, and finds its missing rounds.
pub(super) struct Schedule<'a> {
    saved: &'a Saved,
    kind: RunKind,
    format: Format,
    pairs: SavedPairs<'a>,
    progress: Progress<'a>,
}

impl<'a> Schedule<'a> {
    /// Returns the schedule of a run; fails if its meetings do not fit its players.
    pub(super) fn new(
        path: &Path,
        source: &Source,
        saved: &'a Saved,
    ) -> Result<Schedule<'a>, CheckStop> {
        let (kind, format) = (source.kind(), format(source, saved)?);
        if let Some(expected) = fixtures(kind, format, shard(source)?, saved)? {
            meetings::check(saved, &expected)?;
        }
        let pairs = SavedPairs::new(path, saved);
        let progress = Progress::new(saved, saved.sprt(path)?);
        Ok(Schedule { saved, kind, format, pairs, progress })
    }

    /// Adds the next row.
    pub(super) fn take(&mut self, row: &RoundRow) -> Result<(), Error> {
        let progress = &mut self.progress;
        self.pairs.take(row, &mut |pair| progress.take(&pair))
    }

    /// Fails if the pairs do not fit such a run, otherwise returns the missing ones.
    pub(super) fn finish(self) -> Result<Missing, CheckStop> {
        let Schedule { saved, kind, format, pairs, mut progress } = self;
        pairs.finish(&mut |pair| progress.take(&pair));
        let planned = planned(saved, kind);
        for (number, note) in saved.meetings.iter().enumerate() {
            progress.check_end(number, note.pairs, planned)?;
        }
        if (kind, format) == (RunKind::Tournament, Format::Swiss) {
            swiss::check(saved, &progress, planned)?;
        }
        Ok(progress.into_missing())
    }
}

/// Checks all rows of a run.
pub(super) fn check(path: &Path, source: &Source, saved: &Saved) -> Result<Missing, CheckStop> {
    let mut schedule = Schedule::new(path, source, saved)?;
    for row in source.rows() {
        schedule.take(&row?)?;
    }
    schedule.finish()
}

/// The rule for pairing players. For a match it is irrelevant.
fn format(source: &Source, saved: &Saved) -> Result<Format, FirstProblem> {
    if source.kind() == RunKind::Match {
        return Ok(Format::RoundRobin);
    }
    let format = serde_json::from_value(saved.asked["format"].clone());
    format.map_err(|_| FirstProblem::new("format", "not a format of tournaments"))
}

/// The part of a tournament that a journal covers.
pub(super) fn shard(source: &Source) -> Result<Option<Shard>, FirstProblem> {
    let Source::Journal(collection) = source else { return Ok(None) };
    let shard = &collection.plan()["shard"];
    if shard.is_null() {
        return Ok(None);
    }
    let parsed = shard.as_str().and_then(|text| text.parse().ok());
    parsed.map(Some).ok_or_else(|| FirstProblem::new("shard", "not a part of a tournament"))
}

/// The required meetings; none if they depend on results.
fn fixtures(
    kind: RunKind,
    format: Format,
    shard: Option<Shard>,
    saved: &Saved,
) -> Result<Option<Vec<Fixture>>, FirstProblem> {
    if kind == RunKind::Match && saved.seats.len() != 2 {
        return Err(FirstProblem::new("players", "a match has two players"));
    }
    if kind != RunKind::Match && format == Format::Swiss {
        return Ok(None);
    }
    let all = format.fixtures(saved.seats.len()).into_iter().enumerate();
    let own = all.filter(|(number, _)| shard.is_none_or(|shard| shard.takes(*number)));
    Ok(Some(own.map(|(_, fixture)| fixture).collect()))
}

/// The number of pairs of each meeting that does not end early: the requested number, or else the
/// largest number of any meeting. A match itself says how many it has.
fn planned(saved: &Saved, kind: RunKind) -> u64 {
    let asked = saved.asked["rounds"].as_u64().filter(|_| kind == RunKind::Tournament);
    let most = saved.meetings.iter().map(|note| note.pairs).max().unwrap_or(0);
    asked.map_or(most, |rounds| rounds / 2)
}
