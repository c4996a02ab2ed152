//! Monte Carlo tree search with a fixed number of playouts, in integers only: short random
//! playouts, valued by the estimate, decide which candidate move to examine next.

mod tree;

use std::sync::Arc;

use judge_core::Random;

use super::super::knowledge::{CLEAR, Entry, Knows};
use super::super::{Move, Position, Side, estimate};
use super::Strategy;
pub(in crate::amazons) use tree::Tree;

/// Playouts for one move.
const PLAYOUTS: u32 = 200;

/// Visits after which a position gets its own moves in the tree.
const EXPAND: u32 = 6;

/// Random plies of a playout.
const PLIES: u32 = 2;

/// Holds the stream of random numbers for the playouts, and the knowledge from self-play.
pub(super) struct MonteCarlo {
    random: Random,
    knowledge: Option<Arc<dyn Knows>>,
}

impl MonteCarlo {
    pub(super) fn new(random: Random, knowledge: Option<Arc<dyn Knows>>) -> MonteCarlo {
        MonteCarlo { random, knowledge }
    }
}

impl Strategy for MonteCarlo {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        let table = self.knowledge.as_deref().map(Knows::table);
        let table = match table.and_then(|table| table.look_up(position)) {
            Some((_, Entry::Won(winning))) => return Some(winning),
            // The other side may not know it, and giving up would only help it.
            Some((_, Entry::Lost)) => None,
            Some((_, Entry::Open(_))) | None => table,
        };
        Tree::grow(position, PLAYOUTS, table, &mut self.random).best()
    }
}

/// The value for `side` of a position after a few random plies, 0 to [`SURE`].
fn playout(position: &mut Position, side: Side, random: &mut Random) -> u32 {
    for _ in 0..PLIES {
        let Some(chosen) = position.staged_move(random) else { break };
        position.play_unchecked(chosen);
    }
    let value = match position.winner() {
        Some(winner) if winner == side => CLEAR,
        Some(_) => -CLEAR,
        None => estimate(position, side).clamp(-CLEAR, CLEAR),
    };
    (value + CLEAR) as u32
}
