//! The worst rounds of a player, found in one pass over all rows.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use judge_core::{RoundRow, Seat, SeatResult};

/// The worst rows up to a maximum number, worst first.
#[derive(Debug, Clone)]
pub struct Worst {
    most: usize,
    rows: BTreeMap<(SeatResult, Reverse<bool>, i64, u64), RoundRow>,
}

impl Worst {
    /// Keeps up to `most` rows.
    pub fn new(most: usize) -> Worst {
        Worst { most, rows: BTreeMap::new() }
    }

    /// Adds a row as seen from that seat, in any order.
    pub fn take(&mut self, row: &RoundRow, seat: Seat) {
        let key = row.worst_first(seat);
        let full = self.rows.len() >= self.most;
        if full && self.rows.last_key_value().is_none_or(|(last, _)| *last <= key) {
            return;
        }
        self.rows.insert(key, row.clone());
        if self.rows.len() > self.most {
            self.rows.pop_last();
        }
    }

    /// The rows, the worst first.
    pub fn into_rows(self) -> Vec<RoundRow> {
        self.rows.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::samples::round_row;

    #[test]
    fn the_worst_rounds_are_kept_in_any_order() {
        let rows: Vec<RoundRow> =
            (1..=9).map(|round| round_row(round, Seat::One, [round as i64 % 5, 2])).collect();
        let worst = |rows: &mut dyn Iterator<Item = &RoundRow>, most| {
            let mut worst = Worst::new(most);
            rows.for_each(|row| worst.take(row, row.a));
            let rounds = worst.into_rows().into_iter().map(|row| row.round);
            rounds.collect::<Vec<_>>()
        };
        assert_eq!(worst(&mut rows.iter(), 4), [5, 1, 6, 2]);
        assert_eq!(worst(&mut rows.iter().rev(), 4), [5, 1, 6, 2]);
        assert_eq!(worst(&mut rows.iter(), 100), [5, 1, 6, 2, 7, 3, 8, 4, 9]);
        assert_eq!(worst(&mut rows.iter(), 0), [0_u64; 0]);
    }
}
