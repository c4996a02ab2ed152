//! A match from its journal or JSON, with its figures computed again.

use std::path::Path;
use std::time::Duration;

use judge_arena::{PairTally, TestEnd};
use serde_json::Value;

use super::report::MatchReport;
use super::{MatchAnswer, text};
use crate::Error;
use crate::contest::{Saved, SavedPair, Starts};
use crate::rounds::source::Source;

/// A match after its rounds were counted again.
pub(crate) struct SavedResult(MatchReport);

impl SavedResult {
    /// Counts the rounds.
    pub(crate) fn new(path: &Path, source: &Source, saved: &Saved) -> Result<SavedResult, Error> {
        let sprt = saved.sprt(path)?;
        let mut tally = PairTally::default();
        let mut starts = Starts::new(saved.game, &saved.pairing);
        saved.pairs(path, source, &mut |SavedPair { pair, present, .. }| {
            // A missing pair does not count, so its start is not needed.
            let start = if present == 0 { pair.number } else { starts.number(pair.number) };
            tally.add(&pair, start);
        })?;
        let end = tally.end(sprt.as_ref()).unwrap_or(TestEnd::Played);
        Ok(SavedResult(MatchReport {
            fingerprint: saved.fingerprint.clone(),
            pairing: saved.pairing.clone(),
            sprt,
            start: None,
            notes: Vec::new(),
            tally,
            end,
            wall: Duration::ZERO,
            workers: 0,
        }))
    }

    /// Returns the decision.
    pub(crate) fn answer(&self) -> Result<MatchAnswer, Error> {
        self.0.answer()
    }

    /// Formats the table for people.
    pub(crate) fn text(&self) -> String {
        text::table(&self.0)
    }

    /// Returns the document without rows, notes and times.
    pub(crate) fn json(&self) -> Value {
        self.0.json()
    }
}
