//! By how much one player scores more than another in pairs of rounds, and Student's t.

use statrs::distribution::{ContinuousCDF as _, StudentsT};

use super::interval::Z;
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
