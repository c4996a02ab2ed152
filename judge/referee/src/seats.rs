//! Fills seats with the game's reference opponents.

use judge_core::{Player, Seat, Seed};
use judge_games::{Game, OpponentInfo};

use crate::SetupError;
use crate::play::list;

/// The reference opponent of that name in a seat of a match with that seed.
///
/// # Errors
/// [`SetupError::UnknownOpponent`] with the names that exist.
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
/// [`SetupError::UnknownOpponent`] with the names that exist.
pub fn opponent(game: &dyn Game, name: &str) -> Result<&'static OpponentInfo, SetupError> {
    let found = game.opponents().iter().find(|opponent| opponent.name == name);
    found.ok_or_else(|| SetupError::UnknownOpponent {
        name: name.to_owned(),
        game: game.name(),
        known: list(game.opponents().iter().map(|opponent| opponent.name)),
    })
}
