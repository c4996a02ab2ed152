//! Looks one move ahead: a purchase's gain for its time, and a snug place.

use std::cmp::Reverse;

use super::Strategy;
use crate::patchwork::{Move, Patch, Position, track};

/// Buys the patch that gains most for its time, if that beats the button a square of advancing.
pub(super) struct Greedy;

impl Strategy for Greedy {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        position.moves().max_by_key(|made| match made {
            Move::Advance => (SCALE, Reverse(0)),
            Move::Place(placement) => {
                let quilt = position.side(position.turn()).quilt.union(placement.squares());
                (rate(position, placement.patch), Reverse(quilt.edges()))
            }
        })
    }
}

/// A multiple of all patches' times, so that rates are whole numbers; advancing gains one button a
/// square.
const SCALE: i64 = 60;

/// A patch's gain, in buttons: two for each square, its income at every income square still ahead,
/// minus its price; in sixtieths, divided by its squares of time.
fn rate(position: &Position, patch: Patch) -> i64 {
    let info = patch.info();
    let ahead = track::incomes(position.side(position.turn()).time, track::LAST);
    let gain = 2 * i64::from(patch.squares()) + i64::from(info.income) * i64::from(ahead)
        - i64::from(info.cost);
    SCALE * gain / i64::from(info.time.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patchwork::tests::games::{CIRCLE, after};

    /// The move after these moves.
    fn chosen(moves: &str) -> String {
        Greedy.choose(&after(CIRCLE, moves)).expect("a move").to_string()
    }

    #[test]
    fn greedy_buys_the_best_rate_into_a_corner() {
        let position = after(CIRCLE, "");
        let rates = position.offer().iter().map(|patch| rate(&position, patch));
        // B: 5 buttons in 3 squares, Q: 12 + 18 − 3 in 6, D: 4 in 2.
        assert_eq!(rates.collect::<Vec<_>>(), [100, 270, 120]);
        assert_eq!(chosen(""), "QGGD");
    }

    #[test]
    fn rates_are_in_sixtieths_of_a_button() {
        assert!(crate::patchwork::Patch::ordinary().iter().all(|patch| {
            let time = i64::from(patch.info().time);
            time > 0 && SCALE % time == 0
        }));
    }
}
