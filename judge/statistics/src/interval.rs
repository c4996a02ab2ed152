//! Estimates with their 95 % intervals: of a score over pairs of games, of a share of games, of a
//! mean. They use floats, because none of this is recorded or decides a verdict.

use statrs::distribution::{ContinuousCDF as _, Normal};

use super::estimate::{Estimate, Z};
use super::spread::Spread;
use super::student::student_among;

/// Share of intervals that cover the true value.
const COVERED: f64 = 0.95;

/// The mean score of independent pairs. The unit is the pair, not the game: its two games share
/// their luck, so they are not independent of each other, and an interval over games would be
/// wrong.
///
/// A side that won every pair has no spread, and a mean with its plain standard error would then
/// claim to know the score exactly. Virtual pairs, which are added to the counts, prevent that.
pub fn pair_score(counts: &[u64; 5]) -> Estimate {
    Spread::of_pairs(counts).score()
}

/// A share of independent games, with Wilson's interval ("Probable inference", 1927).
pub fn share(hits: u64, games: u64) -> Estimate {
    if games == 0 {
        return Estimate { value: 0.5, low: 0.0, high: 1.0 };
    }
    wilson(hits as f64 / games as f64, games as f64)
}

/// A share of independent games, some of which may count half, as one of `among` shares. All of
/// their intervals together cover the true values in 95 of 100 cases (Bonferroni).
pub fn share_among(rate: f64, games: u64, among: usize) -> Estimate {
    if games == 0 {
        return Estimate { value: 0.5, low: 0.0, high: 1.0 };
    }
    let missed = (1.0 - COVERED) / 2.0 / among.max(1) as f64;
    wilson_within(rate, games as f64, Normal::standard().inverse_cdf(1.0 - missed))
}

/// Wilson's interval for a share of independent trials. `count` may be fractional if it represents
/// a variance.
pub(super) fn wilson(rate: f64, count: f64) -> Estimate {
    wilson_within(rate, count, Z)
}

/// Wilson's interval with another quantile `z` of the normal distribution.
fn wilson_within(rate: f64, count: f64, z: f64) -> Estimate {
    let weight = 1.0 + z * z / count;
    let centre = (rate + z * z / (2.0 * count)) / weight;
    let margin = z / weight * (rate * (1.0 - rate) / count + z * z / (4.0 * count * count)).sqrt();
    // Rounding may push an end beyond a share of 0 or 1.
    let (low, high) = ((centre - margin).max(0.0).min(rate), (centre + margin).min(1.0).max(rate));
    Estimate { value: rate, low, high }
}

/// Numbers for a mean, with exact sums, so that their order does not matter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    count: u64,
    sum: i128,
    squares: i128,
}

impl Sum {
    /// Adds a number.
    pub fn add(&mut self, number: i64) {
        let number = i128::from(number);
        self.count += 1;
        self.sum += number;
        self.squares += number * number;
    }

    /// The mean with an interval by Student's t, each number divided by `unit`. The spread of fewer
    /// than two numbers, or of equal numbers, is unknown.
    pub fn mean(&self, unit: f64) -> Estimate {
        self.mean_among(unit, 1)
    }

    /// [`Sum::mean`] as one of `among` intervals that together cover the true values in 95 of 100
    /// cases, such as those after which a sequential comparison may stop.
    pub fn mean_among(&self, unit: f64, among: usize) -> Estimate {
        let count = self.count as f64;
        let value = self.sum as f64 / count.max(1.0);
        let spread = self.squares as f64 - value * value * count;
        let count_times = |number: i128| i128::from(self.count) * number;
        let margin = if self.count < 2 || count_times(self.squares) == self.sum * self.sum {
            f64::INFINITY
        } else {
            let quantile = student_among(i128::from(self.count) - 1, among);
            quantile * (spread.max(0.0) / (count - 1.0) / count).sqrt()
        };
        let [value, low, high] = [value, value - margin, value + margin].map(|end| end / unit);
        Estimate { value, low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::{Purpose, Random, Seed};

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-5, "{found} instead of {expected}");
    }

    #[test]
    fn intervals_of_pairs_match_a_calculation_by_hand() {
        // 6 pairs split and 2 won, with the virtual ones 2 lost, 6 split and 4 won: mean 7/12,
        // variance (2·49 + 6·1 + 4·25) / 144 / 12 = 204/1728.
        let estimate = pair_score(&[0, 0, 6, 0, 2]);
        near(estimate.value, 0.625);
        let margin = Z * (204.0_f64 / 1728.0 / 12.0).sqrt();
        near(estimate.low, 7.0 / 12.0 - margin);
        near(estimate.high, 7.0 / 12.0 + margin);
    }

    #[test]
    fn half_points_count_as_halves() {
        near(pair_score(&[1, 2, 3, 4, 5]).value, 40.0 / 60.0);
    }

    #[test]
    fn a_clean_sweep_has_a_finite_interval() {
        let estimate = pair_score(&[0, 0, 0, 0, 100]);
        assert_eq!((estimate.value, estimate.high), (1.0, 1.0));
        // The exact bound of Clopper and Pearson is 0.9638; this one is a little wider.
        assert!((0.945..0.9638).contains(&estimate.low), "{estimate:?}");
        let other_way = pair_score(&[100, 0, 0, 0, 0]);
        near(other_way.high, 1.0 - estimate.low);
    }

    #[test]
    fn intervals_of_shares_match_published_values() {
        // Newcombe, "Two-sided confidence intervals for the single proportion", 1998, method 3.
        for (hits, games, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
        {
            let estimate = share(hits, games);
            near(estimate.low, low);
            near(estimate.high, high);
        }
    }

    #[test]
    fn intervals_of_many_shares_are_wider() {
        let [alone, plain] = [share_among(0.3, 100, 1), share(30, 100)];
        near(alone.low, plain.low);
        near(alone.high, plain.high);
        // 95 % over ten: the two-sided point of 99.5 % is 2.8070.
        let wide = wilson_within(0.3, 100.0, 2.807_034);
        near(share_among(0.3, 100, 10).low, wide.low);
        assert_eq!(share_among(0.5, 0, 3), share(0, 0));
    }

    #[test]
    fn intervals_of_means_match_a_calculation_by_hand() {
        let mut sum = Sum::default();
        for number in [2, 4, 4, 6] {
            sum.add(number);
        }
        let estimate = sum.mean(2.0);
        near(estimate.value, 2.0);
        // 3.1824 is the two-sided point of 95 % with three degrees of freedom, as in every table.
        near(estimate.high - estimate.value, 3.182_446 * (8.0_f64 / 3.0 / 4.0).sqrt() / 2.0);
        assert_eq!(Sum::default().mean(1.0).high, f64::INFINITY);
        let mut same = Sum::default();
        (0..3).for_each(|_| same.add(7));
        assert_eq!((same.mean(1.0).value, same.mean(1.0).low), (7.0, f64::NEG_INFINITY));
    }

    /// Number of times out of 1000 that the interval covers the true value, if `pair` draws each
    /// pair's half points.
    fn coverage(pairs: u64, truth: f64, mut pair: impl FnMut(&mut Random) -> usize) -> u32 {
        let mut covered = 0;
        for seed in 0..1000 {
            let mut random = Seed(seed).random(Purpose::Chance);
            let mut counts = [0; 5];
            (0..pairs).for_each(|_| counts[pair(&mut random)] += 1);
            let estimate = pair_score(&counts);
            covered += u32::from((estimate.low..=estimate.high).contains(&truth));
        }
        covered
    }

    #[test]
    fn an_interval_covers_the_truth_in_95_of_100_cases() {
        // Both games won with equal chance, independently.
        for (per_cent, pairs) in [(50, 50), (50, 400), (70, 100), (90, 100), (97, 100)] {
            let covered = coverage(pairs, f64::from(per_cent) / 100.0, |random| {
                (0..2).map(|_| 2 * usize::from(random.below(100) < per_cent)).sum()
            });
            assert!((935..=990).contains(&covered), "{per_cent} % over {pairs}: {covered}");
        }
    }

    #[test]
    fn an_interval_covers_the_truth_for_correlated_games() {
        // The seed's luck decides both: an interval over games would be too narrow by √2.
        let covered = coverage(100, 0.6, |random| 4 * usize::from(random.below(10) < 6));
        assert!((935..=970).contains(&covered), "{covered}");
        // The first player to move wins four of five games, so nearly every pair is split.
        let covered = coverage(100, 0.5, |random| match random.below(10) {
            0 => 0,
            1 => 4,
            _ => 2,
        });
        assert!((935..=985).contains(&covered), "{covered}");
    }
}
