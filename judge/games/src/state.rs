//! The displays of a round in addition to the lines of the protocol, for viewers and for the shell,
//! and the errors of resuming it from text.

use judge_core::{RoundResult, Seat};

use crate::OptionError;

/// The viewer of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Nothing is hidden: replays.
    Everything,
    /// Only the knowledge of the player in this seat.
    Seat(Seat),
}

impl View {
    /// True if the private knowledge of `seat` is shown.
    pub fn sees(self, seat: Seat) -> bool {
        match self {
            View::Everything => true,
            View::Seat(own) => own == seat,
        }
    }
}

/// The score of a round at some moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The result, once the round is over.
    pub outcome: Option<RoundResult>,
    /// The score of both sides if the round ended here, by seat.
    pub scores: [i64; 2],
    /// The terms of the scores: for each a name and the values of both seats.
    pub terms: Vec<Term>,
}

/// One part of a score, such as the buttons of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The name of the term.
    pub name: &'static str,
    /// The value, by seat.
    pub values: [i64; 2],
}

/// A state from which no round can continue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// A rule switch is wrong.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The text is not a state that the rules allow: the first fault and its place.
    #[error("{0}")]
    State(String),
}
