//! Amazons hedger: leaves the other side no room.
//!
//! It looks one move ahead only. Of all moves it plays the one after which the other side's amazons
//! have the fewest squares next to them or in reach: a square next to an amazon counts three times,
//! because an amazon that is hedged in closely cannot escape any more. Of equal moves it takes the
//! one that leaves its own amazons most room, and of those the first.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]

use judge_bot::amazons::{Brain, Direction, Move, Position, Side};

/// The player. It needs no memory, because a position holds all facts.
#[derive(Debug, Default)]
pub struct Hedger;

impl Brain for Hedger {
    fn choose(&mut self, position: &Position) -> Move {
        let mut after = position.clone();
        let mut best = None;
        position.each_move(|candidate| {
            after.play_unchecked(candidate);
            let own = position.to_move();
            let value = (-room(&after, own.other()), room(&after, own));
            after.undo(candidate);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, candidate));
            }
        });
        best.expect("asked only when there is a move").1
    }
}

/// The squares that the amazons of a side can go to; those next to them count three times.
fn room(position: &Position, side: Side) -> i32 {
    let room = |square| {
        let reach = position.reach(square);
        let beside = Direction::ALL.iter().filter(|way| reach.length(**way) > 0).count();
        reach.count() as i32 + 2 * beside as i32
    };
    position.amazons(side).map(room).sum()
}

judge_bot::amazons_bot!(Hedger, name: "hedger", author: "judge");

#[cfg(test)]
mod tests {
    use super::*;

    fn played(state: &str) -> String {
        Hedger.choose(&state.parse().expect("a position")).to_string()
    }

    #[test]
    fn squares_next_to_an_amazon_count_three_times() {
        let board: Position = "4/4/xx1b/w2x w".parse().expect("a position");
        assert_eq!(room(&board, Side::White), 3 + 1);
        assert_eq!(room(&board, Side::Black), 6 + 2 * 4);
    }

    #[test]
    fn the_hedger_encloses_the_other_side() {
        // White's amazon in the corner has one way out.
        assert!(played("wxxx/1xxx/xb1x/xxxx b").starts_with("b2-a3/"));
    }

    #[test]
    fn the_hedger_keeps_most_room_among_equally_tight_moves() {
        assert_eq!(played("bx2/xx2/4/3w w"), "d1-c2/a2");
    }
}
