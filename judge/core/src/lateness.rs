//! The lateness of a submission, and the part of its points that counts. Percentages are whole, so
//! points stay exact.

use crate::Points;

/// The lateness of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lateness {
    /// Started days after the due date; 0 if it is on time.
    pub days: u32,
    /// Percentage of its points that counts.
    pub percent: u32,
}

impl Lateness {
    /// The lateness of a submission that is on time.
    pub const ON_TIME: Lateness = Lateness { days: 0, percent: 100 };

    /// The part of the points that counts, rounded down to a thousandth.
    #[must_use]
    pub fn counted(self, points: Points) -> Points {
        let whole = u128::from(points.thousandths()) * u128::from(self.percent.min(100));
        Points::from_thousandths(u64::try_from(whole / 100).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_points_are_rounded_down_to_a_thousandth() {
        let counted = |percent, thousandths| {
            let lateness = Lateness { days: 1, percent };
            lateness.counted(Points::from_thousandths(thousandths)).thousandths()
        };
        assert_eq!(counted(70, 333), 233);
        assert_eq!(counted(0, 333), 0);
        assert_eq!(counted(100, u64::MAX), u64::MAX);
        assert_eq!(counted(101, 333), 333, "never more than the points");
    }
}
