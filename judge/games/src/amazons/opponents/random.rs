//! Plays any move: every legal move is equally likely.

use super::super::{Move, Position};
use super::Strategy;

/// Holds its stream of random numbers.
pub(super) struct Random(pub(super) judge_core::Random);

impl Strategy for Random {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        let count = position.count_moves();
        if count == 0 {
            return None;
        }
        position.nth_move(self.0.below(count))
    }
}
