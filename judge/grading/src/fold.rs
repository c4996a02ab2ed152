//! Computes a testcase's verdict from the records of its rounds.
//!
//! The rounds may have been played in parallel, each with the whole budget. The verdict is that of
//! rounds played one after another: a round that spent more than the remaining budget, or failed,
//! is played again with the remaining budget ([`BudgetLeft`](crate::BudgetLeft)).

use judge_core::{
    Blame, FailureTrace, Fault, Points, RoundReport, Seat, Seed, TestcaseReport, Verdict,
};

use crate::budget::round_budgets;
use crate::reproduce::Repeat;
use crate::{RoundSummary, Testcase};

/// The detail of a round that was not played.
const NOT_PLAYED: &str = "not played: the rounds before it left no time";

/// The result of a round, or only its seed if it was not played.
#[derive(Debug, Clone, Copy)]
pub struct RoundInput<'a> {
    /// The round's seed.
    pub seed: Seed,
    /// The summary; none if the round was never started.
    pub summary: Option<&'a RoundSummary>,
}

/// The verdict on a testcase from its rounds, in the order of its seeds. All replays must have been
/// made; a round that still needs one ends in a judge error.
pub fn fold(testcase: &Testcase, rounds: &[RoundInput<'_>]) -> TestcaseReport {
    let mut left = testcase.limits.fuel;
    let mut reports = Vec::with_capacity(rounds.len());
    for (number, round) in (1..).zip(rounds) {
        let report = match round.summary {
            Some(summary) if left > 0 => played(testcase.seat, number, summary, left),
            _ => not_played(number, round.seed, left),
        };
        left -= report.fuel;
        reports.push(report);
    }
    let mut report = conclude(testcase, reports);
    report.trace = deciding_trace(&report, rounds);
    report
}

/// The last words of the bot in the round that decided its testcase.
fn deciding_trace(report: &TestcaseReport, rounds: &[RoundInput<'_>]) -> Option<FailureTrace> {
    let number = deciding_round(report).filter(|round| round.blame == Some(Blame::Bot))?.round;
    let at = usize::try_from(number).ok()?.checked_sub(1)?;
    rounds.get(at)?.summary?.trace.clone()
}

/// A round that was not played because no time was left; otherwise the judge failed to play it.
pub(crate) fn not_played(round: u32, seed: Seed, left: u64) -> RoundReport {
    let (verdict, blame) = match left {
        0 => (Verdict::TimeLimitExceeded, Blame::Bot),
        _ => (Verdict::JudgeError, Blame::Judge),
    };
    RoundReport {
        round,
        seed,
        verdict,
        blame: Some(blame),
        score: 0,
        opponent_score: 0,
        outcome: None,
        fault: None,
        fuel: 0,
        max_call_fuel: 0,
        calls: 0,
        peak_memory_bytes: 0,
        digest: None,
    }
}

fn played(seat: Seat, number: u32, round: &RoundSummary, left: u64) -> RoundReport {
    let stale = || Fault::judge("the round was not played with the time that was left for it");
    let fault = match &round.fault {
        fault if round.is_valid_with(seat, left) => fault.clone(),
        _ => Some(stale()),
    };
    RoundReport {
        round: number,
        seed: round.seed,
        verdict: fault.as_ref().map_or(Verdict::Accepted, |fault| fault.verdict),
        blame: fault.as_ref().map(|fault| fault.blame(seat)),
        score: if fault.is_some() { 0 } else { round.outcome.score(seat) },
        opponent_score: round.outcome.score(seat.other()),
        outcome: Some(round.outcome.clone()),
        fault,
        fuel: round.spends(seat, left),
        max_call_fuel: round.max_call_fuel,
        calls: round.calls,
        peak_memory_bytes: round.peak_memory_bytes,
        digest: Some(round.digest),
    }
}

pub(crate) fn conclude(testcase: &Testcase, rounds: Vec<RoundReport>) -> TestcaseReport {
    let score = rounds.iter().map(|round| round.score).sum();
    let faulty = first_fault(&rounds);
    let verdict = match faulty {
        Some(at) => rounds[at].verdict,
        None if score >= testcase.min_score => Verdict::Accepted,
        None => Verdict::BelowThreshold,
    };
    let passed = verdict == Verdict::Accepted;
    let worst = faulty.or_else(|| worst_round(&rounds)).filter(|_| !passed);
    TestcaseReport {
        name: testcase.name.clone(),
        title: testcase.title.clone(),
        game: testcase.game.clone(),
        opponent: testcase.opponent.clone(),
        seat: testcase.seat,
        sha256: testcase.sha256,
        verdict,
        blame: faulty.and_then(|at| rounds[at].blame),
        detail: detail(testcase, &rounds, faulty, score),
        score,
        min_score: testcase.min_score,
        points: earned(testcase, verdict, score),
        max_points: testcase.points,
        extra: testcase.points.saturating_sub(testcase.counted_points()),
        weight: testcase.weight,
        credit: testcase.credit.clone(),
        hidden: testcase.hidden,
        shows: testcase.hidden.then_some(testcase.shows),
        limits: testcase.limits,
        fuel: rounds.iter().map(|round| round.fuel).sum(),
        peak_memory_bytes: rounds.iter().map(|round| round.peak_memory_bytes).max().unwrap_or(0),
        reproduce: worst.map(|at| repeat(testcase, &rounds, at).arguments()),
        rounds,
        trace: None,
    }
}

/// Points for a verdict and a score; none after a fault.
pub(crate) fn earned(testcase: &Testcase, verdict: Verdict, score: i64) -> Points {
    match &testcase.credit {
        _ if verdict.is_fault() => Points::ZERO,
        Some(credit) => credit.points(score),
        None if verdict == Verdict::Accepted => testcase.points,
        None => Points::ZERO,
    }
}

/// A repeat of the round, with its fuel. A round that was not played had none left.
fn repeat(testcase: &Testcase, rounds: &[RoundReport], at: usize) -> Repeat {
    let fuel = round_budgets(testcase.limits.fuel, rounds)[at].unwrap_or(0);
    Repeat::new(testcase, rounds[at].seed, fuel)
}

/// The round that decided a failed testcase: the one with the fault, or else the one with the
/// lowest score.
pub fn deciding_round(case: &TestcaseReport) -> Option<&RoundReport> {
    let failed = case.verdict != Verdict::Accepted;
    let at = first_fault(&case.rounds).or_else(|| worst_round(&case.rounds));
    at.filter(|_| failed).map(|at| &case.rounds[at])
}

/// The fault that decides the testcase: the bot's first one, or else the first of all. A judge
/// error must not hide a bot's fault in another round.
fn first_fault(rounds: &[RoundReport]) -> Option<usize> {
    let bots = rounds.iter().position(|round| round.blame == Some(Blame::Bot));
    bots.or_else(|| rounds.iter().position(|round| round.verdict.is_fault()))
}

fn worst_round(rounds: &[RoundReport]) -> Option<usize> {
    (0..rounds.len()).min_by_key(|&at| rounds[at].score)
}

fn detail(
    testcase: &Testcase,
    rounds: &[RoundReport],
    faulty: Option<usize>,
    score: i64,
) -> String {
    if let Some(at) = faulty {
        let round = &rounds[at];
        let what = round.fault.as_ref().map_or(NOT_PLAYED, |fault| fault.detail.as_str());
        let call = round.fault.as_ref().and_then(|fault| fault.call);
        let at = call.map_or(String::new(), |call| format!(", line {}", call + 1));
        return format!("round {}{at}: {what}", round.round);
    }
    match score - testcase.min_score {
        0 => "exactly the threshold".to_owned(),
        margin @ 1.. => format!("{margin} above the threshold"),
        margin => format!("{} short of the threshold", -margin),
    }
}
