//! What a page can ask for.

use judge_core::{Options, Seat};
use serde::Deserialize;

/// A request of a page, as JSON with its name in `do`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Lists the games with their switches and opponents.
    Games,
    /// Begins a round.
    Start(Start),
    /// Shows the round as it stands.
    State,
    /// Answers the question.
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
    /// Gives the answer again that was taken back last.
    Redo,
    /// Gives the round up.
    Resign,
    /// Writes the file of the round.
    Replay,
    /// Checks a file by the rules.
    Verify {
        /// The content of the file.
        text: String,
    },
}

/// A round to begin.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Start {
    /// Name of the game.
    pub game: String,
    /// Rule switches that differ from the defaults.
    #[serde(default)]
    pub options: Options,
    /// The seed, in digits; nothing where it is not the page's to choose.
    #[serde(default)]
    pub seed: String,
    /// The person's seat.
    pub seat: Seat,
    /// A reference opponent, or `human` for another person at the same page; none for the weakest
    /// reference opponent.
    #[serde(default)]
    pub opponent: Option<String>,
    /// What the person is called in the record; none for `human`.
    #[serde(default)]
    pub name: Option<String>,
}
