//! Capturing & Conquering: step or jump across the board, take men on the way, be first in the
//! far corner.
//!
//! The rules and messages as contestants see them are in this folder's `README.md`. A bot in Rust
//! can build on [`Position`], [`visit_paths`] and [`Path`]: the referee's own code.

mod contest;
mod legality;
mod lines;
mod moves;
mod notation;
mod opening;
mod opponents;
mod options;
mod path;
mod perft;
mod position;
mod render;
mod square;
mod squares;
mod standing;
mod state;
mod svg;
#[cfg(feature = "vectors")]
mod vectors;

#[cfg(test)]
mod tests;

use judge_core::{Options, Seed};

use crate::{Game, GameState, OpponentInfo, OptionError, OptionInfo, ResumeError};

pub use contest::Contest;
pub use legality::{Breach, IllegalPath};
pub use moves::{Change, visit_paths};
pub use notation::NotationError;
pub use options::Rules;
pub use path::Path;
pub use perft::{changes, perft, perft_changes};
pub use position::{Ending, Position, SetupError};
pub use square::Square;
pub use squares::Squares;

/// Capturing & Conquering in the registry.
pub struct Cc;

/// The registry entry.
pub static GAME: Cc = Cc;

impl Game for Cc {
    fn name(&self) -> &'static str {
        "cc"
    }

    fn title(&self) -> &'static str {
        "Capturing & Conquering"
    }

    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("target", "a man has reached the far corner: its side wins"),
            ("last man", "one side has a single man left: the other side wins"),
            ("blocked", "the side to move cannot move: a draw"),
            ("ply limit", "the players have made as many moves as the rules allow: a draw"),
            ("one man each", "both sides have a single man left: a draw"),
            ("forfeit", "a player failed, so the other side wins"),
        ]
    }

    fn summary(&self) -> &'static str {
        "two players step and jump across a square board; the far corner or the last man wins"
    }

    fn options(&self) -> &'static [OptionInfo] {
        &options::OPTIONS
    }

    fn opponents(&self) -> &'static [OpponentInfo] {
        &opponents::OPPONENTS
    }

    /// A win.
    fn max_score(&self, _options: &Options) -> Option<i64> {
        Some(2)
    }

    fn start(&self, options: &Options, seed: Seed) -> Result<Box<dyn GameState>, OptionError> {
        crate::game::check_keys(self, options)?;
        let rules = Rules::from_options(options)?;
        Ok(Box::new(Contest::new(rules, opening::draw(&rules, seed))))
    }

    /// After the opening nothing depends on chance, so the seed does not matter.
    fn resume(
        &self,
        options: &Options,
        _seed: Seed,
        state: &str,
    ) -> Result<Box<dyn GameState>, ResumeError> {
        crate::game::check_keys(self, options)?;
        Ok(Box::new(state::read(options, state)?))
    }

    #[cfg(feature = "vectors")]
    fn check_vector(&self, vector: &serde_json::Value) -> Result<(), crate::vectors::VectorError> {
        vectors::check(vector)
    }
}
