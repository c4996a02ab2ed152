//! Sets up a round: finds its game and starts it, or reports the error.

use judge_core::{Digest, RoundSpec, Seat};
use judge_games::{Game, GameState, OptionError};

/// An error of starting a round. Each is a mistake in the testcase or on the command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Unknown game.
    #[error("unknown game `{name}`: the games are {known}")]
    UnknownGame {
        /// The given name.
        name: String,
        /// The known names.
        known: String,
    },
    /// Unknown reference opponent.
    #[error("unknown opponent `{name}`: {game} has {known}")]
    UnknownOpponent {
        /// The given name.
        name: String,
        /// The game.
        game: &'static str,
        /// The known names.
        known: String,
    },
    /// A trained player in a place for the judge's own opponents.
    #[error(
        "`{name}` cannot play here: its moves depend on a table, which can change or get lost; the \
         opponents of {game} are {known}"
    )]
    TrainedOpponent {
        /// The given name.
        name: String,
        /// The game.
        game: &'static str,
        /// The known names.
        known: String,
    },
    /// A trained player without its table.
    #[error("the table of `{name}` is missing: SHA-256 {sha256}")]
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
        /// The boards of the table and the round.
        why: String,
    },
    /// A person in a round without a terminal or page.
    #[error("a person sits in seat `{seat}`: only `judge play` can ask one")]
    Human {
        /// The person's seat.
        seat: Seat,
    },
    /// A program outside the sandbox in a round that counts.
    #[error("a native program sits in seat `{seat}`: only `judge play --native` runs one")]
    Native {
        /// The program's seat.
        seat: Seat,
    },
    /// An unknown rule switch or an invalid value.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Finds the game of a round and starts it.
///
/// # Errors
/// When the game is unknown, or an option is wrong.
pub fn start(spec: &RoundSpec) -> Result<(&'static dyn Game, Box<dyn GameState>), SetupError> {
    let game = find(&spec.game)?;
    Ok((game, game.start(&spec.options, spec.seed)?))
}

/// The registered game of that name.
///
/// # Errors
/// [`SetupError::UnknownGame`] with the known names.
pub fn find(name: &str) -> Result<&'static dyn Game, SetupError> {
    judge_games::find(name).ok_or_else(|| SetupError::UnknownGame {
        name: name.to_owned(),
        known: list(judge_games::all().iter().map(|game| game.name())),
    })
}

pub(crate) fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
