//! Grades submissions on a suite: plays every round on the pool, folds what came of them testcase by
//! testcase, and reports in the order of the suite whatever order the rounds finished in.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use judge_core::{
    BotIdentity, BotReport, Event, GradeReport, MatchRecord, Refused, RoundReport, SeatSpec,
    TestcaseReport, Timing, Verdict, digest,
};
use judge_grading::{BudgetLeft, RoundInput, RoundSummary, Suite, Testcase};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bounds::{Account, Bounds};

use crate::pool::{ArenaError, Finished, Job, Played, Pool};
use crate::station::Station;

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
    let bounds = pool.bounds.unwrap_or_else(|| Bounds::for_suite(suite));
    let submissions = &refused_before(pool, submissions, bounds);
    let accounts = submissions.iter().map(|_| Arc::new(Account::new(bounds)));
    let pool = &Pool { accounts: accounts.collect(), ..pool.clone() };
    let plan = Plan::new(suite, submissions, pool);
    let modules: Vec<&[u8]> = submissions.iter().map(|one| one.module.as_slice()).collect();
    listen(&Event::Started { rounds: plan.jobs.len() as u64 });
    let mut run = Run::new(pool, &modules, suite, submissions, &plan);
    run.close_finished_bots(listen)?;
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

/// A refusal that came out while a submission was played, as a journal keeps it.
#[derive(Serialize, Deserialize)]
struct Late {
    refused: Refused,
    /// The bounds that it went beyond; none where it cannot be compiled.
    bounds: Option<Bounds>,
}

impl Late {
    /// The fact's name for a submission.
    fn name(submission: &Submission) -> String {
        let BotIdentity { name, sha256, .. } = &submission.bot;
        format!("out: {name}, {sha256}")
    }

    /// Whether it still holds: whoever raises the bounds asks for another try.
    fn holds(&self, now: Bounds) -> bool {
        self.bounds.is_none_or(|then| {
            now.processor <= then.processor && now.journal_bytes <= then.journal_bytes
        })
    }
}

/// The submissions, with those refused that turned out to be earlier in this run.
fn refused_before(pool: &Pool, submissions: &[Submission], bounds: Bounds) -> Vec<Submission> {
    let facts: BTreeMap<String, Value> = match &pool.journal {
        Some(journal) => journal.facts().into_iter().collect(),
        None => BTreeMap::new(),
    };
    let refused = |submission: &Submission| {
        let fact = facts.get(&Late::name(submission)).cloned()?;
        let late: Late = serde_json::from_value(fact).ok()?;
        late.holds(bounds).then_some(late.refused)
    };
    let again = |submission: &Submission| {
        let mut submission = submission.clone();
        submission.refused = submission.refused.clone().or_else(|| refused(&submission));
        submission
    };
    submissions.iter().map(again).collect()
}

/// What is to be played, bot by bot, testcase by testcase, round by round.
struct Plan<'a> {
    pool: &'a Pool,
    jobs: Vec<Job>,
    /// For each job, its testcase's number over all bots, and its round.
    places: Vec<(usize, usize)>,
    /// For each testcase over all bots, per round: what it takes of the budget, as far as known.
    costs: Vec<Vec<AtomicU64>>,
    /// For each submission, whether it turned out that it cannot be compiled.
    refused: Vec<AtomicBool>,
}

impl<'a> Plan<'a> {
    fn new(suite: &Suite, submissions: &[Submission], pool: &'a Pool) -> Plan<'a> {
        let refused = submissions.iter().map(|_| AtomicBool::new(false)).collect();
        let (jobs, places, costs) = (Vec::new(), Vec::new(), Vec::new());
        let mut plan = Plan { pool, jobs, places, costs, refused };
        for (number, submission) in submissions.iter().enumerate() {
            for testcase in &suite.testcases {
                plan.add(number, submission, testcase);
            }
        }
        plan
    }

    fn add(&mut self, number: usize, submission: &Submission, testcase: &Testcase) {
        let case = self.costs.len();
        self.costs.push(testcase.seeds.iter().map(|_| AtomicU64::new(0)).collect());
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

    /// Whether the verdict does not look at this round any more: the rounds before it are known to
    /// spend the testcase's time, or the submission as a whole is out.
    fn is_needless(&self, job: usize) -> bool {
        if self.is_out(self.submission(job)) {
            return true;
        }
        let (case, round) = self.places[job];
        let costs = self.costs[case][..round].iter().map(|cost| cost.load(Ordering::Relaxed));
        costs.fold(0, u64::saturating_add) >= self.jobs[job].spec.limits.fuel
    }

    /// Whether a submission is out as a whole.
    fn is_out(&self, number: usize) -> bool {
        self.refused[number].load(Ordering::Relaxed) || self.pool.accounts[number].is_exceeded()
    }

    /// The number of the submission that a job is about.
    fn submission(&self, job: usize) -> usize {
        let [one, two] = self.jobs[job].modules;
        one.or(two).unwrap_or_default()
    }
}

/// What is kept of a round until its testcase is folded.
struct Kept {
    summary: RoundSummary,
    /// What it takes to write down, about, whether anybody does or not.
    bytes: u64,
}

impl Kept {
    fn new(testcase: &Testcase, record: &MatchRecord) -> Kept {
        let calls = record
            .calls
            .iter()
            .map(|call| call.answer.as_ref().map_or(0, |answer| answer.len() as u64 + 3) + 8);
        let logs = record.trailer.logs.iter().map(|log| log.len() as u64);
        let bytes = calls.chain(logs).sum();
        Kept { summary: RoundSummary::new(testcase.seat, record), bytes }
    }
}

/// Grading under way.
struct Run<'a> {
    /// For rounds that are played again.
    station: Station<'a>,
    suite: &'a Suite,
    submissions: &'a [Submission],
    plan: &'a Plan<'a>,
    /// Per testcase over all bots: rounds so far, and how many are still to come.
    open: Vec<(Vec<Option<Kept>>, usize)>,
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
        plan: &'a Plan<'a>,
    ) -> Run<'a> {
        let open = plan.costs.iter().map(|rounds| {
            let summaries = rounds.iter().map(|_| None).collect();
            (summaries, rounds.len())
        });
        Run {
            station: pool.station(modules),
            suite,
            submissions,
            plan,
            open: open.collect(),
            folded: plan.costs.iter().map(|_| None).collect(),
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
            self.add_timing(&played);
            let kept = Kept::new(testcase, &played.record);
            self.note(done.job, testcase, &kept.summary);
            self.open[case].0[round] = Some(kept);
        }
        self.open[case].1 -= 1;
        if self.open[case].1 == 0 {
            self.fold(case, done.job)?;
            self.report(listen)?;
        }
        Ok(())
    }

    /// Lets the plan know what makes other rounds needless.
    fn note(&self, job: usize, testcase: &Testcase, summary: &RoundSummary) {
        let (case, round) = self.plan.places[job];
        self.plan.costs[case][round].store(summary.cost(testcase), Ordering::Relaxed);
        let verdict = summary.fault.as_ref().map(|fault| fault.verdict);
        let number = self.plan.submission(job);
        if verdict == Some(Verdict::InvalidModule) && self.refusal(number).is_some() {
            self.plan.refused[number].store(true, Ordering::Relaxed);
        }
    }

    /// Why a submission is out as a whole, if that has come out while it was played.
    fn refusal(&self, number: usize) -> Option<Refused> {
        let pool = self.plan.pool;
        let uncompiled = pool.compiler.refusal(&self.submissions[number].module);
        uncompiled.map(Refused::new).or_else(|| pool.accounts[number].refusal())
    }

    /// Keeps in the journal that a submission is out: a run that is resumed counts only what it plays
    /// itself, and would come to another result.
    fn note_refusal(&self, number: usize, refused: &Refused) -> Result<(), ArenaError> {
        let Some(journal) = &self.plan.pool.journal else { return Ok(()) };
        let account = &self.plan.pool.accounts[number];
        let bounds = account.is_exceeded().then(|| account.bounds());
        let late = Late { refused: refused.clone(), bounds };
        let value = serde_json::to_value(late).expect("refusals are plain data");
        Ok(journal.note(&Late::name(&self.submissions[number]), &value)?)
    }

    fn add_timing(&mut self, played: &Played) {
        let (total, bot) = (played.timing.total_ns, played.timing.bot_ns);
        self.timing.bot_us = self.timing.bot_us.saturating_add(bot / 1000);
        let own = total.saturating_sub(bot) / 1000;
        self.timing.judge_us = self.timing.judge_us.saturating_add(own);
        self.timing.start_up_us += microseconds(played.start_up);
    }

    /// Folds a testcase whose rounds are in; `job` is any of its jobs.
    fn fold(&mut self, case: usize, job: usize) -> Result<(), ArenaError> {
        let testcase = self.testcase(case);
        let mut rounds = std::mem::take(&mut self.open[case].0);
        // Once through the rounds, however many of them failed.
        let mut budget = BudgetLeft::full(testcase);
        for (round, seed) in std::iter::zip(&mut rounds, &testcase.seeds) {
            if let Some(left) = budget.replay(round.as_ref().map(|kept| &kept.summary))
                && !self.plan.is_out(self.plan.submission(job))
            {
                let mut again = self.plan.jobs[job].clone();
                again.spec.seed = *seed;
                again.spec.limits.fuel = left;
                let played = self.station.play(&again)?;
                self.add_timing(&played);
                *round = Some(Kept::new(testcase, &played.record));
            }
            budget.pay(round.as_ref().map(|kept| &kept.summary));
        }
        let report = judge_grading::fold(testcase, &inputs(testcase, &rounds));
        // What the verdict does not look at costs nothing: others may not have played it.
        let counts = |(report, kept): (&RoundReport, &Option<Kept>)| {
            report.outcome.as_ref().and(kept.as_ref()).map_or(0, |kept| kept.bytes)
        };
        let bytes = std::iter::zip(&report.rounds, &rounds).map(counts).sum();
        self.plan.pool.accounts[self.plan.submission(job)].wrote(bytes);
        self.folded[case] = Some(report);
        Ok(())
    }

    /// Reports the testcases, and the bots, whose turn has come.
    fn report(&mut self, listen: &mut dyn FnMut(&Event<'_>)) -> Result<(), ArenaError> {
        while let Some(report) = self.folded.get_mut(self.reported).and_then(Option::take) {
            let bot = &self.submissions[self.bots.len()].bot.name;
            listen(&Event::TestcaseFinished { bot, report: &report });
            self.present.push(report);
            self.reported += 1;
            self.close_finished_bots(listen)?;
        }
        Ok(())
    }

    /// Closes the present bot if it is complete, and refused ones after it.
    ///
    /// # Errors
    /// When the journal fails.
    fn close_finished_bots(
        &mut self,
        listen: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(), ArenaError> {
        while let Some(submission) = self.submissions.get(self.bots.len()) {
            let Some(report) = self.closed(submission)? else { break };
            listen(&Event::BotFinished(&report));
            self.bots.push(report);
        }
        Ok(())
    }

    /// The report on the present bot, if nothing of it is to come any more.
    fn closed(&mut self, submission: &Submission) -> Result<Option<BotReport>, ArenaError> {
        let bot = submission.bot.clone();
        if let Some(refused) = &submission.refused {
            self.reported += self.suite.testcases.len();
            return Ok(Some(judge_grading::refused_report(bot, self.suite, refused.clone())));
        }
        if self.present.len() < self.suite.testcases.len() {
            return Ok(None);
        }
        let testcases = std::mem::take(&mut self.present);
        Ok(Some(match self.refusal(self.bots.len()) {
            Some(refused) => {
                self.note_refusal(self.bots.len(), &refused)?;
                judge_grading::refused_report(bot, self.suite, refused)
            }
            None => judge_grading::bot_report(bot, self.suite, testcases),
        }))
    }
}

/// The rounds of a testcase as folding takes them.
fn inputs<'r>(testcase: &Testcase, rounds: &'r [Option<Kept>]) -> Vec<RoundInput<'r>> {
    std::iter::zip(&testcase.seeds, rounds)
        .map(|(seed, round)| RoundInput {
            seed: *seed,
            summary: round.as_ref().map(|kept| &kept.summary),
        })
        .collect()
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
