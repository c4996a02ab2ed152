//! Requests of a page.

use judge_core::{Options, Seat};
use serde::Deserialize;

/// A request of a page. In JSON, the key `do` names it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Lists the games with their switches and opponents.
    Games,
    /// Starts a round.
    Start(Start),
    /// Shows the round's current state.
    State,
    /// Answers the current question.
    Answer {
        /// The answer, in the game's notation.
        text: String,
    },
    /// Lists the parts that may follow those chosen so far.
    Choices {
        /// Parts of an answer, in the order in which they were chosen.
        chosen: Vec<String>,
    },
    /// Takes the last answer back.
    Undo,
    /// Repeats the answer that was taken back last.
    Redo,
    /// Resigns.
    Resign,
    /// Writes the round's record.
    Replay,
    /// Checks a record against the rules.
    Verify {
        /// The content of the file with the record.
        text: String,
    },
}

/// A round to start.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Start {
    /// Name of the game.
    pub game: String,
    /// Rule switches that differ from the defaults.
    #[serde(default)]
    pub options: Options,
    /// The seed, in decimal digits; empty if the page does not choose it.
    #[serde(default)]
    pub seed: String,
    /// The person's seat.
    pub seat: Seat,
    /// The name of a reference opponent, or `human` for a second person at the same page. Default:
    /// the weakest reference opponent.
    #[serde(default)]
    pub opponent: Option<String>,
    /// The person's name in the record. Default: `human`.
    #[serde(default)]
    pub name: Option<String>,
}
