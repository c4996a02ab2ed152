//! The rounds of a calibration: each bot under each set of conditions of the testcases.

use judge_arena::{Believed, Job, JobStep, RoundOutline, Run};
use judge_core::{
    BySeat, Event, Listener, RoundOutcome, RoundPlace, SeatSpec, Seed, Unit, Verdict,
};
use judge_grading::Testcase;
use judge_statistics::Scores;

use crate::Error;
use crate::bots::BotSource;
use crate::grade::conditions::conditions;

/// The results of all rounds.
pub(super) struct CalibrationResults {
    /// The number of each testcase's conditions, which testcases may share.
    pub(super) conditions: Vec<usize>,
    /// The results by conditions and bot.
    pub(super) results: Vec<Vec<Sample>>,
    /// Number of rounds with a judge error, which are left out.
    pub(super) judge_errors: u64,
}

/// A bot's rounds under one set of conditions.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    pub(super) scores: Scores,
    /// Total fuel of all rounds.
    pub(super) fuel: u64,
}

/// Plays all rounds.
pub(super) fn all(
    run: &Run,
    testcases: &[&Testcase],
    bots: &[BotSource],
    seeds: &[Seed],
    events: &mut dyn Listener,
) -> Result<CalibrationResults, Error> {
    let (distinct, conditions) = conditions(testcases);
    let rounds = CalibrationRounds { distinct, bots, seeds };
    let jobs: Vec<Job> = (0..rounds.count()).map(|number| rounds.job(number)).collect();
    let modules: Vec<&[u8]> = bots.iter().map(|bot| bot.submission.module.as_slice()).collect();
    let mut played = CalibrationResults {
        conditions,
        results: vec![vec![Sample::default(); bots.len()]; rounds.distinct.len()],
        judge_errors: 0,
    };
    events.event(&Event::Started { unit: Unit::Rounds, total: Some(jobs.len() as u64) })?;
    run.play_steps(&modules, &jobs, &|_| false, &mut |step| {
        let event = match step {
            JobStep::Begun(job) => Event::RoundStarted { round: rounds.place(job) },
            JobStep::Finished(done) => {
                let outline = done.played.as_ref().map(|played| &played.outline);
                let result = outline.map(|outline| played.take(&rounds, done.job, outline));
                Event::RoundFinished { round: rounds.place(done.job), result }
            }
            JobStep::Believed(Believed { job, outline }) => {
                let result = Some(played.take(&rounds, job, &outline));
                Event::RoundFinished { round: rounds.place(job), result }
            }
        };
        events.event(&event)?;
        Ok(Vec::new())
    })?;
    Ok(played)
}

/// All rounds in order: by bot, then by conditions.
struct CalibrationRounds<'a> {
    /// One testcase for each set of conditions.
    distinct: Vec<&'a Testcase>,
    bots: &'a [BotSource],
    seeds: &'a [Seed],
}

impl<'a> CalibrationRounds<'a> {
    fn count(&self) -> usize {
        self.bots.len() * self.distinct.len() * self.seeds.len()
    }

    /// The indexes of a round's bot, conditions and seed.
    fn split(&self, number: usize) -> [usize; 3] {
        let (rest, seed) = (number / self.seeds.len(), number % self.seeds.len());
        [rest / self.distinct.len(), rest % self.distinct.len(), seed]
    }

    fn testcase(&self, number: usize) -> &'a Testcase {
        self.distinct[self.split(number)[1]]
    }

    fn place(&self, number: usize) -> RoundPlace {
        let [bot, _, seed] = self.split(number);
        let testcase = self.testcase(number);
        RoundPlace {
            submission: self.bots[bot].submission.bot.name.clone(),
            opponent: testcase.opponent.clone(),
            testcase: Some(testcase.name.clone()),
            round: seed as u64 + 1,
            seed: self.seeds[seed],
        }
    }

    fn job(&self, number: usize) -> Job {
        let [bot, _, seed] = self.split(number);
        let testcase = self.testcase(number);
        let identity = &self.bots[bot].submission.bot;
        let seat = SeatSpec::Bot { name: identity.name.clone(), sha256: identity.sha256 };
        let modules = BySeat::from_fn(|seat| (seat == testcase.seat).then_some(bot));
        Job { spec: testcase.spec(&seat, self.seeds[seed]), modules }
    }
}

impl CalibrationResults {
    /// Counts a round, and reports its result.
    fn take(
        &mut self,
        rounds: &CalibrationRounds<'_>,
        number: usize,
        outline: &RoundOutline,
    ) -> RoundOutcome {
        let ([bot, conditions, _], seat) = (rounds.split(number), rounds.testcase(number).seat);
        let (outcome, fault) = (&outline.outcome, outline.fault.as_ref());
        let fuel = outline.fuel[seat.index()].unwrap_or(0);
        let score = outcome.score(seat);
        if fault.is_some_and(|fault| fault.seat.is_none()) {
            self.judge_errors += 1;
        } else {
            let sample = &mut self.results[conditions][bot];
            sample.scores.add(fault.is_none().then_some(score), fuel);
            sample.fuel = sample.fuel.saturating_add(fuel);
        }
        let verdict = fault.map_or(Verdict::Accepted, |fault| fault.verdict);
        RoundOutcome { verdict, score, opponent_score: outcome.score(seat.other()), fuel }
    }
}
