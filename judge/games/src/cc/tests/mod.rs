//! Tests of several modules, and the parts that they share.

mod contest;
mod games;
mod rules;
mod shown;

use judge_core::Seat;
use proptest::prelude::*;

use super::{Position, Square, Squares};

/// A position with these men of seat 1 and seat 2, seat 1 to move.
pub(super) fn set_up(size: u8, one: &[&str], two: &[&str]) -> Position {
    let men = [one, two].map(|squares| {
        squares.iter().map(|square| square.parse::<Square>().expect("a square")).collect()
    });
    Position::new(size, men, Seat::One).expect("a position")
}

/// Any position with few men on boards of any size.
pub(super) fn positions() -> impl Strategy<Value = Position> {
    let square = (0_u8..16, 0_u8..16);
    let men = proptest::collection::vec((square, any::<bool>()), 2..24);
    let position = (5_u8..=16, men, any::<bool>()).prop_map(|(size, squares, second)| {
        let mut men = [Squares::EMPTY; 2];
        for ((row, column), side) in squares {
            let square = Square::new(row % size, column % size).expect("on the board");
            men[usize::from(!side)].remove(square);
            men[usize::from(side)].insert(square);
        }
        Position::new(size, men, if second { Seat::Two } else { Seat::One }).ok()
    });
    position.prop_filter_map("a side without men", |position| position)
}
