//! What a bot is likely to score in rounds that nobody has seen: from the scores of single rounds
//! to the chance that a sum of them reaches a threshold. Nothing here decides a verdict.

use std::collections::BTreeMap;

use judge_core::{Purpose, Random, Seed};

use super::interval::{Estimate, wilson};

/// How many sums are drawn. Their error is far below that of a few hundred played rounds.
const SUMS: usize = 20_000;

/// Scores of single rounds, and how often each came up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scores {
    counts: BTreeMap<i64, u64>,
    faults: u64,
}

/// Sums of several rounds, as they may come up: drawn from the scores of single ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Sums {
    /// In rising order; sums with a fault in them are left out.
    sorted: Vec<i64>,
    /// How many were drawn.
    drawn: usize,
}

impl Scores {
    /// Takes the score of a round; none if the bot failed in it, which fails any testcase.
    pub fn add(&mut self, score: Option<i64>) {
        match score {
            Some(score) => *self.counts.entry(score).or_default() += 1,
            None => self.faults += 1,
        }
    }

    /// Rounds so far.
    pub fn rounds(&self) -> u64 {
        self.counts.values().sum::<u64>() + self.faults
    }

    /// Rounds in which the bot failed.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Mean score of a round, faults counting 0; none without rounds.
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.counts.iter().map(|(score, count)| *score as f64 * *count as f64).sum();
        (self.rounds() > 0).then(|| sum / self.rounds() as f64)
    }

    /// Sums of `rounds` rounds, drawn with replacement.
    pub fn sums(&self, rounds: usize, seed: Seed) -> Sums {
        let mut random = seed.random(Purpose::Chance);
        let sums = (0..SUMS).filter_map(|_| self.draw(rounds, &mut random));
        let mut sorted: Vec<i64> = sums.collect();
        sorted.sort_unstable();
        Sums { sorted, drawn: SUMS }
    }

    /// One sum; none if there is a fault in it.
    fn draw(&self, rounds: usize, random: &mut Random) -> Option<i64> {
        let total = u32::try_from(self.rounds()).ok()?;
        (0..rounds).try_fold(0_i64, |sum, _| {
            let mut place = u64::from(random.below(total));
            let score = self.counts.iter().find_map(|(score, count)| {
                let hit = place < *count;
                place = place.saturating_sub(*count);
                hit.then_some(*score)
            });
            Some(sum.saturating_add(score?))
        })
    }

    /// The chance that the sum of `rounds` rounds reaches `threshold` without a fault; none
    /// without rounds to judge by.
    ///
    /// The estimate is the plug-in one, the mean over the last round's score of the chance of the
    /// others; its variance is that of a U-statistic's first projection (Hoeffding, 1948), and the
    /// interval is Wilson's (1927) for the number of trials that such a variance stands for.
    pub fn chance(&self, rounds: usize, threshold: i64, seed: Seed) -> Option<Estimate> {
        let total = self.rounds();
        if total == 0 || rounds == 0 {
            return None;
        }
        let others = self.sums(rounds - 1, seed);
        let given = |score: i64| others.at_least(threshold.saturating_sub(score));
        let weight = |count: u64| count as f64 / total as f64;
        let cells: Vec<(f64, f64)> =
            self.counts.iter().map(|(score, count)| (weight(*count), given(*score))).collect();
        // Rounding may lead beyond what a share can be.
        let sum: f64 = cells.iter().map(|(weight, chance)| weight * chance).sum();
        let estimate = sum.clamp(0.0, 1.0);
        let spread = |chance: f64| (rounds as f64 * (chance - estimate)).powi(2);
        let of_faults = weight(self.faults) * spread(0.0);
        let variance: f64 =
            cells.iter().map(|(weight, chance)| weight * spread(*chance)).sum::<f64>() + of_faults;
        let fewest = total as f64 / rounds as f64;
        let trials = match variance {
            0.0 => fewest,
            variance => {
                // Sums of many rounds may look surer than the rounds are: what did not come up in
                // so many of them may come up in the next.
                let trials = estimate * (1.0 - estimate) * total as f64 / variance;
                trials.clamp(fewest, total as f64)
            }
        };
        Some(wilson(estimate, trials))
    }
}

impl Sums {
    /// The share of sums that reach `threshold`.
    pub fn at_least(&self, threshold: i64) -> f64 {
        let below = self.sorted.partition_point(|sum| *sum < threshold);
        (self.sorted.len() - below) as f64 / self.drawn as f64
    }

    /// The sum below which a part of the sums without faults lies; none if all have faults.
    pub fn quantile(&self, part: f64) -> Option<i64> {
        let last = self.sorted.len().checked_sub(1)?;
        self.sorted.get((part * last as f64).round() as usize).copied()
    }

    /// The threshold that tells two bots apart best: the one at which the larger of two errors,
    /// that the weaker passes and that the stronger fails, is smallest; and that error.
    pub fn between(weaker: &Sums, stronger: &Sums) -> Option<(i64, f64)> {
        let error =
            |threshold: i64| weaker.at_least(threshold).max(1.0 - stronger.at_least(threshold));
        // The first error falls and the second rises with the threshold: halve where they cross.
        let (mut low, mut high) = (*weaker.sorted.first()?, *stronger.sorted.last()?);
        while low < high {
            let middle = low + (high - low) / 2;
            if weaker.at_least(middle) > 1.0 - stronger.at_least(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let best = if error(low.saturating_sub(1)) < error(low) { low - 1 } else { low };
        // Where nothing lies between the two, many do equally well: the middle is the safest.
        // The second error rises right above a sum of the stronger one, so the last stands at one.
        let as_good = |sum: &i64| *sum < best || error(*sum) <= error(best);
        let end = stronger.sorted.partition_point(as_good);
        let last = end.checked_sub(1).map_or(best, |at| stronger.sorted[at].max(best));
        let chosen = best + (last - best) / 2;
        Some((chosen, error(chosen)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::interval::Z;
    use super::*;

    fn scores(list: &[(i64, u64)], faults: u64) -> Scores {
        Scores { counts: list.iter().copied().collect(), faults }
    }

    fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found}, expected {expected}");
    }

    #[test]
    fn chances_of_coins_are_those_of_the_binomial() {
        let coin = scores(&[(0, 500), (1, 500)], 0);
        let chance = |rounds, threshold| coin.chance(rounds, threshold, Seed(1)).expect("rounds");
        near(chance(1, 1).value, 0.5, 1e-9);
        near(chance(8, 4).value, 163.0 / 256.0, 0.01);
        near(chance(8, 8).value, 1.0 / 256.0, 0.002);
        let one = chance(1, 1);
        near(one.high - one.low, 2.0 * Z * (0.25_f64 / 1000.0).sqrt(), 0.001);
        assert_eq!((chance(8, 0).value, chance(8, 0).high), (1.0, 1.0));
        near(chance(8, 0).low, 0.97, 0.01);
        assert_eq!(chance(8, 9).value, 0.0);
        assert_eq!(scores(&[], 0).chance(1, 0, Seed(1)), None);
    }

    #[test]
    fn a_fault_fails_whatever_the_score() {
        let shaky = scores(&[(100, 90)], 10);
        let chance = shaky.chance(2, 1, Seed(1)).expect("rounds");
        near(chance.value, 0.81, 0.01);
        assert!(chance.low < 0.75 && chance.high > 0.85, "{chance:?}");
        assert_eq!(
            scores(&[], 5).chance(3, i64::MIN, Seed(1)).map(|chance| chance.value),
            Some(0.0)
        );
        near(shaky.mean().expect("rounds"), 90.0, 1e-9);
    }

    #[test]
    fn the_threshold_between_two_bots_stands_where_the_errors_meet() {
        let weaker = scores(&[(0, 1), (10, 1)], 0).sums(4, Seed(1));
        let stronger = scores(&[(10, 1), (20, 1)], 0).sums(4, Seed(2));
        let (threshold, error) = Sums::between(&weaker, &stronger).expect("sums");
        assert!((31..=50).contains(&threshold), "{threshold}");
        near(error, 1.0 / 16.0, 0.01);
        let low = scores(&[(0, 1), (25, 1)], 0).sums(4, Seed(1));
        let high = scores(&[(125, 1), (150, 1)], 0).sums(4, Seed(2));
        assert_eq!(Sums::between(&low, &high), Some((300, 0.0)), "101 to 500: the middle");
        let equal = Sums::between(&weaker, &weaker).expect("sums");
        near(equal.1, 11.0 / 16.0, 0.02);
    }

    /// Chances that eight rounds come to 60, 90 and 120, by convolution in another language.
    const EXACT: [f64; 3] = [0.434484, 0.284526, 0.198187];

    /// What was promised of intervals, on four hundred bots whose true chance is known.
    #[test]
    fn intervals_hold_the_true_chance_95_times_in_a_hundred() {
        let truth = scores(&[(-20, 3), (0, 4), (15, 2), (90, 1)], 0);
        let mut missed = 0;
        let replicates = 400;
        for replicate in 0..replicates {
            let mut random = Seed(1_000 + replicate).random(Purpose::Opening);
            let mut seen = Scores::default();
            for _ in 0..300 {
                seen.add(truth.draw(1, &mut random));
            }
            // From rare to likely.
            let threshold = [60, 90, 120][replicate as usize % 3];
            let exact = EXACT[replicate as usize % 3];
            let chance = seen.chance(8, threshold, Seed(replicate)).expect("rounds");
            missed += u32::from(exact < chance.low || exact > chance.high);
        }
        assert!((8..=34).contains(&missed), "{missed} of {replicates} missed");
    }
}
