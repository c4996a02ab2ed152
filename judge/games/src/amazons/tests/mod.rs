//! Tests of the rules, the notation, the round and the opponents.

mod matches;
mod notation;
mod opponents;
mod pictures;
mod playthrough;
mod positions;
mod shows;
mod states;
mod territory;

use super::{Move, Position};

/// The start on 10 × 10 squares.
const START: &str = "3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w";

fn position(text: &str) -> Position {
    text.parse().expect("a position")
}

fn chosen(text: &str) -> Move {
    text.parse().expect("a move")
}
