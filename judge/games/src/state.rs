//! What a match shows of itself beside the lines of the protocol: to eyes, to the shell, and how
//! it is taken up again from text.

use judge_core::{RoundResult, Seat};

use crate::OptionError;

/// Whose eyes look at a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Nothing is hidden: replays.
    Everything,
    /// Only what the player in this seat knows.
    Seat(Seat),
}

impl View {
    /// True if what `seat` alone knows is shown.
    pub fn sees(self, seat: Seat) -> bool {
        match self {
            View::Everything => true,
            View::Seat(own) => own == seat,
        }
    }
}

/// The score of a match at some moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The result, once the match is over.
    pub outcome: Option<RoundResult>,
    /// What both sides would score if it ended here, by seat.
    pub scores: [i64; 2],
    /// What the scores are made of, in words: a name, and the value for each seat.
    pub terms: Vec<Term>,
}

/// One part of a score, such as the buttons of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// What is counted.
    pub name: &'static str,
    /// How much, by seat.
    pub values: [i64; 2],
}

/// A state from which no match can go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// A rule switch is wrong.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The text is no state, or none that the rules allow: the first fault and its place.
    #[error("{0}")]
    State(String),
}
