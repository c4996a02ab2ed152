//! By how much one player scores more than another, over pairs of rounds.

use statrs::distribution::{ContinuousCDF as _, StudentsT};

use super::interval::{Estimate, Z};
use super::pair_table::Moments;

/// Degrees of freedom from which Student's t is nearly normal.
const MANY: f64 = 500.0;

/// The differences of scores in pairs of rounds, as the first player sees them. Whole numbers are
/// added up; what is estimated of them does not depend on their order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Margins {
    moments: Moments,
}

impl Margins {
    /// Takes a pair: the first player's score minus the other's, in its round in seat 1 and in
    /// that in seat 2.
    pub fn add(&mut self, differences: [i64; 2]) {
        // No game has scores beyond that, and squares of sums of them stay exact.
        let within = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into());
        self.moments.add(differences.map(within), 1);
    }

    /// The difference in a round on the mean, with an interval by Student's t over the sums of the
    /// pairs ("The probable error of a mean", 1908). Fewer than two pairs have no spread, and
    /// their interval no ends.
    pub fn difference(&self) -> Estimate {
        let Moments { count, sums, squares, product } = self.moments;
        let sum = sums[0] + sums[1];
        let value = sum as f64 / (2 * count.max(1)) as f64;
        if count < 2 {
            return Estimate { value, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let square = squares[0] + squares[1] + 2 * product;
        let spread = (count * square - sum * sum) as f64 / (count * (count - 1)) as f64;
        let margin = student(count - 1) * (spread / count as f64).sqrt() / 2.0;
        Estimate { value, low: value - margin, high: value + margin }
    }

    /// How the spread of pairs compares with that of as many rounds on luck of their own.
    pub fn variance_ratio(&self) -> Option<f64> {
        self.moments.variance_ratio()
    }
}

/// Two-sided 95 % point of Student's t with so many degrees of freedom.
pub(super) fn student(freedom: i128) -> f64 {
    let freedom = freedom as f64;
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(t) if freedom < MANY => inverse(|point| t.cdf(point)),
        // The first terms of the expansion around the normal distribution (Abramowitz and Stegun,
        // 26.7.5): exact to nine digits here, where the library's series take long.
        _ => {
            let (z, cube, fifth) = (Z, Z.powi(3), Z.powi(5));
            let second = (5.0 * fifth + 16.0 * cube + 3.0 * z) / 96.0;
            z + (cube + z) / (4.0 * freedom) + second / freedom.powi(2)
        }
    }
}

/// Where a distribution comes to 97.5 %: by bisection, which always ends.
fn inverse(cumulative: impl Fn(f64) -> f64) -> f64 {
    // One degree of freedom has its point at 12.7.
    let (mut low, mut high) = (1.9, 13.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if cumulative(middle) < 0.975 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
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
    fn points_of_students_t() {
        // By bisection of the regularised incomplete beta function in 40 digits (mpmath).
        for (freedom, point) in [
            (1, 12.706_204_736_2),
            (2, 4.302_652_729_75),
            (3, 3.182_446_305_28),
            (9, 2.262_157_162_8),
            (30, 2.042_272_456_3),
            (1000, 1.962_339_080_83),
        ] {
            let found = student(freedom);
            assert!((found - point).abs() < 1e-8, "{freedom}: {found} instead of {point}");
        }
        assert!((student(1_000_000_000) - Z).abs() < 1e-6);
        assert!((student(499) - student(500)).abs() < 1e-4);
    }

    #[test]
    fn the_difference_by_hand() {
        // Sums of the pairs: 4, 8, 6; mean 6, variance 4.
        let estimate = margins(&[[1, 3], [8, 0], [2, 4]]).difference();
        assert_eq!(estimate.value, 3.0);
        let margin = 4.302_652_729_75 * (4.0_f64 / 3.0).sqrt() / 2.0;
        assert!((estimate.high - 3.0 - margin).abs() < 1e-6, "{estimate:?}");
        assert!((3.0 - estimate.low - margin).abs() < 1e-6, "{estimate:?}");
    }

    #[test]
    fn little_is_known_of_one_pair() {
        assert_eq!(margins(&[]).difference().value, 0.0);
        let one = margins(&[[5, 6]]).difference();
        assert_eq!((one.value, one.low, one.high), (5.5, f64::NEG_INFINITY, f64::INFINITY));
        let same = margins(&[[5, 6]; 3]).difference();
        assert_eq!((same.low, same.high), (5.5, 5.5));
    }

    #[test]
    fn swapped_players_have_the_opposite_difference() {
        let pairs = [[1, 3], [8, 0], [2, -4], [7, 7]];
        let swapped = pairs.map(|[one, two]| [-two, -one]);
        let (there, here) = (margins(&pairs), margins(&swapped));
        assert_eq!(there.difference().value, -here.difference().value);
        assert_eq!(there.difference().low, -here.difference().high);
        assert_eq!(there.variance_ratio(), here.variance_ratio());
    }

    #[test]
    fn the_largest_scores_do_not_overflow() {
        let largest = margins(&[[i64::MAX, i64::MAX], [i64::MIN, i64::MIN]]);
        assert!(largest.difference().high.is_finite());
    }
}
