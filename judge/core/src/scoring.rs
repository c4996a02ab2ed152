//! The scoring of a ladder or tournament: the part of a round that ranks players.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The part of a round's outcome that counts towards ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scoring {
    /// Only the winner: each round is won, drawn or lost.
    #[default]
    Result,
    /// The difference of both scores.
    Score,
}

/// An error of parsing: the word names no scoring.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown scoring `{0}`\nhint: write `result` or `score`")]
pub struct UnknownScoring(String);

impl Scoring {
    /// Both kinds.
    pub const ALL: [Scoring; 2] = [Scoring::Result, Scoring::Score];

    /// The word in files, options and addresses.
    pub fn name(self) -> &'static str {
        match self {
            Scoring::Result => "result",
            Scoring::Score => "score",
        }
    }
}

impl fmt::Display for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scoring {
    type Err = UnknownScoring;

    fn from_str(word: &str) -> Result<Scoring, UnknownScoring> {
        let found = Scoring::ALL.into_iter().find(|one| one.name() == word);
        found.ok_or_else(|| UnknownScoring(crate::printable(word, 40)))
    }
}
