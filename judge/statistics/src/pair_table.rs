//! Counts of pairs of rounds on the same luck with the seats swapped.

use judge_core::Seat;
use serde::Serialize;

/// Pairs by the first player's half points in its two rounds. All other counts follow from these
/// nine cells, so that no two tables can disagree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PairTable {
    /// By the half points in seat 1, then by those in seat 2.
    cells: [[u64; 3]; 3],
}

impl PairTable {
    /// Adds a pair: the first player's half points (0, 1 or 2) in seat 1 and in seat 2. Larger
    /// values count as a win.
    pub fn add(&mut self, half_points: [usize; 2]) {
        let [one, two] = half_points.map(|points| points.min(2));
        self.cells[one][two] += 1;
    }

    /// Adds all pairs of another table.
    pub fn join(&mut self, other: &PairTable) {
        for (own, cells) in self.cells.iter_mut().zip(other.cells) {
            own.iter_mut().zip(cells).for_each(|(cell, pairs)| *cell += pairs);
        }
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.cells.iter().flatten().sum()
    }

    /// Pairs by the half points of both rounds, 0 to 4.
    pub fn counts(&self) -> [u64; 5] {
        let mut counts = [0; 5];
        for (one, row) in self.cells.iter().enumerate() {
            for (two, pairs) in row.iter().enumerate() {
                counts[one + two] += pairs;
            }
        }
        counts
    }

    /// Rounds won, drawn and lost by the first player in that seat.
    pub fn in_seat(&self, seat: Seat) -> [u64; 3] {
        std::array::from_fn(|lost| {
            let points = 2 - lost;
            match seat {
                Seat::One => self.cells[points].iter().sum(),
                Seat::Two => self.cells.iter().map(|row| row[points]).sum(),
            }
        })
    }

    /// Rounds won, drawn and lost by the first player.
    pub fn results(&self) -> [u64; 3] {
        let [one, two] = Seat::BOTH.map(|seat| self.in_seat(seat));
        std::array::from_fn(|at| one[at] + two[at])
    }

    /// The same pairs for the second player. Its round in seat 1 is the other's in seat 2.
    pub fn mirrored(&self) -> PairTable {
        let cells =
            std::array::from_fn(|one| std::array::from_fn(|two| self.cells[2 - two][2 - one]));
        PairTable { cells }
    }

    /// The variance of pairs relative to that of the same number of rounds with independent luck
    /// and alternating seats, as for the score difference.
    pub fn variance_ratio(&self) -> Option<f64> {
        let mut moments = Moments::default();
        for (one, row) in self.cells.iter().enumerate() {
            for (two, pairs) in row.iter().enumerate() {
                moments.add([one as i64, two as i64], i128::from(*pairs));
            }
        }
        moments.variance_ratio()
    }

    /// Share of the points won in seat 1, by either player.
    pub fn seat_one(&self) -> Option<f64> {
        let [won, drawn, _] = self.in_seat(Seat::One);
        let [_, other_drawn, other_lost] = self.in_seat(Seat::Two);
        let half_points = 2 * (won + other_lost) + drawn + other_drawn;
        let rounds = 2 * self.pairs();
        (rounds > 0).then(|| half_points as f64 / (2 * rounds) as f64)
    }
}

/// Sums over pairs of two numbers each, exact, so that their order does not matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Moments {
    pub(super) count: i128,
    pub(super) sums: [i128; 2],
    pub(super) squares: [i128; 2],
    pub(super) product: i128,
}

impl Moments {
    /// Adds two numbers `times` times.
    pub(super) fn add(&mut self, numbers: [i64; 2], times: i128) {
        let numbers = numbers.map(i128::from);
        self.count += times;
        for (at, number) in numbers.into_iter().enumerate() {
            self.sums[at] += times * number;
            self.squares[at] += times * number * number;
        }
        self.product += times * numbers[0] * numbers[1];
    }

    /// Variance of the sum of a pair's numbers over the sum of their variances, which is 1 for
    /// independent numbers. It is the number of rounds that an estimate from pairs needs, relative
    /// to an equally precise estimate from unpaired rounds. None without any variance.
    pub(super) fn variance_ratio(&self) -> Option<f64> {
        let spread = |square: i128, one: i128, two: i128| (self.count * square - one * two) as f64;
        let [one, two] = self.sums;
        let apart = spread(self.squares[0], one, one) + spread(self.squares[1], two, two);
        let together = apart + 2.0 * spread(self.product, one, two);
        (apart > 0.0).then(|| together / apart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(pairs: &[[usize; 2]]) -> PairTable {
        let mut table = PairTable::default();
        pairs.iter().for_each(|pair| table.add(*pair));
        table
    }

    #[test]
    fn all_figures_come_from_the_same_cells() {
        // Won both; won in seat 1 only, twice; drawn in seat 1 and lost in seat 2.
        let table = table(&[[2, 2], [2, 0], [2, 0], [1, 0]]);
        assert_eq!((table.pairs(), table.counts()), (4, [0, 1, 2, 0, 1]));
        assert_eq!(table.in_seat(Seat::One), [3, 1, 0]);
        assert_eq!(table.in_seat(Seat::Two), [1, 0, 3]);
        assert_eq!(table.results(), [4, 1, 3]);
        // Seat 1 won 3.5 points in the first player's rounds there, and 3 in the other's.
        assert_eq!(table.seat_one(), Some(6.5 / 8.0));
    }

    #[test]
    fn the_other_player_sees_the_mirror_image() {
        let table = table(&[[2, 2], [2, 0], [2, 0], [1, 0], [2, 1]]);
        let mirrored = table.mirrored();
        assert_eq!(mirrored.mirrored(), table);
        let mut counts = table.counts();
        counts.reverse();
        assert_eq!(mirrored.counts(), counts);
        let mut results = table.in_seat(Seat::One);
        results.reverse();
        assert_eq!(mirrored.in_seat(Seat::Two), results);
        assert_eq!(mirrored.seat_one(), table.seat_one(), "the seat does not care who sits in it");
        assert_eq!(mirrored.variance_ratio(), table.variance_ratio());
    }

    #[test]
    fn tables_are_added_cell_by_cell() {
        let pairs = [[2, 2], [2, 0], [0, 1], [1, 1]];
        let mut joined = table(&pairs[..1]);
        joined.join(&table(&pairs[1..]));
        assert_eq!(joined, table(&pairs));
    }

    #[test]
    fn the_spread_of_pairs_is_compared_with_that_of_rounds() {
        assert_eq!(table(&[]).variance_ratio(), None);
        assert_eq!(table(&[[2, 2], [2, 2]]).variance_ratio(), None);
        // Luck decides both rounds: a pair has no more information than one of them.
        assert_eq!(table(&[[2, 2], [0, 0]]).variance_ratio(), Some(2.0));
        // The better seat wins for either player, so pairs do not vary at all.
        assert_eq!(table(&[[2, 0], [0, 2]]).variance_ratio(), Some(0.0));
        assert_eq!(table(&[[2, 2], [2, 0], [0, 2], [0, 0]]).variance_ratio(), Some(1.0));
    }
}
