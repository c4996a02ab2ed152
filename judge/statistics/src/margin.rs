//! The margin by which one player outscores another in pairs of rounds.

use super::pair_table::Moments;

/// The score differences in pairs of rounds, for the first player. Sums are integers, so estimates
/// do not depend on the order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Margins {
    moments: Moments,
}

impl Margins {
    /// Adds a pair: the first player's score minus the other's, in its round in seat 1 and in seat
    /// 2.
    pub fn add(&mut self, differences: [i64; 2]) {
        // No game has larger scores, and squares of their sums stay exact.
        let within = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into());
        self.moments.add(differences.map(within), 1);
    }

    /// The variance of pairs relative to that of the same number of rounds with independent luck.
    pub fn variance_ratio(&self) -> Option<f64> {
        self.moments.variance_ratio()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn margins(pairs: &[[i64; 2]]) -> Margins {
        let mut margins = Margins::default();
        pairs.iter().for_each(|pair| margins.add(*pair));
        margins
    }

    #[test]
    fn swapped_players_have_the_same_ratio() {
        let pairs = [[1, 3], [8, 0], [2, -4], [7, 7]];
        let swapped = pairs.map(|[one, two]| [-two, -one]);
        let (there, here) = (margins(&pairs), margins(&swapped));
        assert!(there.variance_ratio().is_some());
        assert_eq!(there.variance_ratio(), here.variance_ratio());
    }

    #[test]
    fn the_largest_scores_do_not_overflow() {
        let largest = margins(&[[i64::MAX, i64::MAX], [i64::MIN, i64::MIN]]);
        assert_eq!(largest.variance_ratio(), Some(2.0));
    }
}
