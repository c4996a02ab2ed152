//! Arcade mahjong for two: draw a tile, discard one, and be the first to complete a valuable hand.
//!
//! The rules and messages as contestants see them are in this folder's `README.md`. A bot in Rust
//! can build on [`Hand`], [`faan`], [`distance`] and [`useful_tiles`]: the referee's own code.

mod answer;
mod distance;
mod hand;
mod lines;
mod notation;
mod opponents;
mod options;
mod patterns;
mod reading;
mod render;
mod round;
mod scoring;
mod standing;
mod state;
mod svg;
mod tile;
mod tile_set;
#[cfg(feature = "vectors")]
mod vectors;
mod wall;
mod winning;

#[cfg(test)]
mod tests;

use judge_core::{Options, Scoring, Seed};

use crate::{Game, GameState, OpponentInfo, OptionError, OptionInfo, ResumeError};

pub use distance::{distance, useful_tiles};
pub use hand::{Hand, HandError};
pub use patterns::{PATTERNS, Pattern, PatternInfo, Rules};
pub use round::Round;
pub use scoring::{HandForm, Score, faan, faan_with, round_score, score};
pub use tile::{Suit, Tile, TileError};
pub use tile_set::TileSet;
pub use wall::Wall;

/// Arcade mahjong in the registry.
pub struct Mahjong;

/// The registry entry.
pub static GAME: Mahjong = Mahjong;

impl Game for Mahjong {
    fn name(&self) -> &'static str {
        "mahjong"
    }

    fn title(&self) -> &'static str {
        "Arcade Mahjong"
    }

    /// Suites count points for Faan and speed, and a quick cheap hand is worth little of them.
    fn scoring(&self) -> Scoring {
        Scoring::Score
    }

    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("self draw", "the winner drew the tile that completed the hand"),
            ("discard", "the winner took the other player's discard to complete the hand"),
            ("wall empty", "no tile is left to draw, and no player has won: a draw"),
            ("forfeit", "a player failed, so the other side wins"),
        ]
    }

    fn summary(&self) -> &'static str {
        "two players draw and throw tiles in turn; the first complete hand wins, by its Faan"
    }

    fn options(&self) -> &'static [OptionInfo] {
        &options::OPTIONS
    }

    fn opponents(&self) -> &'static [OpponentInfo] {
        &opponents::OPPONENTS
    }

    /// The score of the best possible hand, when the first drawn tile completes it.
    fn max_score(&self, options: &Options) -> Option<i64> {
        Some(scoring::max_round_score(&Rules::from_options(options).ok()?))
    }

    fn start(&self, options: &Options, seed: Seed) -> Result<Box<dyn GameState>, OptionError> {
        crate::game::check_keys(self, options)?;
        let rules = Rules::from_options(options)?;
        Ok(Box::new(Round::new(rules, Wall::shuffled(seed))))
    }

    fn resume(
        &self,
        options: &Options,
        seed: Seed,
        state: &str,
    ) -> Result<Box<dyn GameState>, ResumeError> {
        crate::game::check_keys(self, options)?;
        let rules = Rules::from_options(options)?;
        let round = state::parse(state, rules, seed);
        Ok(Box::new(round.map_err(|error| ResumeError::State(error.to_string()))?))
    }

    #[cfg(feature = "vectors")]
    fn check_vector(&self, vector: &serde_json::Value) -> Result<(), crate::vectors::VectorError> {
        vectors::check(vector)
    }
}
