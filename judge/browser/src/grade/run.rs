//! The rounds of a grading: which to play next, and the report once all are played.

use std::collections::{BTreeSet, VecDeque};

use judge_core::{BotIdentity, GradeReport, Refused, RoundSpec, SeatSpec, TestcaseReport, Timing};
use judge_games::Game;
use judge_grading::{OpenTestcase, RoundSummary, Suite, Testcase};
use judge_referee::RoundOutline;
use serde_json::{Value, json};

use super::bot::PageBot;
use super::request::GradeRefusal;
use crate::engine::fingerprint;

/// A round to play.
#[derive(Debug, Clone, Copy)]
struct PageJob {
    case: usize,
    round: usize,
    /// Fuel of a round that is played again.
    again: Option<u64>,
}

/// Grading under way.
pub(crate) struct PageRun {
    suite: &'static Suite,
    bot: BotIdentity,
    refused: Option<Refused>,
    open: Vec<OpenTestcase<'static>>,
    folded: Vec<Option<TestcaseReport>>,
    jobs: Vec<PageJob>,
    /// Numbers of jobs that wait for a worker.
    waiting: VecDeque<usize>,
    /// Number of jobs that are being played.
    playing: usize,
}

impl PageRun {
    /// Plans the rounds of a bot.
    pub(crate) fn new(suite: &'static Suite, bot: &PageBot) -> PageRun {
        let refused = bot.refusal_on(suite);
        let rounds = (0..).zip(&suite.testcases).flat_map(|(case, testcase)| {
            (0..testcase.seeds.len()).map(move |round| PageJob { case, round, again: None })
        });
        let jobs: Vec<PageJob> = if refused.is_some() { Vec::new() } else { rounds.collect() };
        PageRun {
            suite,
            bot: bot.identity.clone(),
            refused,
            open: suite.testcases.iter().map(OpenTestcase::new).collect(),
            folded: suite.testcases.iter().map(|_| None).collect(),
            waiting: (0..jobs.len()).collect(),
            jobs,
            playing: 0,
        }
    }

    /// The progress: rounds that are done, and all rounds.
    pub(crate) fn progress(&self) -> Value {
        let left = self.waiting.len() + self.playing;
        json!({ "played": self.jobs.len() - left, "rounds": self.jobs.len(), "left": left })
    }

    /// The next round to play; null if there is none now.
    pub(crate) fn next(&mut self) -> Value {
        while let Some(number) = self.waiting.pop_front() {
            let job = self.jobs[number];
            if job.again.is_none() && self.open[job.case].is_needless(job.round) {
                self.open[job.case].count();
                self.settle(job.case);
                continue;
            }
            self.playing += 1;
            let testcase = &self.suite.testcases[job.case];
            let mut spec = spec(testcase, &self.bot, job.round);
            spec.limits.fuel = job.again.unwrap_or(spec.limits.fuel);
            return json!({ "job": number, "testcase": job.case, "round": job.round, "spec": text(&spec) });
        }
        Value::Null
    }

    /// Takes the result of a round.
    pub(crate) fn take(
        &mut self,
        number: usize,
        outline: &RoundOutline,
    ) -> Result<Value, GradeRefusal> {
        let job = *self.jobs.get(number).ok_or(GradeRefusal::NoSuchRound)?;
        let open = &mut self.open[job.case];
        let testcase = open.testcase();
        let budget = job.again.unwrap_or(testcase.limits.fuel);
        let seed = testcase.seeds[job.round];
        open.set(job.round, RoundSummary::new(testcase.seat, seed, budget, outline), outline.bytes);
        if job.again.is_none() {
            open.count();
        }
        self.playing -= 1;
        self.settle(job.case);
        Ok(self.progress())
    }

    /// Folds a testcase if its rounds are final, or plans the round to play again.
    fn settle(&mut self, case: usize) {
        let open = &mut self.open[case];
        if !open.is_complete() {
            return;
        }
        match open.next_again(false) {
            Some(fuel) => {
                self.waiting.push_front(self.jobs.len());
                self.jobs.push(PageJob { case, round: open.at(), again: Some(fuel) });
            }
            None => self.folded[case] = Some(open.fold().0),
        }
    }

    /// The fuel with which a round of a folded testcase was played.
    pub(crate) fn budget(&self, case: usize, round: usize) -> Option<u64> {
        let report = self.folded.get(case)?.as_ref()?;
        *judge_grading::round_budgets(report.limits.fuel, &report.rounds).get(round)?
    }

    /// The report, once all rounds are played.
    pub(crate) fn report(&mut self, timing: Timing) -> Result<GradeReport, GradeRefusal> {
        let bot = self.bot.clone();
        let bot = match self.refused.take() {
            Some(refused) => judge_grading::refused_report(bot, self.suite, refused),
            None => {
                let testcases: Option<Vec<TestcaseReport>> = self.folded.iter().cloned().collect();
                let testcases = testcases.ok_or(GradeRefusal::Unfinished)?;
                judge_grading::bot_report(bot, self.suite, testcases)
            }
        };
        Ok(judge_grading::grade_report(fingerprint(), self.suite, vec![bot], timing))
    }
}

fn spec(testcase: &Testcase, bot: &BotIdentity, round: usize) -> RoundSpec {
    testcase.spec(&seat(bot), testcase.seeds[round])
}

/// A bot as a player of a round.
pub(crate) fn seat(BotIdentity { name, sha256, .. }: &BotIdentity) -> SeatSpec {
    SeatSpec::Bot { name: name.clone(), sha256: *sha256 }
}

/// A round as JSON in a text.
pub(crate) fn text(spec: &RoundSpec) -> String {
    serde_json::to_string(spec).expect("a round has nothing that JSON cannot hold")
}

/// One round of a testcase, as JSON in a text, with this fuel or the testcase's.
pub(crate) fn single(
    suite: &Suite,
    bot: &BotIdentity,
    (case, round): (usize, usize),
    fuel: Option<u64>,
) -> Result<String, GradeRefusal> {
    let testcase = suite.testcases.get(case).ok_or(GradeRefusal::NoSuchRound)?;
    if round >= testcase.seeds.len() {
        return Err(GradeRefusal::NoSuchRound);
    }
    let mut spec = spec(testcase, bot, round);
    spec.limits.fuel = fuel.unwrap_or(spec.limits.fuel);
    Ok(text(&spec))
}

/// A suite as a page shows it.
pub(crate) fn described(suite: &Suite) -> Value {
    let testcase = |testcase: &Testcase| {
        json!({
            "name": testcase.name,
            "title": testcase.title,
            "game": testcase.game,
            "opponent": testcase.opponent,
            "seat": testcase.seat,
            "rounds": testcase.seeds.len(),
            "min_score": testcase.min_score,
            "points": testcase.points,
        })
    };
    let testcases: Vec<Value> = suite.testcases.iter().map(testcase).collect();
    json!({
        "name": suite.name,
        "title": suite.title,
        "testcases": testcases,
        "opponents": opponents(suite),
    })
}

/// The reference opponents that all games of the suite have.
fn opponents(suite: &Suite) -> Vec<&'static str> {
    let games: BTreeSet<&str> =
        suite.testcases.iter().map(|testcase| testcase.game.as_str()).collect();
    let mut games = games.into_iter().filter_map(judge_games::find);
    let names = |game: &'static dyn Game| game.opponents().iter().map(|opponent| opponent.name);
    let mut known: Vec<&str> = games.next().map(|game| names(game).collect()).unwrap_or_default();
    for game in games {
        known.retain(|name| names(game).any(|other| other == *name));
    }
    known
}
