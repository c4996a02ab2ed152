//! The score of pairs, plain and in units of its own spread, if pairs come in groups that are not
//! independent.

use statrs::distribution::{ContinuousCDF as _, Normal};

use super::estimate::{Estimate, FOR_SCORES, PAIR_SCORES, Z};
use super::student::student;

/// Number of virtual pairs won, and of those lost, that are added for the spread itself.
const FOR_SPREAD: f64 = 1.0;

/// Groups of pairs: the number of pairs by half points, and the number of groups like that. Groups
/// are independent of each other; the pairs of a group are not.
#[derive(Debug, Clone)]
pub(super) struct Spread {
    groups: Vec<([u64; 5], u64)>,
    counts: [f64; 5],
    pairs: f64,
    /// Number of groups.
    pieces: f64,
    /// Number of pairs with the weight of one piece of evidence.
    size: f64,
}

/// A mean and its spread.
struct Moments {
    mean: f64,
    /// Standard deviation of a pair.
    deviation: f64,
}

impl Spread {
    pub(super) fn new(groups: impl Iterator<Item = ([u64; 5], u64)>) -> Spread {
        let groups: Vec<([u64; 5], u64)> = groups.filter(|(_, times)| *times > 0).collect();
        let (mut counts, mut squares, mut pieces) = ([0.0; 5], 0.0, 0.0);
        for (group, times) in &groups {
            let times = *times as f64;
            let size: u64 = group.iter().sum();
            counts.iter_mut().zip(group).for_each(|(sum, count)| *sum += times * *count as f64);
            squares += times * (size as f64).powi(2);
            pieces += times;
        }
        let pairs: f64 = counts.iter().sum();
        let size = if pairs > 0.0 { squares / pairs } else { 1.0 };
        Spread { groups, counts, pairs, pieces, size }
    }

    /// Independent pairs.
    pub(super) fn of_pairs(counts: &[u64; 5]) -> Spread {
        Spread::new((0..5).map(|kind| {
            let mut one = [0; 5];
            one[kind] = 1;
            (one, counts[kind])
        }))
    }

    /// The mean score, with the interval of Agresti and Coull.
    pub(super) fn score(&self) -> Estimate {
        let plain: f64 = self.counts.iter().zip(PAIR_SCORES).map(|(count, of)| count * of).sum();
        let (mean, error) = self.mean();
        Estimate {
            value: if self.pairs > 0.0 { plain / self.pairs } else { 0.5 },
            low: (mean - Z * error).max(0.0),
            high: (mean + Z * error).min(1.0),
        }
    }

    /// The probability that the true mean is above one half, without prior knowledge.
    pub(super) fn superiority(&self) -> f64 {
        let (mean, error) = self.mean();
        Normal::standard().cdf((mean - 0.5) / error)
    }

    /// The mean and its standard error, with virtual pieces won and lost.
    fn mean(&self) -> (f64, f64) {
        let imagined = FOR_SCORES * self.size;
        let Moments { mean, .. } = self.moments(imagined);
        let squares = self.squares(&PAIR_SCORES.map(|score| score - mean))
            + FOR_SCORES * self.size.powi(2) * (mean.powi(2) + (1.0 - mean).powi(2));
        (mean, squares.sqrt() / (self.pairs + 2.0 * imagined))
    }

    /// The distance of the mean from one half, in standard deviations of a pair. The interval
    /// accounts for the estimated deviation by the delta method, which uses the skewness and
    /// kurtosis of the pairs. It also covers the interval with one virtual pair won and one lost,
    /// because a few pairs easily underestimate a spread. None without a spread.
    pub(super) fn standardized(&self) -> Option<Estimate> {
        let (value, error) = self.ratio(0.0)?;
        let (guarded, wide) = self.ratio(FOR_SPREAD * self.size)?;
        if self.pieces < 2.0 {
            return Some(Estimate { value, low: f64::NEG_INFINITY, high: f64::INFINITY });
        }
        let t = student(self.pieces as i128 - 1);
        let low = (value - t * error).min(guarded - t * wide);
        let high = (value + t * error).max(guarded + t * wide);
        Some(Estimate { value, low, high })
    }

    /// The distance in deviations and its standard error, with `imagined` virtual pairs won and
    /// lost.
    fn ratio(&self, imagined: f64) -> Option<(f64, f64)> {
        let Moments { mean, deviation } = self.moments(imagined);
        if deviation.is_nan() || deviation <= 0.0 {
            return None;
        }
        let ratio = (mean - 0.5) / deviation;
        // The change of the ratio by one more pair.
        let influence = PAIR_SCORES.map(|score| {
            let apart = (score - mean) / deviation;
            apart - ratio * (apart.powi(2) - 1.0) / 2.0
        });
        let pieces = imagined * self.size;
        let squares =
            self.squares(&influence) + pieces * (influence[0].powi(2) + influence[4].powi(2));
        let pairs = self.pairs + 2.0 * imagined;
        // Without virtual pairs, as for a mean.
        let freedom = if imagined > 0.0 { 1.0 } else { self.pieces / (self.pieces - 1.0).max(1.0) };
        Some((ratio, (squares * freedom).sqrt() / pairs))
    }

    fn moments(&self, imagined: f64) -> Moments {
        let mut weights = self.counts;
        weights[0] += imagined;
        weights[4] += imagined;
        let pairs: f64 = weights.iter().sum();
        let mean = weights.iter().zip(PAIR_SCORES).map(|(weight, of)| weight * of).sum::<f64>();
        let mean = mean / pairs;
        let square = |(weight, score): (&f64, f64)| weight * (score - mean).powi(2);
        let variance = weights.iter().zip(PAIR_SCORES).map(square).sum::<f64>() / pairs;
        Moments { mean, deviation: variance.sqrt() }
    }

    /// Sum over the groups of the square of the sum of a figure over their pairs.
    fn squares(&self, figure: &[f64; 5]) -> f64 {
        let square = |(group, times): &([u64; 5], u64)| {
            let sum: f64 =
                group.iter().zip(figure).map(|(count, figure)| *count as f64 * figure).sum();
            *times as f64 * sum.powi(2)
        };
        self.groups.iter().map(square).sum()
    }
}
