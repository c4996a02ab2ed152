//! Reads the rounds of a journal one by one, after the run. Only their positions are in memory.

use judge_core::{Digest, RoundSpec, Transcript};
use judge_referee::RoundOutline;

use super::index::RoundOffset;
use super::line::{JournalEntry, JournalRecord, OutlinedEntry};
use super::{Journal, JournalError};

/// Position of a round in a journal.
#[derive(Debug, Clone, Copy)]
pub struct JournalLine(pub(super) RoundOffset);

impl JournalLine {
    /// The line number, counted from 1.
    pub fn number(self) -> u64 {
        self.0.number
    }
}

/// A round as stored in a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRound {
    /// Game, seed, players and limits.
    pub spec: RoundSpec,
    /// Answers and costs of the players.
    pub transcript: Transcript,
    /// Result, length and cost, as the line claims.
    pub outline: RoundOutline,
}

/// A round as stored by other stores than a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRound {
    /// Game, seed, players and limits.
    pub spec: RoundSpec,
    /// Answers and costs of the players.
    pub transcript: Transcript,
    /// Digest of the record that the rules made from the transcript.
    pub digest: Digest,
}

impl Journal {
    /// Positions of the rounds, in the order of play.
    pub fn lines(&self) -> Vec<JournalLine> {
        let mut lines: Vec<JournalLine> =
            self.state().index.rounds.values().copied().map(JournalLine).collect();
        lines.sort_by_key(|line| line.0.offset);
        lines
    }

    /// Reads the round at this position.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn round(&self, line: JournalLine) -> Result<JournalRound, JournalError> {
        let JournalLine(place) = line;
        let entry: JournalEntry<Box<JournalRecord>> = self.entry(place)?;
        let JournalEntry::Round { spec, told, outline, .. } = entry else {
            return Err(self.complaint(line, "it is not a round"));
        };
        let transcript = Transcript::try_from(*told).map_err(|what| self.complaint(line, what))?;
        Ok(JournalRound { spec: *spec, transcript, outline: *outline })
    }

    /// Reads the round at this position without its transcript.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn outlined(&self, line: JournalLine) -> Result<(RoundSpec, RoundOutline), JournalError> {
        let JournalLine(place) = line;
        let entry: OutlinedEntry = self.entry(place)?;
        match entry {
            JournalEntry::Round { spec, outline, .. } => Ok((*spec, *outline)),
            _ => Err(self.complaint(line, "it is not a round")),
        }
    }

    /// An error about the round at this position.
    pub fn complaint(&self, line: JournalLine, what: impl Into<String>) -> JournalError {
        self.damaged(Some(line.0), what.into())
    }
}
