//! Grades submissions on a suite: plays all rounds on the pool, folds the results by testcase, and
//! reports in the order of the suite, independent of the order in which rounds finish.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use judge_core::{
    BotIdentity, BotReport, BySeat, Digest, Event, GradeReport, Listener, Refused, RoundOutcome,
    RoundPlace, SeatSpec, Shows, TestcaseReport, Timing, Unit, Verdict,
};
use judge_grading::{OpenTestcase, RoundSummary, Suite, Testcase};
use judge_referee::RoundOutline;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bounds::{Account, Bounds};
use crate::facts::Fact;
use crate::pool::{ArenaError, Believed, Finished, Job, JobStep, PlayedRound, Run};
use crate::store::{FactStore, StoreError};

/// A module to grade.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// Identity of the bot.
    pub bot: BotIdentity,
    /// Its bytes.
    pub module: Vec<u8>,
    /// The refusal, if it cannot be played at all.
    pub refused: Option<Refused>,
}

/// Grades all submissions and sends events to `listen`.
///
/// # Errors
/// When a testcase cannot be played at all, the journal fails, or `listen` does.
pub fn grade(
    run: &Run,
    suite: &Suite,
    submissions: &[Entrant],
    listen: &mut dyn Listener,
) -> Result<GradeReport, ArenaError> {
    let begin = Instant::now();
    let bounds = run.bounds(suite);
    let submissions = &refused_before(run, suite, submissions, bounds)?;
    let accounts = accounts(run, suite, submissions, bounds)?;
    let run = &run.believing().with_accounts(accounts.clone());
    let plan = GradingPlan::new(suite, submissions, run, accounts);
    let modules: Vec<&[u8]> = submissions.iter().map(|one| one.module.as_slice()).collect();
    let total = Some(plan.jobs.len() as u64);
    listen.event(&Event::Started { unit: Unit::Rounds, total })?;
    let mut grading = Grading::new(suite, submissions, &plan);
    grading.close_finished_bots(listen)?;
    let needless = |job: usize| plan.is_needless(job);
    run.play_steps(&modules, &plan.jobs, &needless, &mut |step| match step {
        JobStep::Begun(job) => {
            if !grading.is_known(job) {
                return Ok(Vec::new());
            }
            listen.event(&Event::RoundStarted { round: grading.place(job) })?;
            Ok(Vec::new())
        }
        JobStep::Finished(done) => grading.take(&done, listen),
        JobStep::Believed(Believed { job, outline }) => {
            grading.take_outline(job, Some(&*outline), listen)
        }
    })?;
    let mut timing = grading.timing;
    timing.wall_us = microseconds(begin.elapsed());
    timing.workers = u32::try_from(run.pool().workers()).unwrap_or(u32::MAX);
    let fingerprint = run.pool().fingerprint().clone();
    let report = judge_grading::grade_report(fingerprint, suite, grading.bots, timing);
    listen.event(&Event::Graded { report: Box::new(report.clone()) })?;
    Ok(report)
}

/// The accounts of the submissions, with the cost of earlier runs.
fn accounts(
    run: &Run,
    suite: &Suite,
    submissions: &[Entrant],
    bounds: Bounds,
) -> Result<Vec<Arc<Account>>, StoreError> {
    // When nothing is played, the facts already contain the refusals.
    let costs = run.costs().filter(|_| !run.is_stored_only());
    let account = |submission: &Entrant| {
        let module = &submission.bot.sha256;
        let before = costs.map_or(Ok(None), |costs| costs.processor_time(module, suite))?;
        // Earlier runs stored claims of other machines, which never refuse a submission.
        let before = before.map(|time| run.pool().machines().map_or(time, |_| Duration::ZERO));
        Ok(Arc::new(Account::new(bounds, before)))
    };
    let accounts = submissions.iter().map(account).collect::<Result<Vec<_>, StoreError>>()?;
    if let Some(costs) = costs {
        // Of equal modules the first one is played, so its account is set last.
        for (submission, account) in std::iter::zip(submissions, &accounts).rev() {
            costs.charge(submission.bot.sha256, account);
        }
    }
    Ok(accounts)
}

/// A refusal during play, as a journal stores it.
#[derive(Serialize, Deserialize)]
struct Late {
    refused: Refused,
    /// The exceeded bounds; none if the module cannot be compiled.
    bounds: Option<Bounds>,
}

impl Fact for Late {
    type About = BotIdentity;

    fn name(BotIdentity { name, sha256, .. }: &BotIdentity) -> String {
        format!("{OUT}{name}, {sha256}")
    }
}

/// Start of the fact names of all refusals during play.
const OUT: &str = "out: ";

impl Late {
    /// The module's hash in the name of such a fact.
    fn module(name: &str) -> Option<&str> {
        let (_, module) = name.strip_prefix(OUT)?.rsplit_once(", ")?;
        Some(module)
    }

    /// True if the fact of that name is about the submission, or about another one with the same
    /// module.
    fn is_about(name: &str, submission: &Entrant, run: &Run) -> bool {
        // Joined parts of a course do not refuse each other's submissions.
        if run.is_stored_only() {
            return name == Late::name(&submission.bot);
        }
        Late::module(name) == Some(&*submission.bot.sha256.to_string())
    }

    /// True if it still applies: higher bounds allow another attempt.
    fn holds(&self, now: Bounds) -> bool {
        self.bounds.is_none_or(|then| {
            now.processor <= then.processor && now.journal_bytes <= then.journal_bytes
        })
    }
}

/// The refusals during play in a store's facts, by the names of the submissions.
pub(crate) fn late_refusals(facts: &[(String, Value)]) -> Vec<(String, Refused)> {
    let read = |(name, fact): &(String, Value)| {
        let (bot, _) = name.strip_prefix(OUT)?.rsplit_once(", ")?;
        let late: Late = serde_json::from_value(fact.clone()).ok()?;
        Some((bot.to_owned(), late.refused))
    };
    facts.iter().filter_map(read).collect()
}

/// Name of the fact that a submission exceeded its bounds or cannot be compiled.
pub fn refusal_fact(bot: &BotIdentity) -> String {
    Late::name(bot)
}

/// True for the name of such a fact about that module.
pub fn is_refusal_fact(name: &str, module: &Digest) -> bool {
    Late::module(name) == Some(&*module.to_string())
}

/// The submissions, including the refusals from earlier in this run.
fn refused_before(
    run: &Run,
    suite: &Suite,
    submissions: &[Entrant],
    bounds: Bounds,
) -> Result<Vec<Entrant>, StoreError> {
    let facts = run.facts().map_or(Ok(Vec::new()), FactStore::facts)?;
    let refused = |submission: &Entrant| {
        let mut about = facts.iter().filter(|(name, _)| Late::is_about(name, submission, run));
        about.find_map(|(_, fact)| {
            let late: Late = serde_json::from_value(fact.clone()).ok()?;
            let shows = late.bounds.and_then(|_| shows(suite));
            late.holds(bounds).then_some(Refused { shows, ..late.refused })
        })
    };
    let again = |submission: &Entrant| {
        let mut submission = submission.clone();
        submission.refused = submission.refused.clone().or_else(|| refused(&submission));
        submission
    };
    Ok(submissions.iter().map(again).collect())
}

/// Visibility of hidden rounds for students; none if the suite has none.
fn shows(suite: &Suite) -> Option<Shows> {
    suite.testcases.iter().find(|testcase| testcase.hidden).map(|testcase| testcase.shows)
}

/// The plan of a grading: bots, testcases, rounds.
struct GradingPlan<'a> {
    run: &'a Run,
    /// Account of each submission.
    accounts: Vec<Arc<Account>>,
    /// For each submission, the first one with the same module, if that is another one. Both have
    /// the same results.
    originals: Vec<Option<usize>>,
    jobs: Vec<Job>,
    /// For each job, the number of its testcase over all bots, and its round.
    places: Vec<(usize, usize)>,
    /// For each testcase over all bots, the known cost of each round in its budget.
    costs: Vec<Vec<AtomicU64>>,
    /// For each submission, true if it cannot be compiled.
    refused: Vec<AtomicBool>,
}

impl<'a> GradingPlan<'a> {
    fn new(
        suite: &Suite,
        submissions: &[Entrant],
        run: &'a Run,
        accounts: Vec<Arc<Account>>,
    ) -> GradingPlan<'a> {
        let refused = submissions.iter().map(|_| AtomicBool::new(false)).collect();
        let (jobs, places, costs) = (Vec::new(), Vec::new(), Vec::new());
        let originals = originals(submissions);
        let mut plan = GradingPlan { run, accounts, originals, jobs, places, costs, refused };
        for (number, submission) in submissions.iter().enumerate() {
            for testcase in &suite.testcases {
                plan.add(number, submission, testcase);
            }
        }
        plan
    }

    fn add(&mut self, number: usize, submission: &Entrant, testcase: &Testcase) {
        let case = self.costs.len();
        self.costs.push(testcase.seeds.iter().map(|_| AtomicU64::new(0)).collect());
        if submission.refused.is_some() || self.originals[number].is_some() {
            return;
        }
        let BotIdentity { name, sha256, .. } = &submission.bot;
        let bot = SeatSpec::Bot { name: name.clone(), sha256: *sha256 };
        let modules = BySeat::from_fn(|seat| (seat == testcase.seat).then_some(number));
        for (round, spec) in testcase.specs(&bot).enumerate() {
            self.jobs.push(Job { spec, modules });
            self.places.push((case, round));
        }
    }

    /// True if the verdict no longer depends on this round: the earlier rounds use up the
    /// testcase's time, or the submission is refused.
    fn is_needless(&self, job: usize) -> bool {
        if self.is_out(self.submission(job)) {
            return true;
        }
        let (case, round) = self.places[job];
        let costs = self.costs[case][..round].iter().map(|cost| cost.load(Ordering::Relaxed));
        costs.fold(0, u64::saturating_add) >= self.jobs[job].spec.limits.fuel
    }

    /// Any job of a testcase, numbered over all bots.
    fn job_of(&self, case: usize) -> Option<&Job> {
        let first = self.places.partition_point(|(other, _)| *other < case);
        self.jobs.get(first).filter(|_| self.places[first].0 == case)
    }

    /// True if a submission is refused.
    fn is_out(&self, number: usize) -> bool {
        self.refused[number].load(Ordering::Relaxed) || self.accounts[number].is_exceeded()
    }

    /// The number of a job's submission.
    fn submission(&self, job: usize) -> usize {
        self.jobs[job].modules.into_iter().flatten().next().unwrap_or_default()
    }
}

/// For each submission, the first one with the same module, if that is another one.
fn originals(submissions: &[Entrant]) -> Vec<Option<usize>> {
    let mut first = BTreeMap::new();
    let playable = |(number, submission): (usize, &Entrant)| {
        if submission.refused.is_some() {
            return None;
        }
        let original = *first.entry(submission.bot.sha256).or_insert(number);
        (original != number).then_some(original)
    };
    submissions.iter().enumerate().map(playable).collect()
}

/// Grading under way.
struct Grading<'a> {
    suite: &'a Suite,
    submissions: &'a [Entrant],
    plan: &'a GradingPlan<'a>,
    /// Testcases, numbered over all bots.
    open: Vec<OpenTestcase<'a>>,
    /// The testcases of repeated rounds and their fuel, in the order of the requests.
    again: Vec<(usize, u64)>,
    /// Folded testcases that wait for earlier ones.
    folded: Vec<Option<TestcaseReport>>,
    /// Number of reported testcases, over all bots.
    reported: usize,
    /// Reported testcases of the current bot.
    present: Vec<TestcaseReport>,
    bots: Vec<BotReport>,
    timing: Timing,
}

impl<'a> Grading<'a> {
    fn new(suite: &'a Suite, submissions: &'a [Entrant], plan: &'a GradingPlan<'a>) -> Grading<'a> {
        let cases = 0..plan.costs.len();
        let open =
            cases.map(|case| OpenTestcase::new(&suite.testcases[case % suite.testcases.len()]));
        Grading {
            suite,
            submissions,
            plan,
            open: open.collect(),
            again: Vec::new(),
            folded: plan.costs.iter().map(|_| None).collect(),
            reported: 0,
            present: Vec::new(),
            bots: Vec::new(),
            timing: Timing::default(),
        }
    }

    /// The testcase with that number.
    fn testcase(&self, case: usize) -> &'a Testcase {
        &self.suite.testcases[case % self.suite.testcases.len()]
    }

    /// Round of a job.
    fn place(&self, job: usize) -> RoundPlace {
        let (case, round) = self.case_and_round(job);
        let testcase = self.testcase(case);
        RoundPlace {
            submission: self.submissions[case / self.suite.testcases.len()].bot.name.clone(),
            opponent: testcase.opponent.clone(),
            testcase: Some(testcase.name.clone()),
            round: round as u64 + 1,
            seed: testcase.seeds[round],
        }
    }

    /// Takes a round that was played, or that became needless.
    fn take(&mut self, done: &Finished, listen: &mut dyn Listener) -> Result<Vec<Job>, ArenaError> {
        let played = done.played.as_deref();
        if let Some(played) = played {
            self.add_timing(played);
        }
        self.take_outline(done.job, played.map(|played| &played.outline), listen)
    }

    fn take_outline(
        &mut self,
        job: usize,
        outline: Option<&RoundOutline>,
        listen: &mut dyn Listener,
    ) -> Result<Vec<Job>, ArenaError> {
        let (case, round) = self.case_and_round(job);
        let known = self.is_known(job);
        let testcase = self.testcase(case);
        if known {
            let result = outline.map(|outline| result(testcase, outline));
            listen.event(&Event::RoundFinished { round: self.place(job), result })?;
            self.open[case].count();
        }
        if let Some(outline) = outline {
            let (seed, budget) = (testcase.seeds[round], self.budget(job));
            let summary = RoundSummary::new(testcase.seat, seed, budget, outline);
            if known {
                self.note(job, testcase, &summary);
            }
            self.open[case].set(round, summary, outline.bytes);
        }
        if !self.open[case].is_complete() {
            return Ok(Vec::new());
        }
        if let Some(again) = self.next_again(case) {
            self.again.push((case, again.spec.limits.fuel));
            return Ok(vec![again]);
        }
        self.fold(case);
        self.report(listen)?;
        Ok(Vec::new())
    }

    /// True if a job is part of the plan, not a repeated round.
    fn is_known(&self, job: usize) -> bool {
        job < self.plan.places.len()
    }

    /// The testcase of a job, numbered over all bots, and the round in it.
    fn case_and_round(&self, job: usize) -> (usize, usize) {
        self.plan.places.get(job).copied().unwrap_or_else(|| {
            let (case, _) = self.again[job - self.plan.places.len()];
            (case, self.open[case].at())
        })
    }

    /// The fuel of a job's round.
    fn budget(&self, job: usize) -> u64 {
        match self.plan.jobs.get(job) {
            Some(planned) => planned.spec.limits.fuel,
            None => self.again[job - self.plan.jobs.len()].1,
        }
    }

    /// Notes results that make other rounds needless.
    fn note(&self, job: usize, testcase: &Testcase, summary: &RoundSummary) {
        let (case, round) = self.plan.places[job];
        self.plan.costs[case][round].store(summary.cost(testcase), Ordering::Relaxed);
        let verdict = summary.fault.as_ref().map(|fault| fault.verdict);
        let number = self.plan.submission(job);
        if verdict == Some(Verdict::InvalidModule) && self.refusal(number).is_some() {
            self.plan.refused[number].store(true, Ordering::Relaxed);
        }
    }

    /// The refusal of a submission during play, if there is one.
    fn refusal(&self, number: usize) -> Option<Refused> {
        let compiler = self.plan.run.pool().compiler();
        let uncompiled = compiler.refusal(&self.submissions[number].module);
        uncompiled.map(Refused::new).or_else(|| {
            let refused = self.plan.accounts[number].refusal()?;
            Some(Refused { shows: shows(self.suite), ..refused })
        })
    }

    /// Stores a refusal in the journal. A resumed run counts only its own rounds, and would not
    /// refuse the submission again.
    fn note_refusal(&self, number: usize, refused: &Refused) -> Result<(), ArenaError> {
        let Some(facts) = self.plan.run.facts() else { return Ok(()) };
        let account = &self.plan.accounts[number];
        let bounds = account.is_exceeded().then(|| account.bounds());
        let late = Late { refused: refused.clone(), bounds };
        Ok(facts.keep(&self.submissions[number].bot, &late)?)
    }

    fn add_timing(&mut self, played: &PlayedRound) {
        let (total, bot) = (played.timing.total_ns, played.timing.bot_ns);
        self.timing.bot_us = self.timing.bot_us.saturating_add(bot / 1000);
        let own = total.saturating_sub(bot) / 1000;
        self.timing.judge_us = self.timing.judge_us.saturating_add(own);
        self.timing.start_up_us += microseconds(played.start_up);
    }

    /// The first round of a complete testcase to repeat, if there is one.
    fn next_again(&mut self, case: usize) -> Option<Job> {
        let number = case / self.suite.testcases.len();
        let open = &mut self.open[case];
        let left = open.next_again(self.plan.is_out(number))?;
        let mut again = self.plan.job_of(case)?.clone();
        again.spec.seed = open.testcase().seeds[open.at()];
        again.spec.limits.fuel = left;
        Some(again)
    }

    /// Folds a testcase with final rounds.
    fn fold(&mut self, case: usize) {
        let (report, bytes) = self.open[case].fold();
        self.plan.accounts[case / self.suite.testcases.len()].wrote(bytes);
        self.folded[case] = Some(report);
    }

    /// Reports the next complete testcases and bots in order.
    fn report(&mut self, listen: &mut dyn Listener) -> Result<(), ArenaError> {
        while let Some(report) = self.folded.get_mut(self.reported).and_then(Option::take) {
            let submission = self.submissions[self.bots.len()].bot.name.clone();
            listen.event(&decided(submission, &report))?;
            self.present.push(report);
            self.reported += 1;
            self.close_finished_bots(listen)?;
        }
        Ok(())
    }

    /// Closes the current bot if it is complete, and any refused ones after it.
    ///
    /// # Errors
    /// When the journal fails.
    fn close_finished_bots(&mut self, listen: &mut dyn Listener) -> Result<(), ArenaError> {
        while let Some(submission) = self.submissions.get(self.bots.len()) {
            let original = self.plan.originals[self.bots.len()];
            let closed = match original {
                Some(original) => Some(self.copied(original, submission, listen)?),
                None => self.closed(submission)?,
            };
            let Some(report) = closed else { break };
            listen.event(&Event::SubmissionDecided { report: Box::new(report.clone()) })?;
            self.bots.push(report);
        }
        Ok(())
    }

    /// The report for a submission with the module of an earlier one.
    fn copied(
        &mut self,
        original: usize,
        submission: &Entrant,
        listen: &mut dyn Listener,
    ) -> Result<BotReport, ArenaError> {
        self.reported += self.suite.testcases.len();
        // The bots before the current one are closed.
        let report = BotReport { bot: submission.bot.clone(), ..self.bots[original].clone() };
        for case in &report.testcases {
            listen.event(&decided(report.bot.name.clone(), case))?;
        }
        Ok(report)
    }

    /// The report on the current bot, if it is complete.
    fn closed(&mut self, submission: &Entrant) -> Result<Option<BotReport>, ArenaError> {
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

/// The event of a complete testcase.
fn decided(submission: String, report: &TestcaseReport) -> Event {
    Event::TestcaseDecided { submission, report: Box::new(report.clone()) }
}

/// The outcome of a round.
fn result(testcase: &Testcase, outline: &RoundOutline) -> RoundOutcome {
    let RoundOutline { outcome, fault, fuel, .. } = outline;
    RoundOutcome {
        verdict: fault.as_ref().map_or(Verdict::Accepted, |fault| fault.verdict),
        score: outcome.score(testcase.seat),
        opponent_score: outcome.score(testcase.seat.other()),
        fuel: fuel[testcase.seat.index()].unwrap_or(0),
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
