//! The worst rounds that A lost, by their numbers.

use std::collections::BTreeSet;

use judge_arena::{Pair, PairRound};

use crate::contest::round_number;

/// Number of rounds that one command shows.
pub(super) const WORST: usize = 10;

/// The key of a lost round: false for a fault, then margin and number. The smallest is the worst.
type Loss = (bool, i64, u64);

/// The worst rounds that A lost.
#[derive(Debug, Default)]
pub(super) struct LostRounds(BTreeSet<Loss>);

impl LostRounds {
    /// Adds the next pair. A pair with a judge error does not count.
    pub(super) fn take(&mut self, pair: &Pair) {
        if pair.rounds.iter().any(PairRound::is_judge_error) {
            return;
        }
        for round in pair.rounds.iter().filter(|round| round.half_points() == 0) {
            let number = round_number(pair.number, round.seat);
            self.0.insert((round.failed() != Some(0), round.difference(), number));
            if self.0.len() > WORST {
                self.0.pop_last();
            }
        }
    }

    /// Their numbers, worst first.
    pub(super) fn numbers(&self) -> Vec<u64> {
        self.0.iter().map(|(.., number)| *number).collect()
    }
}
