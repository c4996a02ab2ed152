//! The rounds of a comparison: each seed under each set of conditions, by both versions.

use judge_arena::{Believed, Entrant, Job, JobStep, RoundOutline, Run};
use judge_core::{
    BySeat, Event, Listener, RoundOutcome, RoundPlace, SeatSpec, Seed, Unit, Verdict,
};
use judge_grading::Testcase;
use judge_statistics::{VersionPlace, VersionRound, VersionRounds};

use crate::Error;
use crate::grade::conditions::conditions;

/// The rounds so far.
pub(super) struct Comparison<'a> {
    pub(super) testcases: &'a [&'a Testcase],
    pub(super) versions: [&'a Entrant; 2],
    /// One testcase for each set of conditions.
    pub(super) distinct: Vec<&'a Testcase>,
    pub(super) results: VersionRounds,
    seed: u64,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(
        testcases: &'a [&'a Testcase],
        versions: [&'a Entrant; 2],
        seed: u64,
    ) -> Comparison<'a> {
        let (distinct, places) = conditions(testcases);
        let results = VersionRounds::new(places);
        Comparison { testcases, versions, distinct, results, seed }
    }

    /// Plays the next seeds, until each version has this many rounds under all conditions.
    pub(super) fn play_up_to(
        &mut self,
        rounds: u64,
        run: &Run,
        events: &mut dyn Listener,
    ) -> Result<(), Error> {
        let first = self.results.planned();
        self.results.plan(rounds);
        let numbers = first..self.results.planned();
        let jobs: Vec<Job> = numbers.clone().map(|number| self.job(number)).collect();
        let modules = self.modules();
        events.event(&Event::Started { unit: Unit::Rounds, total: Some(jobs.len() as u64) })?;
        Ok(run.play_steps(&modules, &jobs, &|_| false, &mut |step| {
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

    pub(super) fn seed(&self, at: usize) -> Seed {
        Seed(self.seed.wrapping_add(at as u64))
    }

    /// A round by its place.
    pub(super) fn round(&self, [seed, conditions, version]: VersionPlace) -> Job {
        let testcase = self.distinct[conditions];
        let identity = &self.versions[version].bot;
        let bot = SeatSpec::Bot { name: identity.name.clone(), sha256: identity.sha256 };
        let modules = BySeat::from_fn(|seat| (seat == testcase.seat).then_some(version));
        Job { spec: testcase.spec(&bot, self.seed(seed)), modules }
    }

    fn job(&self, number: usize) -> Job {
        self.round(self.results.place(number))
    }

    fn place(&self, number: usize) -> RoundPlace {
        let [seed, conditions, version] = self.results.place(number);
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
        let (outcome, fault) = (&outline.outcome, outline.fault.as_ref());
        let seat = self.distinct[self.results.place(number)[1]].seat;
        let (score, fuel) = (outcome.score(seat), outline.fuel[seat.index()].unwrap_or(0));
        self.results.take(number, VersionRound::new(score, fuel, outline.course, fault));
        let verdict = fault.map_or(Verdict::Accepted, |fault| fault.verdict);
        RoundOutcome { verdict, score, opponent_score: outcome.score(seat.other()), fuel }
    }
}
