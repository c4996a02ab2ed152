//! Sets a round up: finds its game and starts it, or reports the error.

use judge_core::{Digest, RoundSpec, Seat};
use judge_games::{Game, GameState, OptionError};

/// A match that cannot begin. Each is a mistake in the testcase or on the command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// No such game.
    #[error("unknown game `{name}`: there is {known}")]
    UnknownGame {
        /// The name that was given.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// No such reference opponent.
    #[error("unknown opponent `{name}`: {game} has {known}")]
    UnknownOpponent {
        /// The name that was given.
        name: String,
        /// The game.
        game: &'static str,
        /// The names that exist.
        known: String,
    },
    /// A trained player where only the judge's own opponents can sit.
    #[error(
        "`{name}` cannot sit here: its moves depend on a table, which can change or get lost; the \
         opponents of {game} are {known}"
    )]
    TrainedOpponent {
        /// The name that was given.
        name: String,
        /// The game.
        game: &'static str,
        /// The names that exist.
        known: String,
    },
    /// A trained player without its table.
    #[error("the table of `{name}` is not at hand: SHA-256 {sha256}")]
    NoTable {
        /// The player's name.
        name: String,
        /// Hash of the table.
        sha256: Digest,
    },
    /// A trained player with a table for another board.
    #[error("`{name}`: {why}")]
    OtherBoard {
        /// The player's name.
        name: String,
        /// The boards of the table and of the round.
        why: String,
    },
    /// A person in a round without a terminal or page.
    #[error("a person sits in seat `{seat}`: only `judge play` can ask one")]
    Human {
        /// The person's seat.
        seat: Seat,
    },
    /// A rule switch that does not exist or cannot be set so.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Looks the game of a match up and sets it up.
///
/// # Errors
/// When there is no such game, or an option is wrong.
pub fn start(spec: &RoundSpec) -> Result<(&'static dyn Game, Box<dyn GameState>), SetupError> {
    let game = find(&spec.game)?;
    Ok((game, game.start(&spec.options, spec.seed)?))
}

/// The registered game of that name.
///
/// # Errors
/// [`SetupError::UnknownGame`] with the names that exist.
pub fn find(name: &str) -> Result<&'static dyn Game, SetupError> {
    judge_games::find(name).ok_or_else(|| SetupError::UnknownGame {
        name: name.to_owned(),
        known: list(judge_games::all().iter().map(|game| game.name())),
    })
}

pub(crate) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
