//! Counts of a bot's rounds.

use serde::{Deserialize, Serialize};

/// Counts of rounds by their ends. A round that a fault ended counts only as that fault, because
/// the other side did nothing to win it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Pairs of rounds.
    pub pairs: u64,
    /// Rounds won by playing.
    pub won: u64,
    /// Rounds drawn.
    pub drawn: u64,
    /// Rounds lost by playing.
    pub lost: u64,
    /// Rounds that ended by its own fault; for ratings they are lost.
    pub faults: u64,
    /// Rounds that ended by a fault of the other side; for ratings they are won.
    pub given: u64,
}

impl Record {
    /// Adds a round by its own points, doubled, and the side that failed: itself (0) or the other
    /// (1).
    pub fn add(&mut self, half_points: u8, failed: Option<usize>) {
        let count = match (failed, half_points) {
            (Some(0), _) => &mut self.faults,
            (Some(_), _) => &mut self.given,
            (None, 0) => &mut self.lost,
            (None, 1) => &mut self.drawn,
            (None, _) => &mut self.won,
        };
        *count += 1;
    }

    /// Adds both rounds of a pair, counted for one side.
    pub fn add_pair(&mut self, rounds: &[(u8, Option<usize>); 2], side: usize) {
        self.pairs += 1;
        for (half_points, failed) in rounds {
            let own = if side == 0 { *half_points } else { 2 - half_points.min(&2) };
            self.add(own, failed.map(|failed| usize::from(failed != side)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_error_counts_for_neither_player() {
        let rounds = [(2, Some(1)), (1, None)];
        let [mut one, mut other] = [Record::default(); 2];
        one.add_pair(&rounds, 0);
        other.add_pair(&rounds, 1);
        assert_eq!((one.pairs, one.won, one.drawn, one.given, one.faults), (1, 0, 1, 1, 0));
        assert_eq!((other.lost, other.drawn, other.given, other.faults), (0, 1, 0, 1));
    }
}
