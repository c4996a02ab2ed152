//! Amazons surveyor: measures how open the position is, and weighs the land accordingly.
//!
//! 1. It runs two races over the empty squares: by queen's moves, which show who claims a square
//!    now, and by single steps, which show who will hold it when the board has filled (`land`).
//! 2. Squares that neither side reaches clearly sooner measure how *open* the position is. While
//!    it is, presence everywhere, the steps and room for each single amazon count; as it closes,
//!    only the land itself does (`value`).
//! 3. It searches the most promising moves, sifted in two stages: an amazon's way by a
//!    glance at the queens only, then its arrows by the whole value (`search`).
//!
//! It has no memory and no luck: the same position gets the same move. The size of its search
//! depends on the size of the board, so that a testcase of four rounds on the full board, or of
//! eight on a small one, fits into its time.
#![cfg_attr(target_family = "wasm", allow(unsafe_code))]

mod land;
mod search;
mod value;

use judge_bot::amazons::{Brain, Move, Position};
use search::Effort;

/// The player.
#[derive(Debug, Default)]
pub struct Surveyor;

impl Brain for Surveyor {
    fn choose(&mut self, position: &Position) -> Move {
        search::best(position, effort(position)).expect("asked only when there is a move")
    }
}

/// On a larger board a round has more moves, so that each gets less.
fn effort(position: &Position) -> Effort {
    let squares = u32::from(position.size()).pow(2);
    Effort { positions: 80_000 / squares, ways: [10, 4], moves: [12, 7] }
}

judge_bot::amazons_bot!(Surveyor, name: "surveyor", author: "judge");

#[cfg(test)]
mod tests {
    use judge_bot::amazons::Territory;

    use super::*;

    fn played(state: &str) -> String {
        Surveyor.choose(&state.parse().expect("a position")).to_string()
    }

    #[test]
    fn the_only_move_is_found() {
        assert_eq!(played("xxxx/xwxb/xxx1/xxxx b"), "d3-d2/d3");
    }

    #[test]
    fn the_surveyor_encloses_the_other_side() {
        // White's amazon in the corner has one way out.
        assert!(played("wxxx/1xxx/xb1x/xxxx b").starts_with("b2-a3/"));
    }

    #[test]
    fn own_land_is_not_wasted() {
        // A step within the row, and the arrow back: of White's three squares two remain.
        let mut position: Position = "w3/xxxx/xxxx/1bx1 w".parse().expect("a position");
        let before = Territory::from_position(&position).white;
        position.play(Surveyor.choose(&position)).expect("a legal move");
        let first = Territory::from_position(&position).white;
        assert_eq!((before, first), (3, 2));
    }

    #[test]
    fn every_answer_is_legal_on_any_board() {
        for state in [
            "1b2/3b/w3/2w1 w",
            "2b3/6/b5/5w/6/3w2 b",
            "16/16/16/16/16/16/16/16/16/16/16/x14b/16/16/16/w15 b",
        ] {
            let position: Position = state.parse().expect("a position");
            assert_eq!(position.check(Surveyor.choose(&position)), Ok(()), "{state}");
        }
    }
}
