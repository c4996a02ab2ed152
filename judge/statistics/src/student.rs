//! Student's t distribution, as needed for intervals.

use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

use super::estimate::Z;

/// Degrees of freedom from which Student's t is nearly normal.
const MANY: f64 = 500.0;

/// Two-sided 95 % point of Student's t with `freedom` degrees of freedom.
pub(super) fn student(freedom: i128) -> f64 {
    point(freedom, 0.975, Z)
}

/// Two-sided point of Student's t for one of `among` intervals that together cover the true values
/// in 95 of 100 cases (Bonferroni).
pub(super) fn student_among(freedom: i128, among: usize) -> f64 {
    let covered = 1.0 - 0.025 / among.max(1) as f64;
    point(freedom, covered, Normal::standard().inverse_cdf(covered))
}

/// The point below which Student's t is with probability `covered`; `z` is that of the normal
/// distribution.
fn point(freedom: i128, covered: f64, z: f64) -> f64 {
    let freedom = freedom as f64;
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(t) if freedom < MANY => inverse(covered, |point| t.cdf(point)),
        // The first terms of the expansion around the normal distribution (Abramowitz and Stegun,
        // 26.7.5): exact to nine digits here, where the library's series are slow.
        _ => {
            let (cube, fifth) = (z.powi(3), z.powi(5));
            let second = (5.0 * fifth + 16.0 * cube + 3.0 * z) / 96.0;
            z + (cube + z) / (4.0 * freedom) + second / freedom.powi(2)
        }
    }
}

/// The point that a distribution is below with probability `covered`, by bisection, which always
/// ends.
fn inverse(covered: f64, cumulative: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (1.9, 4096.0);
    for _ in 0..70 {
        let middle = (low + high) / 2.0;
        if cumulative(middle) < covered { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_students_t_match_a_table() {
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
    fn one_of_five_simultaneous_intervals_is_wider() {
        assert!((student_among(9, 1) - student(9)).abs() < 1e-9);
        // The two-sided 99 % points of common tables.
        for (freedom, point) in [(9, 3.249_835_5), (30, 2.749_995_7), (1000, 2.580_754_7)] {
            let found = student_among(freedom, 5);
            assert!((found - point).abs() < 1e-6, "{freedom}: {found} instead of {point}");
        }
    }
}
