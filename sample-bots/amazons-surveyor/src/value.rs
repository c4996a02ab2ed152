//! The value of a position: land weighs more the more it is settled, presence and reach weigh more
//! while the position is open.

use judge_bot::amazons::{Position, Side};

use crate::land::{Land, Queens};

/// One square of land.
pub(crate) const SQUARE: i32 = 128;

/// The largest openness.
const OPEN: i32 = 96;

/// The cost of an amazon that can reach only few squares, by their number.
const CRAMPED: [i32; 12] = [40, 28, 21, 16, 12, 9, 7, 5, 3, 2, 1, 0];

/// The value for a side, in parts of a [`SQUARE`].
pub(crate) fn value(position: &Position, side: Side) -> i32 {
    let land = Land::from_position(position);
    let (mut white, open) = settled(position, &land.queens());
    if open > 0 {
        let kings = land.kings();
        white += kings.first * open * 2 / 3;
        white += kings.lead * open / 12;
        white -= (cramped(position, Side::White) - cramped(position, Side::Black)) * open / 8;
    }
    signed(white, side)
}

/// The value for a side without kings and cramped amazons: half of the work.
pub(crate) fn glance(position: &Position, side: Side) -> i32 {
    let (white, _) = settled(position, &Land::from_position(position).queens());
    signed(white, side)
}

/// The queens' part of the value for White, and the openness of the position.
fn settled(position: &Position, queens: &Queens) -> (i32, i32) {
    let turn = signed(1, position.to_move());
    // Every contested square is two, or one when it is nearly decided; 134 at the usual start.
    let open = (2 * queens.ties + queens.near).min(OPEN);
    let land = queens.first * (SQUARE - open * 2 / 3) + turn * queens.ties * SQUARE / 5;
    (land + queens.presence * open / OPEN, open)
}

/// A value for White from the view of a side.
fn signed(white: i32, side: Side) -> i32 {
    if side == Side::White { white } else { -white }
}

/// The cost of all amazons of a side that have little room.
fn cramped(position: &Position, side: Side) -> i32 {
    let cost = |count: u32| CRAMPED.get(count as usize).copied().unwrap_or(0);
    position.amazons(side).map(|square| cost(position.reach(square).count())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(state: &str, side: Side) -> i32 {
        value(&state.parse().expect("a position"), side)
    }

    #[test]
    fn settled_land_counts_by_its_squares() {
        assert_eq!(worth("w1x1/1xx1/xxxx/3b w", Side::White), -SQUARE);
        assert_eq!(worth("w1x1/1xx1/xxxx/3b b", Side::Black), SQUARE);
    }

    #[test]
    fn the_value_for_one_side_is_the_negative_of_the_other() {
        for state in ["1b2/3b/w3/2w1 w", "3b2b3/10/10/b8b/10/9x/w8w/3x6/10/3w2w3 b"] {
            assert_eq!(worth(state, Side::White), -worth(state, Side::Black), "{state}");
        }
    }

    #[test]
    fn an_amazon_in_a_corner_is_worth_less_while_all_is_open() {
        let free = worth("b5/6/6/6/1w4/6 b", Side::White);
        let cramped = worth("b5/6/6/6/xx4/w1x3 b", Side::White);
        assert!(free > cramped, "{free} {cramped}");
    }
}
