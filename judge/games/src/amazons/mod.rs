//! The Game of the Amazons: move an amazon like a queen, burn a square with its arrow, and be the
//! last side able to move.
//!
//! The rules and messages as contestants see them are in this folder's `README.md`. A bot in Rust
//! can build on [`Position`], [`Territory`] and [`estimate`]: the referee's own code.

mod knowledge;
mod learning;
mod notation;
mod occupancy;
mod opening;
mod opponents;
mod options;
mod perft;
mod position;
mod render;
mod round;
mod square;
mod standing;
mod state;
mod svg;
mod territory;
#[cfg(feature = "vectors")]
mod vectors;

#[cfg(test)]
mod tests;

use judge_core::{Options, Seed};

use crate::{Game, GameState, Learner, OpponentInfo, OptionError, OptionInfo, ResumeError};

pub use notation::{NotationError, Place};
pub use occupancy::{Reach, Squares};
pub use opening::opened;
pub use perft::perft;
pub use position::{Move, MoveError, Position, Side};
pub use round::Round;
pub use square::{Direction, MAX_SIZE, MIN_SIZE, Square, SquareSet};
pub use territory::{Territory, estimate, reached_first};

/// The Game of the Amazons in the registry.
pub struct Amazons;

/// The registry entry.
pub static GAME: Amazons = Amazons;

impl Game for Amazons {
    fn name(&self) -> &'static str {
        "amazons"
    }

    fn title(&self) -> &'static str {
        "Game of the Amazons"
    }

    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("no move", "the side to move cannot move, and has lost"),
            ("forfeit", "a player failed, so the other side wins"),
        ]
    }

    fn summary(&self) -> &'static str {
        "queens move and shoot arrows that burn squares; the player who moves last wins"
    }

    fn options(&self) -> &'static [OptionInfo] {
        &options::OPTIONS
    }

    fn opponents(&self) -> &'static [OpponentInfo] {
        &opponents::OPPONENTS
    }

    fn learner(&self) -> Option<&'static dyn Learner> {
        Some(&learning::LEARNER)
    }

    /// A win.
    fn max_score(&self, _options: &Options) -> Option<i64> {
        Some(1)
    }

    fn start(&self, options: &Options, seed: Seed) -> Result<Box<dyn GameState>, OptionError> {
        crate::game::check_keys(self, options)?;
        let setup = options::parse(options)?;
        Ok(Box::new(Round::new(setup, seed)))
    }

    fn resume(
        &self,
        options: &Options,
        _seed: Seed,
        state: &str,
    ) -> Result<Box<dyn GameState>, ResumeError> {
        crate::game::check_keys(self, options)?;
        Ok(Box::new(state::resume(options, state)?))
    }

    #[cfg(feature = "vectors")]
    fn check_vector(&self, vector: &serde_json::Value) -> Result<(), crate::vectors::VectorError> {
        vectors::check(vector)
    }
}
