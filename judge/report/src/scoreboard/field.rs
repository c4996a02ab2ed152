//! Statistics of all students: passes per testcase, distribution of points.

use judge_core::{Points, Verdict};

use super::Scoreboard;

/// Possible widths of a bar in the histogram, in points, up to powers of ten.
const WIDTHS: [u64; 3] = [1, 2, 5];

/// Maximum number of bars in the histogram.
const MOST_BINS: u64 = 20;

/// Statistics of all students.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Submissions that were graded.
    pub(crate) graded: usize,
    /// Students who submitted nothing.
    pub(crate) missing: usize,
    /// Students with a submission that has no module.
    pub(crate) not_modules: usize,
    /// Submissions with a missing result because the judge failed.
    pub(crate) open: usize,
    /// Number of students who passed every testcase.
    pub(crate) passed_all: usize,
    /// Median of the points.
    pub(crate) median: Points,
    /// Maximum of the points.
    pub(crate) best: Points,
    /// Points on offer.
    pub(crate) max_points: Points,
    /// Number of submissions that passed each testcase.
    pub(crate) passed: Vec<usize>,
    /// Histogram of the points.
    pub(crate) histogram: Vec<Bin>,
}

/// A bar of the histogram.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Bin {
    /// The lower end, in points.
    pub(crate) from: u64,
    /// The upper end in points, rounded down.
    pub(crate) to: u64,
    pub(crate) count: usize,
}

impl Field {
    pub(crate) fn new(scoreboard: &Scoreboard) -> Field {
        let graded = || scoreboard.students.iter().filter(|place| place.worst_verdict.is_some());
        let mut points: Vec<Points> = graded().map(|place| place.points).collect();
        points.sort_unstable();
        let (count, tests) = (points.len(), scoreboard.testcases.len());
        let not_modules = scoreboard.students.iter().filter(|place| place.not_a_module).count();
        let passes = |at: usize| {
            let accepted = |place: &&super::ScoreboardRow| {
                place.testcases[at].is_some_and(|cell| cell.verdict == Verdict::Accepted)
            };
            graded().filter(accepted).count()
        };
        let all = |place: &&super::ScoreboardRow| tests > 0 && place.passed as usize == tests;
        let max_points =
            scoreboard.students.iter().map(|place| place.max_points).max().unwrap_or_default();
        Field {
            graded: count,
            missing: scoreboard.students.len() - count - not_modules,
            not_modules,
            open: graded().filter(|place| place.is_open()).count(),
            passed_all: graded().filter(all).count(),
            median: points.get(count / 2).copied().unwrap_or_default(),
            best: points.last().copied().unwrap_or_default(),
            max_points,
            passed: (0..tests).map(passes).collect(),
            histogram: histogram(&points, max_points),
        }
    }
}

/// Bars of equal, round width from zero to the maximum.
fn histogram(points: &[Points], max_points: Points) -> Vec<Bin> {
    let most = points.iter().copied().fold(max_points, Points::max).rounded_down();
    let scales = std::iter::successors(Some(1_u64), |scale| scale.checked_mul(10));
    let mut widths = scales.flat_map(|scale| WIDTHS.map(|width| width.saturating_mul(scale)));
    let width = widths.find(|width| most / width <= MOST_BINS).unwrap_or(u64::MAX);
    let bin = |number: u64| {
        let from = number * width;
        let to = from.saturating_add(width - 1).min(most);
        let count =
            points.iter().filter(|points| (from..=to).contains(&points.rounded_down())).count();
        Bin { from, to, count }
    };
    (0..=most / width).map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(points: &[u32], max_points: u32) -> Vec<Bin> {
        let points: Vec<Points> = points.iter().copied().map(Points::whole).collect();
        super::histogram(&points, Points::whole(max_points))
    }

    #[test]
    fn bins_have_round_widths_and_include_every_student() {
        let bins = histogram(&[0, 9, 10, 160, 160], 160);
        assert_eq!(bins.len(), 17);
        assert_eq!(bins[0], Bin { from: 0, to: 9, count: 2 });
        assert_eq!(bins[16], Bin { from: 160, to: 160, count: 2 });
        let halves = [9_500, 10_000].map(Points::from_thousandths);
        let counts = super::histogram(&halves, Points::whole(160)).into_iter().map(|bin| bin.count);
        assert_eq!(counts.take(3).collect::<Vec<_>>(), [1, 1, 0], "9.5 is less than 10");
        assert_eq!(histogram(&[3], 3).len(), 4);
        assert_eq!(histogram(&[], 0), [Bin { from: 0, to: 0, count: 0 }]);
        for most in [1, 19, 21, 999, 4_000_000_000, u32::MAX] {
            let bins = histogram(&[0, most / 2, most], most);
            assert!(bins.len() <= 21, "{most}: {}", bins.len());
            assert_eq!(bins.iter().map(|bin| bin.count).sum::<usize>(), 3, "{most}");
        }
    }
}
