//! Looks one move ahead: what a purchase gains for the time it costs, and how snugly it lies.

use super::Strategy;
use crate::patchwork::{Move, Placement, Position, Squares, track};

/// Buys what gains most for its time, if that is more than the button a square of advancing.
pub(super) struct Greedy;

impl Strategy for Greedy {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        position.moves().max_by_key(|made| value(position, *made))
    }
}

/// Gain in sixtieths of a button a square of time, then snugness. Of equal moves the last wins,
/// so that with no more gain than by advancing the player advances.
fn value(position: &Position, made: Move) -> (i64, u32) {
    match made {
        Move::Advance => (SCALE, 0),
        Move::Place(placement) => {
            let quilt = position.side(position.turn()).quilt;
            (rate(position, placement), snugness(quilt, &placement))
        }
    }
}

/// All times of patches divide it, so that rates are whole numbers.
const SCALE: i64 = 60;

/// What a patch gains, in buttons: two for each square, its income at every income square that
/// is still ahead, and its price off; over the squares of time that it takes.
fn rate(position: &Position, placement: Placement) -> i64 {
    let (patch, info) = (placement.patch, placement.patch.info());
    let ahead = track::incomes(position.side(position.turn()).time, track::LAST);
    let gain = 2 * i64::from(patch.squares()) + i64::from(info.income) * i64::from(ahead)
        - i64::from(info.cost);
    SCALE * gain / i64::from(info.time.max(1))
}

/// Sides of the patch's squares that lie against the border or covered squares.
pub(super) fn snugness(quilt: Squares, placement: &Placement) -> u32 {
    let taken = |column: u8, row: u8| {
        column >= crate::patchwork::SIDE || row >= crate::patchwork::SIDE || quilt.contains(column, row)
    };
    // One below 0 wraps to 255, which is beyond the border as well.
    let sides = |(column, row): (u8, u8)| {
        [
            taken(column.wrapping_sub(1), row),
            taken(column + 1, row),
            taken(column, row.wrapping_sub(1)),
            taken(column, row + 1),
        ]
    };
    placement.squares().iter().flat_map(sides).map(u32::from).sum()
}
