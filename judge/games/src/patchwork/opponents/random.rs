//! Does anything that is allowed.

use super::Strategy;
use crate::patchwork::{Move, Position};

/// Draws one number a move: which of the legal moves, in the order of [`Position::moves`].
pub(super) struct Random(judge_core::Random);

impl Random {
    pub(super) fn new(random: judge_core::Random) -> Random {
        Random(random)
    }
}

impl Strategy for Random {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        let moves = position.moves();
        let count = u32::try_from(moves.clone().count()).ok().filter(|count| *count > 0)?;
        moves.into_iter().nth(self.0.below(count) as usize)
    }
}
