//! The rounds of a calibration: each bot under each set of conditions that the testcases have.

use judge_arena::statistics::Scores;
use judge_arena::{Job, Pool};
use judge_core::{Event, MatchSpec, Seat, SeatSpec, Seed};
use judge_grading::Testcase;
use judge_report::{ProgressReporter, Reporter as _};

use crate::bots::BotFile;
use crate::failure::Failure;

/// What came of all rounds.
pub(super) struct Played {
    /// For each testcase the number of its conditions: testcases may share them.
    pub(super) conditions: Vec<usize>,
    /// For each set of conditions, for each bot.
    pub(super) results: Vec<Vec<Sample>>,
    /// Rounds in which the judge failed; they are left out.
    pub(super) judge_errors: u64,
}

/// A bot's rounds under one set of conditions.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    pub(super) scores: Scores,
    /// Fuel of all rounds together.
    pub(super) fuel: u64,
}

/// Plays everything.
pub(super) fn all(
    pool: &Pool,
    testcases: &[&Testcase],
    bots: &[BotFile],
    seeds: &[Seed],
) -> Result<Played, Failure> {
    let (distinct, conditions) = conditions(testcases);
    let mut jobs = Vec::new();
    let mut places = Vec::new();
    for (number, bot) in bots.iter().enumerate() {
        for (at, testcase) in distinct.iter().enumerate() {
            for seed in seeds {
                jobs.push(job(testcase, number, bot, *seed));
                places.push((at, number, testcase.seat));
            }
        }
    }
    let modules: Vec<&[u8]> = bots.iter().map(|bot| bot.submission.module.as_slice()).collect();
    let mut progress = ProgressReporter::new();
    // Standard error that is gone changes no result; so below.
    let _ = progress.event(&Event::Started { rounds: jobs.len() as u64 });
    let mut played = Played {
        conditions,
        results: vec![vec![Sample::default(); bots.len()]; distinct.len()],
        judge_errors: 0,
    };
    pool.run(&modules, &jobs, &|_| false, &mut |done| {
        let _ = progress.event(&Event::RoundFinished { bot: "", testcase: "" });
        let (at, number, seat) = places[done.job];
        if let Some(round) = done.played {
            played.take(at, number, seat, &round.record);
        }
    })?;
    Ok(played)
}

impl Played {
    fn take(&mut self, at: usize, bot: usize, seat: Seat, record: &judge_core::MatchRecord) {
        let fault = record.trailer.fault.as_ref();
        if fault.is_some_and(|fault| fault.seat.is_none()) {
            self.judge_errors += 1;
            return;
        }
        let sample = &mut self.results[at][bot];
        let score = record.trailer.outcome.score(seat);
        let fuel = record.fuel(seat);
        sample.scores.add(fault.is_none().then_some(score), fuel);
        sample.fuel = sample.fuel.saturating_add(fuel);
    }
}

/// Testcases that differ in more than name, seeds and threshold, and for each testcase which of
/// them it is like.
fn conditions<'a>(testcases: &[&'a Testcase]) -> (Vec<&'a Testcase>, Vec<usize>) {
    let mut distinct: Vec<&Testcase> = Vec::new();
    let alike = |one: &Testcase, other: &Testcase| {
        (&one.game, &one.opponent, one.seat, one.limits, &one.options)
            == (&other.game, &other.opponent, other.seat, other.limits, &other.options)
    };
    let places = testcases.iter().map(|testcase| {
        distinct.iter().position(|known| alike(known, testcase)).unwrap_or_else(|| {
            distinct.push(testcase);
            distinct.len() - 1
        })
    });
    let places = places.collect();
    (distinct, places)
}

fn job(testcase: &Testcase, number: usize, bot: &BotFile, seed: Seed) -> Job {
    let identity = &bot.submission.bot;
    let seat = SeatSpec::Bot { name: identity.name.clone(), sha256: identity.sha256 };
    let spec: MatchSpec = testcase.spec(&seat, seed);
    let mut modules = [None, None];
    modules[testcase.seat.index()] = Some(number);
    Job { spec, modules }
}
