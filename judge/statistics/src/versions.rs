//! A comparison of two versions of a bot that play the same seeds under the same conditions: their
//! score difference, and the numbers of seeds after which the comparison may stop.

use std::collections::BTreeMap;

use judge_core::{Fault, Seed};
use serde::Serialize;

use super::calibration::{Demand, Scores};
use super::estimate::Estimate;
use super::interval::Sum;

/// Fewest seeds after which a comparison may stop.
const FEWEST: u64 = 20;

/// Maximum number of times that a comparison looks at its interval.
const LOOKS: usize = 6;

/// Seed of the random sums. It is fixed, so that every run gives the same figures.
const DRAW: Seed = Seed(0);

/// Maximum number of lost rounds that are listed.
const WORST: usize = 10;

/// The answer of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The new version scores more.
    Better,
    /// The new version scores less.
    Worse,
    /// The rounds do not decide.
    Undecided,
}

impl Answer {
    /// The answer that this difference between the new and the old version gives.
    pub fn new(difference: Estimate) -> Answer {
        match difference {
            Estimate { low, .. } if low > 0.0 => Answer::Better,
            Estimate { high, .. } if high < 0.0 => Answer::Worse,
            _ => Answer::Undecided,
        }
    }
}

/// A version's result in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionRound {
    score: i64,
    fuel: u64,
    course: u64,
    has_fault: bool,
    is_judge_error: bool,
}

impl VersionRound {
    /// The result of a round with this score and fuel. `course` is equal for rounds with exactly
    /// the same lines and answers.
    pub fn new(score: i64, fuel: u64, course: u64, fault: Option<&Fault>) -> VersionRound {
        let is_judge_error = fault.is_some_and(|fault| fault.seat.is_none());
        VersionRound { score, fuel, course, has_fault: fault.is_some(), is_judge_error }
    }
}

/// The indexes of a round's seed, conditions and version.
pub type VersionPlace = [usize; 3];

/// The results of both versions. Pairs are of the old and the new version.
#[derive(Debug, Clone)]
pub struct VersionRounds {
    /// The number of each testcase's conditions, which testcases may share.
    places: Vec<usize>,
    conditions: usize,
    /// The results of the planned rounds, by their numbers.
    results: Vec<Option<VersionRound>>,
    /// Number of planned rounds without a result.
    missing: usize,
}

/// A round in which the new version scored less than the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorseRound {
    /// The indexes of its seed and conditions.
    pub place: [usize; 2],
    /// The score of each version.
    pub scores: [i64; 2],
}

impl VersionRounds {
    /// No rounds. `places` has the number of each testcase's conditions, which testcases may share.
    pub fn new(places: Vec<usize>) -> VersionRounds {
        let conditions = places.iter().max().map_or(0, |last| last + 1);
        VersionRounds { places, conditions, results: Vec::new(), missing: 0 }
    }

    /// Plans the rounds of the next seeds, up to this number of seeds.
    pub fn plan(&mut self, seeds: u64) {
        let before = self.results.len();
        self.results.resize(2 * self.conditions * seeds as usize, None);
        self.missing += self.results.len() - before;
    }

    /// The number of each testcase's conditions.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// Number of planned rounds.
    pub fn planned(&self) -> usize {
        self.results.len()
    }

    /// Number of planned rounds without a result.
    pub fn missing(&self) -> usize {
        self.missing
    }

    /// Number of planned seeds.
    pub fn seeds(&self) -> u64 {
        (self.results.len() / (2 * self.conditions).max(1)) as u64
    }

    /// The place of a round by its number.
    pub fn place(&self, number: usize) -> VersionPlace {
        let (rest, version) = (number / 2, number % 2);
        [rest / self.conditions, rest % self.conditions, version]
    }

    /// Takes the result of a round. False if no such round is planned.
    pub fn take(&mut self, number: usize, result: VersionRound) -> bool {
        let Some(known) = self.results.get_mut(number) else { return false };
        if known.replace(result).is_none() {
            self.missing -= 1;
        }
        true
    }

    /// The seeds that count, each with both results by conditions: those with all results on which
    /// the judge did not fail.
    fn counted(&self) -> impl Iterator<Item = (usize, Vec<[VersionRound; 2]>)> {
        let seeds = self.results.chunks_exact((2 * self.conditions).max(1)).enumerate();
        seeds.filter_map(|(seed, results)| {
            let pairs = results.chunks_exact(2).map(|pair| Some([pair[0]?, pair[1]?]));
            let pairs: Vec<[VersionRound; 2]> = pairs.collect::<Option<_>>()?;
            let fails = pairs.iter().flatten().any(|result| result.is_judge_error);
            (!fails).then_some((seed, pairs))
        })
    }

    /// Number of seeds that do not count.
    pub fn left_out(&self) -> u64 {
        self.seeds() - self.counted().count() as u64
    }

    /// The mean score difference in a round, over all testcases. Its unit of evidence is a seed,
    /// because all testcases share the luck of a seed. Seeds with exactly the same rounds count
    /// once. If all of enough seeds give the same difference, its interval has no width.
    pub fn difference(&self, looks: usize) -> Estimate {
        let (mut all, mut distinct) = (Vec::new(), BTreeMap::new());
        for (_, pairs) in self.counted() {
            let courses: Vec<u64> = pairs.iter().flatten().map(|result| result.course).collect();
            let by: i64 = self.places.iter().map(|at| lead(&pairs[*at])).sum();
            all.push(by);
            distinct.insert(courses, by);
        }
        let mut sum = Sum::default();
        distinct.into_values().for_each(|by| sum.add(by));
        let found = sum.mean_among(self.places.len() as f64, looks);
        let is_constant = all.iter().all(|by| *by != 0 && *by == all[0]);
        if is_constant && all.len() as u64 >= FEWEST {
            return Estimate { low: found.value, high: found.value, ..found };
        }
        found
    }

    /// True if it is clear which version scores more.
    pub fn excludes_zero(&self, looks: usize) -> bool {
        Answer::new(self.difference(looks)) != Answer::Undecided
    }

    /// The mean score difference in a round under these conditions.
    pub fn difference_under(&self, conditions: usize) -> Estimate {
        let mut sum = Sum::default();
        self.counted().for_each(|(_, pairs)| sum.add(lead(&pairs[conditions])));
        sum.mean(1.0)
    }

    /// The scores of both versions under these conditions.
    pub fn scores(&self, conditions: usize) -> [Scores; 2] {
        let mut scores = [Scores::default(), Scores::default()];
        for (_, pairs) in self.counted() {
            for (scores, result) in scores.iter_mut().zip(pairs[conditions]) {
                scores.add((!result.has_fault).then_some(result.score), result.fuel);
            }
        }
        scores
    }

    /// The rounds in which the new version lost the most, worst first.
    pub fn worst(&self) -> Vec<WorseRound> {
        let mut lost: Vec<(i64, [usize; 2], [i64; 2])> = Vec::new();
        for (seed, pairs) in self.counted() {
            let rounds = pairs.iter().enumerate();
            let rounds =
                rounds.map(|(at, pair)| (lead(pair), [seed, at], pair.map(|one| one.score)));
            lost.extend(rounds.filter(|(by, ..)| *by < 0));
        }
        lost.sort_unstable();
        lost.truncate(WORST);
        lost.into_iter().map(|(_, place, scores)| WorseRound { place, scores }).collect()
    }
}

/// The chances of both versions to meet the demand of a testcase, from their scores.
pub fn version_chances(scores: &[Scores; 2], demand: Demand) -> [Option<Estimate>; 2] {
    scores.each_ref().map(|scores| scores.chance(demand, DRAW))
}

/// Numbers of seeds after which a comparison may stop: the maximum, and halves of it.
pub fn looks(most: u64) -> Vec<u64> {
    let halves = std::iter::successors(Some(most), |seeds| Some(seeds / 2));
    let enough = halves.take_while(|seeds| *seeds >= FEWEST.min(most)).take(LOOKS);
    let mut looks: Vec<u64> = enough.collect();
    looks.reverse();
    looks
}

/// The new version's score minus the old one's.
fn lead([old, new]: &[VersionRound; 2]) -> i64 {
    new.score.saturating_sub(old.score).clamp(i32::MIN.into(), i32::MAX.into())
}

#[cfg(test)]
mod tests {
    use judge_core::{Seat, Verdict};

    use super::*;

    /// Rounds of two testcases under the same conditions: the scores of both versions by seed.
    fn rounds(scores: &[[i64; 2]]) -> VersionRounds {
        let mut rounds = VersionRounds::new(vec![0, 0]);
        rounds.plan(scores.len() as u64);
        for (number, score) in scores.iter().flatten().enumerate() {
            assert!(rounds.take(number, VersionRound::new(*score, 1, number as u64, None)));
        }
        rounds
    }

    fn fault(seat: Option<Seat>) -> Fault {
        Fault { seat, verdict: Verdict::JudgeError, detail: "made up".into(), call: None }
    }

    #[test]
    fn looks_at_the_result_double_up_to_the_bound() {
        assert_eq!(looks(400), [25, 50, 100, 200, 400]);
        assert_eq!((looks(10), looks(39)), (vec![10], vec![39]));
        assert_eq!(looks(100_000).len(), LOOKS);
    }

    #[test]
    fn rounds_are_numbered_by_seed_conditions_and_version() {
        let mut rounds = VersionRounds::new(vec![0, 1, 1]);
        rounds.plan(2);
        assert_eq!((rounds.planned(), rounds.missing(), rounds.seeds()), (8, 8, 2));
        assert_eq!(
            [0, 3, 4, 7].map(|number| rounds.place(number)),
            [[0, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]]
        );
        let result = VersionRound::new(1, 1, 1, None);
        assert!(rounds.take(7, result) && rounds.take(7, result) && !rounds.take(8, result));
        assert_eq!((rounds.missing(), rounds.left_out()), (7, 2), "no seed is complete");
    }

    #[test]
    fn an_equal_difference_of_enough_seeds_is_certain() {
        let difference = |count: usize| rounds(&vec![[1, 4]; count]).difference(1);
        assert_eq!(difference(20), Estimate { value: 3.0, low: 3.0, high: 3.0 });
        assert_eq!(difference(19).low, f64::NEG_INFINITY);
        assert_eq!(Answer::new(difference(19)), Answer::Undecided);
        assert!(rounds(&[[1, 4]; 20]).excludes_zero(6) && !rounds(&[[1, 1]; 20]).excludes_zero(1));
    }

    #[test]
    fn a_seed_on_which_the_judge_failed_does_not_count() {
        let mut rounds = rounds(&[[0, 1], [0, 3], [900, 0]]);
        let take = |rounds: &mut VersionRounds, fault: Fault| {
            rounds.take(5, VersionRound::new(0, 1, 5, Some(&fault)));
        };
        take(&mut rounds, fault(Some(Seat::One)));
        assert_eq!(rounds.worst(), [WorseRound { place: [2, 0], scores: [900, 0] }]);
        assert_eq!(rounds.scores(0).each_ref().map(Scores::faults), [0, 1]);
        take(&mut rounds, fault(None));
        assert_eq!((rounds.left_out(), rounds.difference(1).value), (1, 2.0));
        assert_eq!(rounds.worst(), []);
    }
}
