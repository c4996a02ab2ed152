//! A bot's likely score in new rounds: from the scores of single rounds to the chance that a sum of
//! them reaches a threshold. Nothing here decides a verdict.

use std::collections::BTreeMap;

use judge_core::{Purpose, Seed};

use super::estimate::Estimate;
use super::interval::wilson;

/// Number of drawn sums. Their error is far below that of a few hundred played rounds.
const SUMS: usize = 20_000;

/// Scores of single rounds, with the number of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scores {
    /// By score and fuel.
    counts: BTreeMap<(i64, u64), u64>,
    faults: u64,
}

/// The requirement of a testcase for the sum of its rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// Number of rounds.
    pub rounds: usize,
    /// Least sum of scores.
    pub threshold: i64,
    /// Most fuel for all rounds together.
    pub fuel: u64,
}

/// Possible sums of several rounds, drawn from the scores of single rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreSums {
    /// In ascending order, without sums that contain a fault or exceed the fuel.
    sorted: Vec<i64>,
    /// Number of drawn sums.
    drawn: usize,
}

/// Score and fuel of several rounds together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Total {
    score: i64,
    fuel: u64,
}

impl Total {
    fn plus(self, score: i64, fuel: u64) -> Total {
        Total { score: self.score.saturating_add(score), fuel: self.fuel.saturating_add(fuel) }
    }
}

impl Scores {
    /// Adds the score and fuel of a round; no score if the bot failed, which fails any testcase.
    pub fn add(&mut self, score: Option<i64>, fuel: u64) {
        match score {
            Some(score) => *self.counts.entry((score, fuel)).or_default() += 1,
            None => self.faults += 1,
        }
    }

    /// Number of rounds so far.
    pub fn rounds(&self) -> u64 {
        self.counts.values().sum::<u64>() + self.faults
    }

    /// Number of rounds in which the bot failed.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Mean score of the rounds without a fault; none without such rounds.
    pub fn mean(&self) -> Option<f64> {
        let sum = |((score, _), count): (&(i64, u64), &u64)| *score as f64 * *count as f64;
        let sum: f64 = self.counts.iter().map(sum).sum();
        let rounds = self.rounds() - self.faults;
        (rounds > 0).then(|| sum / rounds as f64)
    }

    /// Sums of `rounds` rounds within `fuel`, drawn with replacement.
    pub fn sums(&self, rounds: usize, fuel: u64, seed: Seed) -> ScoreSums {
        let drawn = self.totals(rounds, seed).into_iter().filter(|total| total.fuel <= fuel);
        let mut sorted: Vec<i64> = drawn.map(|total| total.score).collect();
        sorted.sort_unstable();
        ScoreSums { sorted, drawn: SUMS }
    }

    /// [`SUMS`] sums of `rounds` rounds, without those that contain a fault.
    fn totals(&self, rounds: usize, seed: Seed) -> Vec<Total> {
        let repeated = |(round, count): (&(i64, u64), &u64)| {
            std::iter::repeat_n(*round, usize::try_from(*count).unwrap_or(usize::MAX))
        };
        let all: Vec<(i64, u64)> = self.counts.iter().flat_map(repeated).collect();
        let Ok(count) = u32::try_from(self.rounds()) else { return Vec::new() };
        let mut random = seed.random(Purpose::Chance);
        // Draw every round of a sum even after a fault, so that the next sum does not shift.
        let mut draw = || {
            let mut total = Some(Total::default());
            for _ in 0..rounds {
                let round = all.get(random.below(count) as usize);
                total = total.zip(round).map(|(total, (score, fuel))| total.plus(*score, *fuel));
            }
            total
        };
        (0..SUMS).filter_map(|_| draw()).collect()
    }

    /// The chance that new rounds meet the demand without a fault; none without played rounds.
    ///
    /// The estimate is the plug-in one: the mean over the last round of the chance of the others.
    /// Its variance is that of a U-statistic's first projection (Hoeffding, 1948), and the interval
    /// is Wilson's (1927) for the number of trials that corresponds to this variance.
    pub fn chance(&self, demand: Demand, seed: Seed) -> Option<Estimate> {
        let total = self.rounds();
        if total == 0 || demand.rounds == 0 {
            return None;
        }
        let rounds = demand.rounds as f64;
        let others = self.others(demand, seed);
        let weight = |count: u64| count as f64 / total as f64;
        let cell = |((score, fuel), count): (&(i64, u64), &u64)| {
            (weight(*count), others.meet(demand, *score, *fuel))
        };
        let cells: Vec<(f64, f64)> = self.counts.iter().map(cell).collect();
        // Rounding may leave the range of a share, and an empty sum is minus zero.
        let sum = cells.iter().fold(0.0, |sum, (weight, chance)| sum + weight * chance);
        let estimate = f64::clamp(sum, 0.0, 1.0);
        let spread = |chance: f64| (rounds * (chance - estimate)).powi(2);
        let of_faults = weight(self.faults) * spread(0.0);
        let variance: f64 =
            cells.iter().map(|(weight, chance)| weight * spread(*chance)).sum::<f64>() + of_faults;
        let fewest = total as f64 / rounds;
        let trials = match variance {
            0.0 => fewest,
            variance => {
                // Sums of many rounds may look more certain than the rounds are: a score that did
                // not occur in this many rounds may occur in the next.
                let trials = estimate * (1.0 - estimate) * total as f64 / variance;
                trials.clamp(fewest, total as f64)
            }
        };
        Some(wilson(estimate, trials))
    }

    /// The possible sums of all rounds but one.
    fn others(&self, demand: Demand, seed: Seed) -> Others {
        let costliest = self.counts.keys().map(|(_, fuel)| *fuel).max().unwrap_or(0);
        let mut totals = self.totals(demand.rounds - 1, seed);
        totals.sort_unstable_by_key(|total| total.score);
        let in_time = costliest.saturating_mul(demand.rounds as u64) <= demand.fuel;
        Others { totals, in_time }
    }
}

/// Sums of all rounds but one.
struct Others {
    /// In the order of their scores.
    totals: Vec<Total>,
    /// True if even the most expensive rounds stay within the fuel.
    in_time: bool,
}

impl Others {
    /// The share of them that meet the demand with one more round of this score and fuel.
    fn meet(&self, demand: Demand, score: i64, fuel: u64) -> f64 {
        let needed = demand.threshold.saturating_sub(score);
        let from = self.totals.partition_point(|total| total.score < needed);
        let enough = &self.totals[from..];
        let hits = if self.in_time {
            enough.len()
        } else {
            let within = |total: &&Total| total.fuel.saturating_add(fuel) <= demand.fuel;
            enough.iter().filter(within).count()
        };
        hits as f64 / SUMS as f64
    }
}

impl ScoreSums {
    /// The share of sums that reach `threshold`.
    pub fn at_least(&self, threshold: i64) -> f64 {
        let below = self.sorted.partition_point(|sum| *sum < threshold);
        (self.sorted.len() - below) as f64 / self.drawn as f64
    }

    /// The largest threshold that at least `share` of the sums reach; none if too many have faults.
    pub fn reached_by(&self, share: f64) -> Option<i64> {
        let needed = (share * self.drawn as f64).ceil().max(1.0) as usize;
        self.sorted.len().checked_sub(needed).map(|at| self.sorted[at])
    }

    /// The quantile of the sums without faults; none if all have faults.
    pub fn quantile(&self, part: f64) -> Option<i64> {
        let last = self.sorted.len().checked_sub(1)?;
        self.sorted.get((part * last as f64).round() as usize).copied()
    }

    /// The threshold that separates two bots best, and its error. That is the larger of two errors
    /// (the weaker bot passes, the stronger one fails), which the threshold minimizes.
    pub fn between(weaker: &ScoreSums, stronger: &ScoreSums) -> Option<(i64, f64)> {
        let error =
            |threshold: i64| weaker.at_least(threshold).max(1.0 - stronger.at_least(threshold));
        // The first error falls and the second rises with the threshold: bisect for their crossing.
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
        // If no sum is between the two bots, many thresholds are equally good, and the middle is
        // the safest. The second error rises just above a sum of the stronger bot, so the last good
        // threshold is such a sum.
        let as_good = |sum: &i64| *sum < best || error(*sum) <= error(best);
        let end = stronger.sorted.partition_point(as_good);
        let last = end.checked_sub(1).map_or(best, |at| stronger.sorted[at].max(best));
        let chosen = best + (last - best) / 2;
        Some((chosen, error(chosen)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::estimate::Z;
    use super::*;

    fn scores(list: &[(i64, u64)], faults: u64) -> Scores {
        let counts = list.iter().map(|(score, count)| ((*score, 10), *count)).collect();
        Scores { counts, faults }
    }

    /// A demand without a limit on fuel.
    fn demand(rounds: usize, threshold: i64) -> Demand {
        Demand { rounds, threshold, fuel: u64::MAX }
    }

    fn sums(scores: &Scores, seed: u64) -> ScoreSums {
        scores.sums(4, u64::MAX, Seed(seed))
    }

    fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() < within, "{found}, expected {expected}");
    }

    #[test]
    fn chances_match_the_binomial_distribution() {
        let coin = scores(&[(0, 500), (1, 500)], 0);
        let chance =
            |rounds, threshold| coin.chance(demand(rounds, threshold), Seed(1)).expect("rounds");
        near(chance(1, 1).value, 0.5, 1e-9);
        near(chance(8, 4).value, 163.0 / 256.0, 0.01);
        near(chance(8, 8).value, 1.0 / 256.0, 0.002);
        let one = chance(1, 1);
        near(one.high - one.low, 2.0 * Z * (0.25_f64 / 1000.0).sqrt(), 0.001);
        assert_eq!((chance(8, 0).value, chance(8, 0).high), (1.0, 1.0));
        near(chance(8, 0).low, 0.97, 0.01);
        assert_eq!(chance(8, 9).value, 0.0);
        assert_eq!(scores(&[], 0).chance(demand(1, 0), Seed(1)), None);
    }

    #[test]
    fn a_fault_fails_with_any_score() {
        let shaky = scores(&[(100, 90)], 10);
        let chance = shaky.chance(demand(2, 1), Seed(1)).expect("rounds");
        near(chance.value, 0.81, 0.01);
        assert!(chance.low < 0.75 && chance.high > 0.85, "{chance:?}");
        let hopeless = scores(&[], 5).chance(demand(3, i64::MIN), Seed(1));
        assert_eq!(hopeless.map(|chance| chance.value.to_string()), Some("0".to_owned()));
        assert_eq!((shaky.mean(), scores(&[], 5).mean()), (Some(100.0), None));
    }

    #[test]
    fn thresholds_by_the_share_that_reaches_them() {
        // Faults spoil every third sum of four rounds.
        let shaky = sums(&scores(&[(1, 45), (2, 45)], 10), 1);
        assert_eq!([0.7, 0.6, 0.1].map(|share| shaky.reached_by(share)), [None, Some(5), Some(7)]);
        for share in [0.01, 0.2, 0.5, 0.6] {
            let threshold = shaky.reached_by(share).expect("a threshold");
            assert!(shaky.at_least(threshold) >= share && shaky.at_least(threshold + 1) < share);
        }
    }

    #[test]
    fn the_threshold_between_two_bots_has_equal_errors() {
        let weaker = sums(&scores(&[(0, 1), (10, 1)], 0), 1);
        let stronger = sums(&scores(&[(10, 1), (20, 1)], 0), 2);
        let (threshold, error) = ScoreSums::between(&weaker, &stronger).expect("sums");
        assert!((31..=50).contains(&threshold), "{threshold}");
        near(error, 1.0 / 16.0, 0.01);
        let low = sums(&scores(&[(0, 1), (25, 1)], 0), 1);
        let high = sums(&scores(&[(125, 1), (150, 1)], 0), 2);
        assert_eq!(ScoreSums::between(&low, &high), Some((300, 0.0)), "101 to 500: the middle");
        let equal = ScoreSums::between(&weaker, &weaker).expect("sums");
        near(equal.1, 11.0 / 16.0, 0.02);
    }

    #[test]
    fn rounds_together_may_take_too_long() {
        // Half of the rounds are won and expensive: two expensive ones exceed the fuel, and one
        // gives too few points.
        let mut bot = Scores::default();
        for _ in 0..500 {
            bot.add(Some(10), 60);
            bot.add(Some(0), 30);
        }
        let chance = |threshold, fuel| {
            let chance = bot.chance(Demand { rounds: 2, threshold, fuel }, Seed(1));
            chance.expect("rounds").value
        };
        near(chance(20, 120), 0.25, 0.01);
        assert_eq!(chance(20, 119), 0.0);
        near(chance(10, 119), 0.5, 0.02);
        near(chance(0, 119), 0.75, 0.01);
        near(chance(0, 60), 0.25, 0.01);
        assert_eq!(bot.sums(2, 59, Seed(1)).quantile(0.5), None);
        assert_eq!(bot.sums(2, 60, Seed(1)).quantile(1.0), Some(0));
    }

    /// Chances that eight rounds come to 60, 90 and 120, by convolution in another language.
    const EXACT: [f64; 3] = [0.434484, 0.284526, 0.198187];

    /// Coverage of the intervals, for four hundred bots with a known chance.
    #[test]
    fn intervals_contain_the_true_chance_in_95_of_100_cases() {
        let rounds = [-20, -20, -20, 0, 0, 0, 0, 15, 15, 90];
        let mut missed = 0;
        let replicates = 400;
        for replicate in 0..replicates {
            let mut random = Seed(1_000 + replicate).random(Purpose::Opening);
            let mut seen = Scores::default();
            for _ in 0..300 {
                let place = random.below(10) as usize;
                seen.add(Some(rounds[place]), 10);
            }
            // From rare to likely.
            let threshold = [60, 90, 120][replicate as usize % 3];
            let exact = EXACT[replicate as usize % 3];
            let chance = seen.chance(demand(8, threshold), Seed(replicate)).expect("rounds");
            missed += u32::from(exact < chance.low || exact > chance.high);
        }
        assert!((8..=34).contains(&missed), "{missed} of {replicates} missed");
    }
}
