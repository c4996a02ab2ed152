//! A match from its journal or JSON, added up again.

use std::path::Path;
use std::time::Duration;

use judge_arena::{PairTally, TestEnd};
use serde_json::Value;

use super::report::MatchReport;
use super::{MatchAnswer, text};
use crate::Error;
use crate::contest::{Saved, SavedPair, Starts};
use crate::rounds::source::Source;

/// A match with rounds that were added up again.
pub(crate) struct SavedResult(MatchReport);

impl SavedResult {
    /// Adds the rounds up.
    pub(crate) fn new(path: &Path, source: &Source, saved: &Saved) -> Result<SavedResult, Error> {
        let sprt = saved.sprt(path)?;
        let mut tally = PairTally::default();
        let mut starts = Starts::new(saved.game, &saved.pairing);
        saved.pairs(path, source, &mut |SavedPair { pair, present, .. }| {
            // Nothing counts in a pair that is not there, so its start is not worth finding.
            let start = if present == 0 { pair.number } else { starts.number(pair.number) };
            tally.add(&pair, start);
        })?;
        let end = tally.end(sprt.as_ref()).unwrap_or(TestEnd::Played);
        Ok(SavedResult(MatchReport {
            fingerprint: saved.fingerprint.clone(),
            pairing: saved.pairing.clone(),
            sprt,
            notes: Vec::new(),
            tally,
            end,
            wall: Duration::ZERO,
            workers: 0,
        }))
    }

    /// The answer that it gives.
    pub(crate) fn answer(&self) -> Result<MatchAnswer, Error> {
        self.0.answer()
    }

    /// The table for people.
    pub(crate) fn text(&self) -> String {
        text::table(&self.0)
    }

    /// The document, but for its rows, notes and times.
    pub(crate) fn json(&self) -> Value {
        self.0.json()
    }
}
