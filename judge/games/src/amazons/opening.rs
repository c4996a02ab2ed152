//! The random opening: without it, two players without luck would play the same game each round.

use judge_core::{Purpose, Random, Seed};

use super::Position;

/// Number of times that an opening is drawn before the round starts without one.
const ATTEMPTS: u32 = 100;

/// The position after so many staged random plies (see [`Position::staged_move`]) drawn from the
/// stream [`Purpose::Opening`]. An opening after which the side on turn cannot move would decide
/// the round: it is dropped, and the next one is drawn from the same stream, up to 100 times; then
/// the round begins at the start itself.
pub fn opened(start: &Position, plies: u8, seed: Seed) -> Position {
    let mut random = seed.random(Purpose::Opening);
    (0..ATTEMPTS).find_map(|_| attempt(start, plies, &mut random)).unwrap_or_else(|| start.clone())
}

fn attempt(start: &Position, plies: u8, random: &mut Random) -> Option<Position> {
    let mut position = start.clone();
    for _ in 0..plies {
        let chosen = position.staged_move(random)?;
        position.play_unchecked(chosen);
    }
    position.can_move().then_some(position)
}
