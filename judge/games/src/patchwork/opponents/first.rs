//! Takes the first legal move.

use super::Strategy;
use crate::patchwork::{Move, Position};

/// Plays the first of [`Position::moves`]: a purchase before advancing.
pub(super) struct First;

impl Strategy for First {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        position.moves().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patchwork::tests::games::{CIRCLE, after};

    #[test]
    fn first_buys_before_it_advances() {
        for (moves, chosen) in [("", "BAAA"), ("BAAA", "QAAA"), ("BAAAQAAA", "DCAA")] {
            let made = First.choose(&after(CIRCLE, moves)).expect("a move");
            assert_eq!(made.to_string(), chosen);
        }
    }
}
