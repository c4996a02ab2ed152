//! Weight of a suite's points in a course: exact fractions, so that equal students get equal
//! results.

use std::fmt;

use judge_core::Points;

/// Thousandths in a whole.
const WHOLE: u64 = 1000;

/// Largest weight.
const MOST: Points = Points::whole(10_000);

/// Most thousandths of a point that count in one suite: tens of thousands of testcases give less.
/// Creating the weights checks that sums of them do not overflow.
const MOST_EARNED: u64 = Points::whole(u32::MAX).thousandths();

/// The worth of all points of a suite together, in points of the course.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight(Points);

/// A text that is not a valid weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a number from 0 to {MOST} with at most three decimals, such as `30` or `12.5`")]
pub struct NotAWeight;

impl Weight {
    /// True for a weight of zero.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl std::str::FromStr for Weight {
    type Err = NotAWeight;

    fn from_str(text: &str) -> Result<Weight, NotAWeight> {
        let points = text.parse().ok().filter(|points| *points <= MOST);
        points.map(Weight).ok_or(NotAWeight)
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The weights of all suites of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// Number of parts in a thousandth of a course point, so that every share is an integer.
    parts: u128,
    suites: Vec<Scale>,
}

/// The weight of a suite, and its maximum points in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Scale {
    counts: u64,
    of: u64,
}

/// Invalid weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WeightError {
    /// A suite has a weight, but no points.
    #[error("has a weight but offers no points")]
    NoPoints {
        /// Its index in the course.
        at: usize,
    },
    /// The maximum points of the suites have too large a common multiple.
    #[error("has points on offer that share too few factors with the other suites' for exact sums")]
    TooFine {
        /// Its index in the course.
        at: usize,
    },
}

/// Course points: the exact value of the earned points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share {
    /// All shares of a course have the same denominator, so they can be compared and added.
    numerator: u128,
    parts: u128,
}

impl Weights {
    /// For each suite its weight and its maximum points, in thousandths. A suite without a weight
    /// counts its own points.
    ///
    /// # Errors
    /// When a suite gives no points, or the numbers cannot be combined.
    pub fn new(suites: &[(Option<Weight>, u64)]) -> Result<Weights, WeightError> {
        let mut parts = 1_u128;
        let mut scales = Vec::new();
        for (at, (weight, points)) in suites.iter().enumerate() {
            let scale = match weight {
                Some(weight) if weight.is_zero() => Scale { counts: 0, of: 1 },
                Some(_) if *points == 0 => return Err(WeightError::NoPoints { at }),
                Some(Weight(counts)) => reduced(counts.thousandths(), *points),
                None => Scale { counts: 1, of: 1 },
            };
            scales.push(scale);
            let common = common_multiple(parts, u128::from(scale.of));
            parts = common.ok_or(WeightError::TooFine { at })?;
            // The largest possible number is the largest sum, rounded up for display.
            let sum = largest_sum(&scales, parts).and_then(|sum| sum.checked_add(parts / 2));
            sum.ok_or(WeightError::TooFine { at })?;
        }
        Ok(Weights { parts, suites: scales })
    }

    /// The course points for thousandths of a point in the suite with that index; at most the
    /// suite's maximum.
    pub fn share(&self, at: usize, points: u64) -> Share {
        let Scale { counts, of } = self.suites[at];
        let points = points.min(MOST_EARNED);
        let numerator = u128::from(points) * u128::from(counts) * (self.parts / u128::from(of));
        Share { numerator, parts: self.parts }
    }

    /// The sum of shares, at most one from each suite; zero without any.
    pub fn sum(&self, shares: impl IntoIterator<Item = Share>) -> Share {
        let numerator = shares.into_iter().map(|share| share.numerator).sum();
        Share { numerator, parts: self.parts }
    }
}

/// Rounded to thousandths, half a thousandth up.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal((self.numerator + self.parts / 2) / self.parts))
    }
}

/// Thousandths as a decimal without trailing zeros.
fn decimal(thousandths: u128) -> String {
    let (whole, rest) = (thousandths / u128::from(WHOLE), thousandths % u128::from(WHOLE));
    let text = format!("{whole}.{rest:03}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn reduced(counts: u64, of: u64) -> Scale {
    let divisor = common_divisor(u128::from(counts), u128::from(of)) as u64;
    Scale { counts: counts / divisor, of: of / divisor }
}

fn common_divisor(one: u128, other: u128) -> u128 {
    if other == 0 { one } else { common_divisor(other, one % other) }
}

fn common_multiple(one: u128, other: u128) -> Option<u128> {
    (one / common_divisor(one, other)).checked_mul(other)
}

/// The sum of the largest possible shares of the suites, if it does not overflow.
fn largest_sum(suites: &[Scale], parts: u128) -> Option<u128> {
    suites.iter().try_fold(0_u128, |sum, Scale { counts, of }| {
        let earned = u128::from(MOST_EARNED).checked_mul(u128::from(*counts))?;
        sum.checked_add(earned.checked_mul(parts / u128::from(*of))?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(text: &str) -> Option<Weight> {
        Some(text.parse().expect("a weight"))
    }

    #[test]
    fn weights_are_exact_decimals() {
        for (text, shown) in [
            ("30", "30"),
            ("12.5", "12.5"),
            ("0.125", "0.125"),
            ("33.3330", "33.333"),
            ("7.50", "7.5"),
        ] {
            assert_eq!(weight(text).map(|weight| weight.to_string()).as_deref(), Some(shown));
        }
        assert_eq!(weight("10000").map(Weight::is_zero), Some(false));
        assert_eq!(weight("0.0").map(Weight::is_zero), Some(true));
        for wrong in
            ["", ".", "1.", ".5", "-1", "+1", "1e2", "0.0001", "10000.001", "1_0", "99999999999"]
        {
            assert_eq!(wrong.parse::<Weight>(), Err(NotAWeight), "{wrong}");
        }
    }

    #[test]
    fn shares_add_up_exactly_and_are_rounded_when_shown() {
        let third = Weights::new(&[(weight("10"), 3_000); 3]).expect("weights");
        let one = third.share(0, 1_000);
        assert_eq!(one.to_string(), "3.333");
        assert_eq!(third.sum([one; 3]).to_string(), "10", "not 9.999");
        assert_eq!(third.sum([one; 3]), third.share(1, 3_000));
        assert_eq!(third.sum([]).to_string(), "0");
        assert_eq!(third.share(2, 6_000).to_string(), "20", "extra credit counts");
        let half = Weights::new(&[(weight("0.001"), 2_000)]).expect("weights");
        assert_eq!(half.share(0, 1_000).to_string(), "0.001", "half a thousandth goes up");
        assert_eq!(half.share(0, 999).to_string(), "0");
    }

    #[test]
    fn without_weights_points_are_added() {
        let plain = Weights::new(&[(None, 160_000), (None, 0)]).expect("weights");
        assert_eq!(plain.sum([plain.share(0, 47_500), plain.share(1, 0)]).to_string(), "47.5");
        let none = Weights::new(&[(weight("0"), 0), (weight("5"), 10_000)]).expect("weights");
        assert_eq!(none.share(0, 1).to_string(), "0");
        assert_eq!(none.share(1, 10_000).to_string(), "5");
    }

    #[test]
    fn sums_of_weights_do_not_overflow() {
        let most = u64::from(u32::MAX) * 1000;
        let largest: Vec<_> = (0..64).map(|_| (weight("10000"), most)).collect();
        let weights = Weights::new(&largest).expect("weights");
        let all = weights.sum((0..64).map(|at| weights.share(at, most)));
        assert_eq!(all.to_string(), "640000");
        // Nearly the largest possible denominator, and the largest numerators.
        let mut fine = vec![(weight("9999.999"), 1 << 42), (weight("9999.999"), 8191)];
        fine.extend((0..62).map(|_| (weight("9999.999"), 1)));
        let weights = Weights::new(&fine).expect("weights");
        let sum = weights.sum((0..64).map(|at| weights.share(at, most)));
        assert!(sum > weights.share(63, most));
        assert_eq!(Weights::new(&[(weight("1"), 0)]), Err(WeightError::NoPoints { at: 0 }));
        assert_eq!(weights.share(2, u64::MAX), weights.share(2, MOST_EARNED), "never more");
        let primes = [999_983_u64, 999_979, 999_961, 999_959, 999_953];
        let primes = primes.map(|prime| (weight("1.001"), prime));
        assert_eq!(Weights::new(&primes), Err(WeightError::TooFine { at: 4 }));
        let weights = Weights::new(&primes[..4]).expect("weights");
        let sum = weights.sum((0..4).map(|at| weights.share(at, u64::MAX)));
        assert!(!sum.to_string().is_empty(), "also rounded");
    }
}
