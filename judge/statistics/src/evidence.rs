//! Pairs of rounds as evidence about two players, if some of them start alike and so repeat each
//! other.

use std::collections::BTreeMap;

use serde::Serialize;

use super::elo::Strength;
use super::estimate::Estimate;
use super::spread::Spread;
use super::student::student;

/// Pairs that are not independent of each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Cluster {
    /// Pairs by the first player's half points, 0 to 4.
    counts: [u64; 5],
    /// Sum of the score differences in all their rounds.
    difference: i128,
}

impl Cluster {
    fn pairs(&self) -> i128 {
        i128::from(self.counts.iter().sum::<u64>())
    }
}

/// Pairs by their starts.
///
/// Pairs that start alike are one piece of evidence, regardless of their number: players without
/// randomness repeat them exactly. If all pairs start alike, nothing is known about other starts,
/// and pairs with exactly the same course are one piece.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    starts: BTreeMap<u64, Cluster>,
    courses: BTreeMap<u64, Cluster>,
    /// The first pair of each start, by its half points.
    firsts: [u64; 5],
}

/// Number of different starts, and number of independent pieces of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Distinct {
    /// Number of different starts.
    pub starts: u64,
    /// Number of independent pieces of evidence: the starts, or the courses if there is only one
    /// start.
    pub independent: u64,
}

impl Evidence {
    /// Adds a pair: numbers that identify its start and the course of its rounds, the first
    /// player's half points (0 to 4), and the score difference of both rounds together.
    pub fn add(&mut self, start: u64, course: u64, half_points: usize, difference: i64) {
        let kind = half_points.min(4);
        self.firsts[kind] += u64::from(!self.starts.contains_key(&start));
        for (clusters, key) in [(&mut self.starts, start), (&mut self.courses, course)] {
            let cluster = clusters.entry(key).or_default();
            cluster.counts[kind] += 1;
            cluster.difference += i128::from(difference);
        }
    }

    /// The pairs for a sequential test, by their half points: the first pair of each start.
    pub fn firsts(&self) -> [u64; 5] {
        self.firsts
    }

    /// Counts the independent pieces of evidence.
    pub fn distinct(&self) -> Distinct {
        let independent = self.clusters().len() as u64;
        Distinct { starts: self.starts.len() as u64, independent }
    }

    fn clusters(&self) -> &BTreeMap<u64, Cluster> {
        if self.starts.len() == 1 { &self.courses } else { &self.starts }
    }

    fn spread(&self) -> Spread {
        Spread::new(self.clusters().values().map(|cluster| (cluster.counts, 1)))
    }

    /// The first player's score as a share of the rounds, with its interval.
    pub fn score(&self) -> Estimate {
        self.spread().score()
    }

    /// The difference of strength.
    pub fn strength(&self) -> Strength {
        Strength::from_spread(&self.spread())
    }

    /// The mean score difference in a round, with an interval by Student's t over the sums of pairs
    /// that start alike ("The probable error of a mean", 1908). If all sums are equal, their spread
    /// is unknown, and the interval has no ends.
    pub fn difference(&self) -> Estimate {
        let clusters = || self.clusters().values();
        let pairs: i128 = clusters().map(Cluster::pairs).sum();
        let sum: i128 = clusters().map(|cluster| cluster.difference).sum();
        let value = sum as f64 / (2 * pairs.max(1)) as f64;
        // Distances from the mean, times the number of pairs, so that they are integers.
        let apart = |cluster: &Cluster| pairs * cluster.difference - cluster.pairs() * sum;
        let margin = if clusters().all(|cluster| apart(cluster) == 0) {
            f64::INFINITY
        } else {
            let count = clusters().len();
            let squares: f64 = clusters().map(|cluster| (apart(cluster) as f64).powi(2)).sum();
            let inflated = squares * count as f64 / (count - 1) as f64;
            student(count as i128 - 1) * inflated.sqrt() / 2.0 / (pairs as f64).powi(2)
        };
        Estimate { value, low: value - margin, high: value + margin }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair_score;

    /// Evidence from pairs with these starts, half points and differences, each with a different
    /// course.
    fn evidence(pairs: &[(u64, usize, i64)]) -> Evidence {
        let mut evidence = Evidence::default();
        for (course, (start, half_points, difference)) in (0..).zip(pairs) {
            evidence.add(*start, course, *half_points, *difference);
        }
        evidence
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
    }

    #[test]
    fn a_repeated_pair_counts_once() {
        let once: Vec<(u64, usize, i64)> =
            (0..9).map(|start| (start, [4, 2, 2, 0, 3, 4, 2, 1, 4][start as usize], 5)).collect();
        let often: Vec<_> = once.iter().copied().cycle().take(9 * 22).collect();
        let (once, often) = (evidence(&once), evidence(&often));
        let intervals = |evidence: &Evidence| {
            let strength = evidence.strength();
            let normalized = strength.normalized_elo.expect("a spread");
            let all = [evidence.score(), strength.elo, normalized];
            (all.map(|one| [one.value, one.low, one.high]), strength.superiority)
        };
        let (once_all, often_all) = (intervals(&once), intervals(&often));
        for (one, other) in once_all.0.iter().flatten().zip(often_all.0.iter().flatten()) {
            near(*other, *one);
        }
        near(often_all.1, once_all.1);
        assert_eq!((often.distinct().starts, often.distinct().independent), (9, 9));
        assert_eq!(often.firsts(), once.firsts());
        assert_eq!(often.firsts().iter().sum::<u64>(), 9);
    }

    #[test]
    fn with_one_start_only_different_courses_are_evidence() {
        let mut same = Evidence::default();
        let mut lots = Evidence::default();
        for number in 0..200 {
            same.add(0, 77, 4, 10);
            lots.add(0, number, if number % 2 == 0 { 4 } else { 2 }, 10);
        }
        assert_eq!((same.distinct().starts, same.distinct().independent), (1, 1));
        // As little as from one pair.
        near(same.score().low, pair_score(&[0, 0, 0, 0, 1]).low);
        assert_eq!(lots.distinct().independent, 200);
        near(lots.score().low, pair_score(&[0, 0, 100, 0, 100]).low);
    }

    #[test]
    fn independent_pairs_count_fully() {
        let kinds = [4, 4, 2, 0, 3, 1, 2, 2];
        let pairs: Vec<_> = (0..8).map(|at| (at, kinds[at as usize], 3 * at as i64 - 4)).collect();
        let evidence = evidence(&pairs);
        let counts = evidence.firsts();
        assert_eq!(counts, [1, 1, 3, 1, 2]);
        near(evidence.score().high, pair_score(&counts).high);
        near(evidence.strength().elo.low, Strength::new(&counts).elo.low);
    }

    #[test]
    fn the_score_difference_matches_a_calculation_by_hand() {
        // Sums of the pairs: 4, 8, 6; mean 6, variance 4.
        let estimate = evidence(&[(0, 2, 4), (1, 2, 8), (2, 2, 6)]).difference();
        near(estimate.value, 3.0);
        let margin = 4.302_652_729_75 * (4.0_f64 / 3.0).sqrt() / 2.0;
        near(estimate.high, 3.0 + margin);
        near(estimate.low, 3.0 - margin);
        let twice = [(0, 2, 4), (1, 2, 8), (2, 2, 6), (0, 2, 4), (1, 2, 8), (2, 2, 6)];
        near(evidence(&twice).difference().high, 3.0 + margin);
    }

    #[test]
    fn an_unobserved_spread_is_unknown() {
        assert_eq!(evidence(&[]).difference().value, 0.0);
        for pairs in [&[(0, 2, 11)][..], &[(0, 2, 11), (1, 2, 11), (2, 2, 11)]] {
            let estimate = evidence(pairs).difference();
            assert_eq!(
                (estimate.value, estimate.low, estimate.high),
                (5.5, f64::NEG_INFINITY, f64::INFINITY)
            );
        }
        let largest = evidence(&[(0, 4, i64::MAX), (1, 0, i64::MIN)]).difference();
        assert!(largest.high.is_finite());
    }
}
