//! Plays for mobility: after its move, its amazons can go to as many more squares as possible than
//! those of the other side.

use super::super::{Move, Position, Side};
use super::Strategy;

/// Holds the stream of random numbers that chooses between equally good moves.
pub(super) struct Greedy(pub(super) judge_core::Random);

impl Strategy for Greedy {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        let mut after = position.clone();
        let (mut best, mut most, mut equals) = (None, i32::MIN, 0);
        position.each_move(|candidate| {
            after.play_unchecked(candidate);
            let lead = lead(&after, position.to_move());
            after.undo(candidate);
            if lead > most {
                (best, most, equals) = (Some(candidate), lead, 1);
            } else if lead == most {
                // The k-th of equals takes over with a chance of 1 in k: in the end all are equal.
                equals += 1;
                if self.0.below(equals) == 0 {
                    best = Some(candidate);
                }
            }
        });
        best
    }
}

/// Squares that the amazons of a side can go to, minus those of the other side.
fn lead(position: &Position, side: Side) -> i32 {
    position.mobility(side) as i32 - position.mobility(side.other()) as i32
}
