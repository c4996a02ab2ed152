//! Patchwork for two: buy patches from a circle, fill a quilt, earn buttons along a time track.
//!
//! The rules and messages as contestants see them are in this folder's `README.md`. A bot in Rust
//! can build on [`Position`], [`Move`] and [`Placement`]: the referee's own code.

mod circle;
mod lines;
mod moves;
mod notation;
mod opponents;
mod options;
mod patches;
mod play_error;
mod position;
mod render;
mod round;
mod shape;
mod squares;
mod standing;
mod state;
mod svg;
pub mod track;
#[cfg(feature = "vectors")]
mod vectors;

#[cfg(test)]
mod tests;

use judge_core::{Options, Scoring, Seed};

use crate::{Game, GameState, OpponentInfo, OptionError, OptionInfo, ResumeError};

pub use circle::{Circle, CircleError, Offer};
pub use moves::{Move, Moves, Placement};
pub use notation::{MoveError, parse_moves, print_moves, split_moves};
pub use options::Rules;
pub use patches::{PATCHES, Patch, PatchInfo};
pub use play_error::PlayError;
pub use position::{Position, Side, perft};
pub use round::Round;
pub use shape::{Orientation, Shape, shape};
pub use squares::{QuiltError, SIDE, Squares};
pub use state::StateError;

/// Patchwork in the registry.
pub struct Patchwork;

/// The registry entry.
pub static GAME: Patchwork = Patchwork;

impl Game for Patchwork {
    fn name(&self) -> &'static str {
        "patchwork"
    }

    fn title(&self) -> &'static str {
        "Patchwork"
    }

    /// Suites count buttons and covered squares.
    fn scoring(&self) -> Scoring {
        Scoring::Score
    }

    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("score", "both tokens are on the last square: the higher score wins"),
            (
                "first on the last square",
                "the scores are equal: the player who reached the last square first wins",
            ),
            ("forfeit", "a player failed, so the other side wins"),
        ]
    }

    fn summary(&self) -> &'static str {
        "two players buy patches and sew quilts; buttons count, uncovered squares cost"
    }

    fn options(&self) -> &'static [OptionInfo] {
        &options::OPTIONS
    }

    fn opponents(&self) -> &'static [OpponentInfo] {
        &opponents::OPPONENTS
    }

    fn start(&self, options: &Options, seed: Seed) -> Result<Box<dyn GameState>, OptionError> {
        crate::game::check_keys(self, options)?;
        let rules = Rules::from_options(options)?;
        Ok(Box::new(Round::new(rules, Circle::shuffled(seed))))
    }

    fn resume(
        &self,
        options: &Options,
        _seed: Seed,
        state: &str,
    ) -> Result<Box<dyn GameState>, ResumeError> {
        crate::game::check_keys(self, options)?;
        let rules = Rules::from_options(options)?;
        let round = Round::resume(rules, state);
        Ok(Box::new(round.map_err(|error| ResumeError::State(error.to_string()))?))
    }

    #[cfg(feature = "vectors")]
    fn check_vector(&self, vector: &serde_json::Value) -> Result<(), crate::vectors::VectorError> {
        vectors::check(vector)
    }
}
