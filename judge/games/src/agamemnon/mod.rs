//! Agamemnon for two, with its Loom: place drawn tiles on nodes and win the strings of fate.
//!
//! The rules and messages as contestants see them are in this folder's `README.md`. A bot in Rust
//! can build on [`State`], [`Position`], [`score`] and [`Bag`]: the referee's own code.

mod action;
mod bag;
mod board;
mod drawing;
mod edge;
mod fit;
mod moves;
mod notation;
mod opponents;
mod options;
mod position;
mod progress;
mod render;
mod resume;
mod round;
mod scoring;
mod standing;
mod state;
mod strings;
mod svg;
mod tile;
#[cfg(feature = "vectors")]
mod vectors;

#[cfg(test)]
mod tests;

use judge_core::{Options, Scoring, Seed};

use crate::{Game, GameState, OpponentInfo, OptionError, OptionInfo, ResumeError};

pub use action::{Action, ActionError, Placement};
pub use bag::{Bag, Draw};
pub use board::{Board, Edge2428, LOOM_CLASSES, Mapping, STANDARD_EDGES, loom_classes, loom_edges};
pub use edge::{EdgeType, EdgeTypes};
pub use moves::perft;
pub use notation::{ActionTextError, DrawError};
pub use options::{BoardChoice, Redraw, Rules};
pub use position::{Placed, Position, Turn};
pub use resume::StateTextError;
pub use round::Round;
pub use scoring::{Links, score, score_by_type};
pub use state::{State, StateError, check_well_formed};
pub use strings::{FateString, strings};
pub use tile::{Kind, side_from_letter, side_letter};

/// Agamemnon in the registry.
pub struct Agamemnon;

/// The registry entry.
pub static GAME: Agamemnon = Agamemnon;

impl Game for Agamemnon {
    fn name(&self) -> &'static str {
        "agamemnon"
    }

    fn title(&self) -> &'static str {
        "Agamemnon"
    }

    /// Suites count edges.
    fn scoring(&self) -> Scoring {
        Scoring::Score
    }

    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("more edges", "all tiles are placed, and the winner has more edges of the net"),
            ("equal edges", "all tiles are placed, and both have as many edges: a draw"),
            ("forfeit", "a player failed, so the other side wins"),
        ]
    }

    fn summary(&self) -> &'static str {
        "two players place drawn tiles on a net of strings; who wins more edges of them wins"
    }

    fn options(&self) -> &'static [OptionInfo] {
        &options::OPTIONS
    }

    fn opponents(&self) -> &'static [OpponentInfo] {
        &opponents::OPPONENTS
    }

    /// All edges of the board.
    fn max_score(&self, options: &Options) -> Option<i64> {
        let rules = Rules::from_options(options).ok()?;
        let State { board, .. } = rules.start(Mapping::DEFAULT);
        i64::try_from(board.edges()).ok()
    }

    fn start(&self, options: &Options, seed: Seed) -> Result<Box<dyn GameState>, OptionError> {
        crate::game::check_keys(self, options)?;
        Ok(Box::new(Round::new(Rules::from_options(options)?, seed)))
    }

    fn resume(
        &self,
        options: &Options,
        seed: Seed,
        state: &str,
    ) -> Result<Box<dyn GameState>, ResumeError> {
        crate::game::check_keys(self, options)?;
        let round = Round::resume(Rules::from_options(options)?, seed, state);
        Ok(Box::new(round.map_err(|error| ResumeError::State(error.to_string()))?))
    }

    #[cfg(feature = "vectors")]
    fn check_vector(&self, vector: &serde_json::Value) -> Result<(), crate::vectors::VectorError> {
        vectors::check(vector)
    }
}
