//! The rounds of a comparison: each seed under each set of conditions, by both versions.

use std::collections::BTreeMap;
use std::ops::Range;

use judge_arena::{Believed, Entrant, Job, JobStep, Pool, RoundOutline};
use judge_core::{
    BySeat, Event, Listener, RoundOutcome, RoundPlace, SeatSpec, Seed, Unit, Verdict,
};
use judge_grading::Testcase;
use judge_statistics::{Estimate, Scores, Sum};

use super::FEWEST;
use crate::Error;
use crate::grade::conditions::conditions;

/// A version's result in a round.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct VersionRound {
    pub(super) score: i64,
    fuel: u64,
    has_fault: bool,
    is_judge_error: bool,
    /// Equal for rounds with exactly the same lines and answers.
    course: u64,
}

/// The rounds so far.
pub(super) struct Comparison<'a> {
    pub(super) testcases: &'a [&'a Testcase],
    pub(super) versions: [&'a Entrant; 2],
    /// One testcase for each set of conditions.
    pub(super) distinct: Vec<&'a Testcase>,
    /// The number of each testcase's conditions, which testcases may share.
    pub(super) places: Vec<usize>,
    seed: u64,
    /// The results by seed, conditions and version.
    pub(super) played: Vec<Vec<[VersionRound; 2]>>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(
        testcases: &'a [&'a Testcase],
        versions: [&'a Entrant; 2],
        seed: u64,
    ) -> Comparison<'a> {
        let (distinct, places) = conditions(testcases);
        Comparison { testcases, versions, distinct, places, seed, played: Vec::new() }
    }

    /// Plays the next seeds, until each version has this many rounds under all conditions.
    pub(super) fn play_up_to(
        &mut self,
        rounds: u64,
        pool: &Pool,
        events: &mut dyn Listener,
    ) -> Result<(), Error> {
        let first = self.played.len();
        self.played.resize(rounds as usize, vec![Default::default(); self.distinct.len()]);
        let numbers = self.numbers(first..self.played.len());
        let jobs: Vec<Job> = numbers.clone().map(|number| self.job(number)).collect();
        let modules = self.modules();
        events.event(&Event::Started { unit: Unit::Rounds, total: Some(jobs.len() as u64) })?;
        Ok(pool.run_telling(&modules, &jobs, &|_| false, &mut |step| {
            let at = |job: usize| numbers.start + job;
            let event = match step {
                JobStep::Begun(job) => Event::RoundStarted { round: self.place(at(job)) },
                JobStep::Finished(done) => {
                    let outline = done.played.as_ref().map(|played| &played.outline);
                    let result = outline.map(|outline| self.take(at(done.job), outline));
                    Event::RoundFinished { round: self.place(at(done.job)), result }
                }
                JobStep::Believed(Believed { job, outline }) => {
                    let result = Some(self.take(at(job), &outline));
                    Event::RoundFinished { round: self.place(at(job)), result }
                }
            };
            events.event(&event)?;
            Ok(Vec::new())
        })?)
    }

    pub(super) fn modules(&self) -> Vec<&'a [u8]> {
        self.versions.map(|version| version.module.as_slice()).to_vec()
    }

    /// The numbers of the rounds on these seeds.
    fn numbers(&self, seeds: Range<usize>) -> Range<usize> {
        let each = 2 * self.distinct.len();
        seeds.start * each..seeds.end * each
    }

    /// The indexes of a round's seed, conditions and version.
    fn split(&self, number: usize) -> [usize; 3] {
        let (rest, version) = (number / 2, number % 2);
        [rest / self.distinct.len(), rest % self.distinct.len(), version]
    }

    pub(super) fn seed(&self, at: usize) -> Seed {
        Seed(self.seed.wrapping_add(at as u64))
    }

    /// A round by the indexes of its seed, conditions and version.
    pub(super) fn round(&self, [seed, conditions, version]: [usize; 3]) -> Job {
        let testcase = self.distinct[conditions];
        let identity = &self.versions[version].bot;
        let bot = SeatSpec::Bot { name: identity.name.clone(), sha256: identity.sha256 };
        let modules = BySeat::from_fn(|seat| (seat == testcase.seat).then_some(version));
        Job { spec: testcase.spec(&bot, self.seed(seed)), modules }
    }

    fn job(&self, number: usize) -> Job {
        self.round(self.split(number))
    }

    fn place(&self, number: usize) -> RoundPlace {
        let [seed, conditions, version] = self.split(number);
        let testcase = self.distinct[conditions];
        RoundPlace {
            submission: self.versions[version].bot.name.clone(),
            opponent: testcase.opponent.clone(),
            testcase: Some(testcase.name.clone()),
            round: seed as u64 + 1,
            seed: self.seed(seed),
        }
    }

    /// Keeps the result of a round, and reports it.
    fn take(&mut self, number: usize, outline: &RoundOutline) -> RoundOutcome {
        let [seed, conditions, version] = self.split(number);
        let (outcome, fault) = (&outline.outcome, outline.fault.as_ref());
        let seat = self.distinct[conditions].seat;
        let (score, fuel) = (outcome.score(seat), outline.fuel[seat.index()].unwrap_or(0));
        self.played[seed][conditions][version] = VersionRound {
            score,
            fuel,
            course: outline.course,
            has_fault: fault.is_some(),
            is_judge_error: fault.is_some_and(|fault| fault.seat.is_none()),
        };
        let verdict = fault.map_or(Verdict::Accepted, |fault| fault.verdict);
        RoundOutcome { verdict, score, opponent_score: outcome.score(seat.other()), fuel }
    }

    /// The seeds on which the judge did not fail, with their results.
    pub(super) fn counted(&self) -> impl Iterator<Item = (usize, &Vec<[VersionRound; 2]>)> {
        let fails = |rounds: &Vec<[VersionRound; 2]>| {
            rounds.iter().flatten().any(|round| round.is_judge_error)
        };
        self.played.iter().enumerate().filter(move |(_, rounds)| !fails(rounds))
    }

    /// The mean score difference in a round, over all testcases. Its unit of evidence is a seed,
    /// because all testcases share the luck of a seed. Seeds with exactly the same rounds count
    /// once. If all of enough seeds give the same difference, its interval has no width.
    pub(super) fn difference(&self, looks: usize) -> Estimate {
        let (mut all, mut distinct) = (Vec::new(), BTreeMap::new());
        for (_, rounds) in self.counted() {
            let courses: Vec<u64> = rounds.iter().flatten().map(|round| round.course).collect();
            let by: i64 = self.places.iter().map(|at| difference(&rounds[*at])).sum();
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
    pub(super) fn excludes_zero(&self, looks: usize) -> bool {
        let Estimate { low, high, .. } = self.difference(looks);
        low > 0.0 || high < 0.0
    }

    /// The mean score difference in a round under these conditions.
    pub(super) fn difference_under(&self, conditions: usize) -> Estimate {
        let mut sum = Sum::default();
        self.counted().for_each(|(_, rounds)| sum.add(difference(&rounds[conditions])));
        sum.mean(1.0)
    }

    /// A version's scores under these conditions.
    pub(super) fn scores(&self, conditions: usize, version: usize) -> Scores {
        let mut scores = Scores::default();
        for (_, rounds) in self.counted() {
            let round = rounds[conditions][version];
            scores.add((!round.has_fault).then_some(round.score), round.fuel);
        }
        scores
    }
}

/// The new version's score minus the old one's.
pub(super) fn difference([old, new]: &[VersionRound; 2]) -> i64 {
    new.score.saturating_sub(old.score).clamp(i32::MIN.into(), i32::MAX.into())
}
