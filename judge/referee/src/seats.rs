//! Fills seats with the game's reference opponents.

use judge_core::{Options, Player, Seat, Seed};
use judge_games::{Game, OpponentInfo};

use crate::setup::{SetupError, find, list};

/// The prefix of the names of trained players.
pub const TRAINED: &str = "trained:";

/// The reference opponent of that name, for a seat of a round with that seed.
///
/// # Errors
/// [`SetupError::UnknownOpponent`] with the known names.
pub fn reference(
    game: &dyn Game,
    name: &str,
    seat: Seat,
    seed: Seed,
) -> Result<Box<dyn Player>, SetupError> {
    Ok((opponent(game, name)?.create)(seat, seed))
}

/// The entry of a reference opponent in the game's list.
///
/// # Errors
/// [`SetupError::UnknownOpponent`] with the known names, or
/// [`SetupError::TrainedOpponent`].
pub fn opponent(game: &dyn Game, name: &str) -> Result<&'static OpponentInfo, SetupError> {
    let found = game.opponents().iter().find(|opponent| opponent.name == name);
    found.ok_or_else(|| {
        let (name, game_name) = (name.to_owned(), game.name());
        let known = list(game.opponents().iter().map(|opponent| opponent.name));
        if name.starts_with(TRAINED) {
            return SetupError::TrainedOpponent { name, game: game_name, known };
        }
        SetupError::UnknownOpponent { name, game: game_name, known }
    })
}

/// Checks game, options and reference opponents of a round without playing it.
///
/// # Errors
/// As [`start`](crate::start), and when a reference opponent is unknown.
pub fn check(game: &str, options: &Options, opponent: &str) -> Result<(), SetupError> {
    let found = find(game)?;
    found.start(options, judge_core::Seed(0))?;
    self::opponent(found, opponent).map(|_| ())
}
