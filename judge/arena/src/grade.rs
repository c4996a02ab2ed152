//! Grades submissions on a suite: plays every round on the pool, folds the records testcase by
//! testcase, and reports in the order of the suite whatever order the rounds finished in.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use judge_core::{
    BotIdentity, BotReport, Event, GradeReport, MatchRecord, Refused, Seat, SeatSpec,
    TestcaseReport, Timing, digest,
};
use judge_grading::{Purse, RoundInput, Suite, Testcase};

use crate::pool::{ArenaError, Finished, Job, Played, Pool, Station};

/// A module to grade.
#[derive(Debug, Clone)]
pub struct Submission {
    /// Who it is.
    pub bot: BotIdentity,
    /// Its bytes.
    pub module: Vec<u8>,
    /// Why it cannot be played at all, if intake refused it.
    pub refused: Option<Refused>,
}

/// Grades all submissions and tells `listen` what happens.
///
/// # Errors
/// When a testcase cannot be played at all, or the journal fails.
pub fn grade(
    pool: &Pool,
    suite: &Suite,
    submissions: &[Submission],
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<GradeReport, ArenaError> {
    let begin = Instant::now();
    let plan = Plan::new(suite, submissions);
    let modules: Vec<&[u8]> = submissions.iter().map(|one| one.module.as_slice()).collect();
    listen(&Event::Started { rounds: plan.jobs.len() as u64 });
    let mut run = Run::new(pool, &modules, suite, submissions, &plan);
    run.close_finished_bots(listen);
    let needless = |job: usize| plan.is_needless(job);
    let mut outcome = Ok(());
    pool.run(&modules, &plan.jobs, &needless, &mut |done| {
        if outcome.is_ok() {
            outcome = run.take(done, listen);
        }
    })?;
    outcome?;
    let mut timing = run.timing;
    timing.wall_us = microseconds(begin.elapsed());
    timing.workers = u32::try_from(pool.workers).unwrap_or(u32::MAX);
    let report = GradeReport {
        version: GradeReport::VERSION,
        fingerprint: pool.fingerprint.clone(),
        suite: suite.name.clone(),
        title: suite.title.clone(),
        bots: run.bots,
        seal: digest(&[]),
        timing,
    }
    .sealed();
    listen(&Event::Finished(&report));
    Ok(report)
}

/// What is to be played, bot by bot, testcase by testcase, round by round.
struct Plan {
    jobs: Vec<Job>,
    /// For each job, its testcase's number over all bots, and its round.
    places: Vec<(usize, usize)>,
    /// For each testcase over all bots, per round: its whole time was spent in this round.
    spent: Vec<Vec<AtomicBool>>,
}

impl Plan {
    fn new(suite: &Suite, submissions: &[Submission]) -> Plan {
        let mut plan = Plan { jobs: Vec::new(), places: Vec::new(), spent: Vec::new() };
        for (number, submission) in submissions.iter().enumerate() {
            for testcase in &suite.testcases {
                plan.add(number, submission, testcase);
            }
        }
        plan
    }

    fn add(&mut self, number: usize, submission: &Submission, testcase: &Testcase) {
        let case = self.spent.len();
        self.spent.push(testcase.seeds.iter().map(|_| AtomicBool::new(false)).collect());
        if submission.refused.is_some() {
            return;
        }
        let BotIdentity { name, sha256, .. } = &submission.bot;
        let bot = SeatSpec::Bot { name: name.clone(), sha256: *sha256 };
        let mut modules = [None, None];
        modules[testcase.seat.index()] = Some(number);
        for (round, spec) in testcase.specs(&bot).enumerate() {
            self.jobs.push(Job { spec, modules });
            self.places.push((case, round));
        }
    }

    /// Whether the testcase's time is known to be spent before this round begins: then the verdict
    /// does not look at the round any more.
    fn is_needless(&self, job: usize) -> bool {
        let (case, round) = self.places[job];
        self.spent[case][..round].iter().any(|spent| spent.load(Ordering::Relaxed))
    }

    fn note(&self, job: usize, seat: Seat, played: &Played) {
        let fault = played.record.trailer.fault.as_ref();
        if fault.is_some_and(|fault| fault.seat == Some(seat) && fault.spent_the_budget()) {
            let (case, round) = self.places[job];
            self.spent[case][round].store(true, Ordering::Relaxed);
        }
    }
}

/// Grading under way.
struct Run<'a> {
    /// For rounds that are played again.
    station: Station<'a>,
    suite: &'a Suite,
    submissions: &'a [Submission],
    plan: &'a Plan,
    /// Per testcase over all bots: records so far, and how many rounds are still to come.
    open: Vec<(Vec<Option<MatchRecord>>, usize)>,
    /// Folded testcases that still wait for those before them.
    folded: Vec<Option<TestcaseReport>>,
    /// How many testcases, over all bots, were reported.
    reported: usize,
    /// Reported testcases of the present bot.
    present: Vec<TestcaseReport>,
    bots: Vec<BotReport>,
    timing: Timing,
}

impl<'a> Run<'a> {
    fn new(
        pool: &'a Pool,
        modules: &'a [&'a [u8]],
        suite: &'a Suite,
        submissions: &'a [Submission],
        plan: &'a Plan,
    ) -> Run<'a> {
        let open = plan.spent.iter().map(|rounds| {
            let records = rounds.iter().map(|_| None).collect();
            (records, rounds.len())
        });
        Run {
            station: pool.station(modules),
            suite,
            submissions,
            plan,
            open: open.collect(),
            folded: plan.spent.iter().map(|_| None).collect(),
            reported: 0,
            present: Vec::new(),
            bots: Vec::new(),
            timing: Timing::default(),
        }
    }

    /// The testcase with that number over all bots.
    fn testcase(&self, case: usize) -> &'a Testcase {
        &self.suite.testcases[case % self.suite.testcases.len()]
    }

    fn take(
        &mut self,
        done: Finished,
        listen: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(), ArenaError> {
        let (case, round) = self.plan.places[done.job];
        let testcase = self.testcase(case);
        let bot = &self.submissions[case / self.suite.testcases.len()].bot.name;
        listen(&Event::RoundFinished { bot, testcase: &testcase.name });
        if let Some(played) = done.played {
            self.plan.note(done.job, testcase.seat, &played);
            self.add_timing(&played);
            self.open[case].0[round] = Some(played.record);
        }
        self.open[case].1 -= 1;
        if self.open[case].1 == 0 {
            self.fold(case, done.job)?;
            self.report(listen);
        }
        Ok(())
    }

    fn add_timing(&mut self, played: &Played) {
        let (total, bot) = (played.timing.total_ns, played.timing.bot_ns);
        self.timing.bot_us += bot / 1000;
        self.timing.judge_us += total.saturating_sub(bot) / 1000;
        self.timing.start_up_us += microseconds(played.start_up);
    }

    /// Folds a testcase whose rounds are in; `job` is any of its jobs.
    fn fold(&mut self, case: usize, job: usize) -> Result<(), ArenaError> {
        let testcase = self.testcase(case);
        let mut records = std::mem::take(&mut self.open[case].0);
        // Once through the rounds, however many of them failed.
        let mut purse = Purse::full(testcase);
        for (record, seed) in std::iter::zip(&mut records, &testcase.seeds) {
            if let Some(left) = purse.replay(record.as_ref()) {
                let mut again = self.plan.jobs[job].clone();
                again.spec.seed = *seed;
                again.spec.limits.fuel = left;
                let played = self.station.play(&again)?;
                self.add_timing(&played);
                *record = Some(played.record);
            }
            purse.pay(record.as_ref());
        }
        self.folded[case] = Some(judge_grading::fold(testcase, &inputs(testcase, &records)));
        Ok(())
    }

    /// Reports the testcases, and the bots, whose turn has come.
    fn report(&mut self, listen: &mut dyn FnMut(&Event<'_>)) {
        while let Some(report) = self.folded.get_mut(self.reported).and_then(Option::take) {
            let bot = &self.submissions[self.bots.len()].bot.name;
            listen(&Event::TestcaseFinished { bot, report: &report });
            self.present.push(report);
            self.reported += 1;
            self.close_finished_bots(listen);
        }
    }

    /// Closes the present bot if it is complete, and refused ones after it.
    fn close_finished_bots(&mut self, listen: &mut dyn FnMut(&Event<'_>)) {
        while let Some(submission) = self.submissions.get(self.bots.len()) {
            let bot = submission.bot.clone();
            let report = match &submission.refused {
                Some(refused) => {
                    self.reported += self.suite.testcases.len();
                    judge_grading::refused_report(bot, self.suite, refused.clone())
                }
                None if self.present.len() == self.suite.testcases.len() => {
                    let testcases = std::mem::take(&mut self.present);
                    judge_grading::bot_report(bot, self.suite, testcases)
                }
                None => return,
            };
            listen(&Event::BotFinished(&report));
            self.bots.push(report);
        }
    }
}

/// The rounds of a testcase as folding takes them.
fn inputs<'r>(testcase: &Testcase, records: &'r [Option<MatchRecord>]) -> Vec<RoundInput<'r>> {
    std::iter::zip(&testcase.seeds, records)
        .map(|(seed, record)| RoundInput { seed: *seed, record: record.as_ref() })
        .collect()
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
