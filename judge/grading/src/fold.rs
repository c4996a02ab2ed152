//! From the records of a testcase's rounds to its verdict. The rounds may have been played side
//! by side, each with the whole budget; here they are added up in order, as if one after another.

use judge_core::{
    Blame, Call, Fault, MatchRecord, PlayerFault, RoundReport, Seat, Seed, TestcaseReport, Verdict,
};

use crate::Testcase;
use crate::reproduce::play_arguments;

/// A round's record, or its seed alone when it was not played.
#[derive(Debug, Clone, Copy)]
pub struct RoundInput<'a> {
    /// The round's seed.
    pub seed: Seed,
    /// What happened; none if the round was never started.
    pub record: Option<&'a MatchRecord>,
}

/// The verdict on a testcase from its rounds, in the order of its seeds.
pub fn fold(testcase: &Testcase, rounds: &[RoundInput<'_>]) -> TestcaseReport {
    let mut left = testcase.limits.fuel;
    let mut budgets = Vec::with_capacity(rounds.len());
    let reports: Vec<RoundReport> = (1..)
        .zip(rounds)
        .map(|(number, round)| {
            budgets.push(left);
            let report = round_report(testcase.seat, number, *round, left);
            left -= report.fuel;
            report
        })
        .collect();
    conclude(testcase, reports, &budgets)
}

fn round_report(seat: Seat, round: u32, input: RoundInput<'_>, left: u64) -> RoundReport {
    match input.record {
        Some(record) if left > 0 => played(seat, round, record, left),
        _ => not_played(round, input.seed),
    }
}

/// A round that has no time left to begin in.
fn not_played(round: u32, seed: Seed) -> RoundReport {
    RoundReport {
        round,
        seed,
        verdict: Verdict::TimeLimitExceeded,
        blame: Some(Blame::Bot),
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

fn played(seat: Seat, round: u32, record: &MatchRecord, left: u64) -> RoundReport {
    let cut;
    let record = match overrun(seat, record, left) {
        None => record,
        Some(call) => {
            cut = cut_short(seat, record, call);
            &cut
        }
    };
    let trailer = &record.trailer;
    let fault = trailer.fault.clone();
    let own = || record.calls.iter().filter(|call| call.seat == seat);
    let score = if fault.is_some() { 0 } else { trailer.outcome.score(seat) };
    let all_spent = fault.as_ref().is_some_and(Fault::spent_the_budget);
    RoundReport {
        round,
        seed: record.header.spec.seed,
        verdict: fault.as_ref().map_or(Verdict::Accepted, |fault| fault.verdict),
        blame: fault.as_ref().map(|fault| fault.blame(seat)),
        score,
        opponent_score: trailer.outcome.score(seat.other()),
        outcome: Some(trailer.outcome.clone()),
        fault,
        fuel: if all_spent { left } else { record.fuel(seat) },
        max_call_fuel: own().filter_map(|call| call.fuel).max().unwrap_or(0),
        calls: own().count() as u32,
        peak_memory_bytes: trailer.peak_memory_bytes[seat.index()],
        digest: Some(record.digest()),
    }
}

/// Position of the call with which `seat` exceeded `left`, if it did.
fn overrun(seat: Seat, record: &MatchRecord, left: u64) -> Option<usize> {
    let mut spent: u64 = 0;
    record.calls.iter().position(|call| {
        spent += call.fuel.filter(|_| call.seat == seat).unwrap_or(0);
        spent > left
    })
}

/// The record as it would be had the round been played with what was left: it ends in the call
/// with which the time ran out.
fn cut_short(seat: Seat, record: &MatchRecord, call: usize) -> MatchRecord {
    let mut cut = record.clone();
    cut.calls.truncate(call + 1);
    if let Some(last) = cut.calls.last_mut() {
        *last = Call { answer: None, fuel: None, ..last.clone() };
    }
    let PlayerFault { verdict, detail } = PlayerFault::out_of_time();
    cut.trailer.fault =
        Some(Fault { seat: Some(seat), verdict, detail, call: u32::try_from(call).ok() });
    cut.trailer.outcome = judge_core::Outcome {
        scores: [0, 0],
        winner: Some(seat.other()),
        reason: "forfeit".to_owned(),
    };
    cut
}

fn conclude(testcase: &Testcase, rounds: Vec<RoundReport>, budgets: &[u64]) -> TestcaseReport {
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
        points: if passed { testcase.points } else { 0 },
        max_points: testcase.points,
        limits: testcase.limits,
        fuel: rounds.iter().map(|round| round.fuel).sum(),
        peak_memory_bytes: rounds.iter().map(|round| round.peak_memory_bytes).max().unwrap_or(0),
        reproduce: worst.map(|at| play_arguments(testcase, rounds[at].seed, budgets[at])),
        rounds,
    }
}

/// The fault that decides the testcase: the bot's first, or else the first of all. A judge error
/// must not hide that the bot failed in another round.
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
        let what = round.fault.as_ref().map_or("not played", |fault| fault.detail.as_str());
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
