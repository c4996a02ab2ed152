//! Student's t distribution, as needed for intervals.

use statrs::distribution::{ContinuousCDF as _, StudentsT};

use super::estimate::Z;

/// Degrees of freedom from which Student's t is nearly normal.
const MANY: f64 = 500.0;

/// Two-sided 95 % point of Student's t with `freedom` degrees of freedom.
pub(super) fn student(freedom: i128) -> f64 {
    let freedom = freedom as f64;
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(t) if freedom < MANY => inverse(|point| t.cdf(point)),
        // The first terms of the expansion around the normal distribution (Abramowitz and Stegun,
        // 26.7.5): exact to nine digits here, where the library's series are slow.
        _ => {
            let (z, cube, fifth) = (Z, Z.powi(3), Z.powi(5));
            let second = (5.0 * fifth + 16.0 * cube + 3.0 * z) / 96.0;
            z + (cube + z) / (4.0 * freedom) + second / freedom.powi(2)
        }
    }
}

/// The 97.5 % point of a distribution, by bisection, which always ends.
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
}
