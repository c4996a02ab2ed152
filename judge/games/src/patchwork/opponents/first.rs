//! Takes what comes: the first legal move there is.

use super::Strategy;
use crate::patchwork::{Move, Position};

/// Plays the first of [`Position::moves`]: a purchase before advancing.
pub(super) struct First;

impl Strategy for First {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        position.moves().next()
    }
}
