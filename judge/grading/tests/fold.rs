//! Verdicts from records: sums, limits, budgets, blame.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_core::{
    Blame, BySeat, Call, Fault, Fingerprint, Limits, PlayerFault, Points, REPLAY_VERSION,
    RecordHeader, RecordTrailer, RoundRecord, RoundResult, Seat, SeatSpec, TestcaseReport, Verdict,
    digest,
};
use judge_grading::{BudgetLeft, RoundInput, RoundSummary, Testcase, fold, round_budgets};
use judge_referee::RoundOutline;

/// A testcase of three rounds with threshold 100 and a budget of 1000 fuel.
fn testcase() -> Testcase {
    let text = r#"
        title = "Three rounds"
        game = "mahjong"
        opponent = "random"
        seeds = [1, 2, 3]
        min_score = 100
        points = 10
    "#;
    let mut testcase = Testcase::parse("suite/07-three.toml", text).unwrap();
    testcase.limits = Limits { fuel: 1000, ..Limits::COURSE };
    testcase
}

/// A round with this score, in which the bot's calls cost this much fuel.
fn round(testcase: &Testcase, number: usize, score: i64, fuel: &[u64]) -> RoundRecord {
    let bot = SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(b"bot") };
    let spec = testcase.specs(&bot).nth(number - 1).unwrap();
    let call = |seat, fuel| Call { seat, line: "discard?".into(), answer: Some("3b".into()), fuel };
    let calls = fuel.iter().flat_map(|&fuel| [call(Seat::One, Some(fuel)), call(Seat::Two, None)]);
    RoundRecord {
        calls: calls.collect(),
        header: RecordHeader {
            replay: REPLAY_VERSION,
            spec,
            fingerprint: Fingerprint { judge: "test".into(), engine: "none".into() },
        },
        trailer: RecordTrailer {
            outcome: RoundResult { scores: [score, 0], winner: None, reason: "test".into() },
            fault: None,
            peak_memory_bytes: [score.unsigned_abs() * 1000, 0].into(),
            logs: BySeat::default(),
            log_dropped: BySeat::default(),
            log_parts: BySeat::default(),
        },
    }
}

fn failed(mut record: RoundRecord, seat: Option<Seat>, fault: PlayerFault) -> RoundRecord {
    let PlayerFault { verdict, detail } = fault;
    record.trailer.fault = Some(Fault { seat, verdict, detail, call: Some(4) });
    record
}

fn report(testcase: &Testcase, records: &[Option<RoundRecord>]) -> TestcaseReport {
    let summaries = summaries(testcase, records);
    let inputs: Vec<RoundInput<'_>> = std::iter::zip(&testcase.seeds, &summaries)
        .map(|(seed, summary)| RoundInput { seed: *seed, summary: summary.as_ref() })
        .collect();
    fold(testcase, &inputs)
}

fn summaries(testcase: &Testcase, records: &[Option<RoundRecord>]) -> Vec<Option<RoundSummary>> {
    let summary = |record| summary(testcase, record);
    records.iter().map(|record| record.as_ref().map(summary)).collect()
}

/// The summary of a record for the graded bot.
fn summary(testcase: &Testcase, record: &RoundRecord) -> RoundSummary {
    let spec = &record.header.spec;
    let outline = RoundOutline::new(record);
    RoundSummary::new(testcase.seat, spec.seed, spec.limits.fuel, &outline)
}

/// The first round to play again, and its fuel.
fn replay(testcase: &Testcase, records: &[Option<RoundRecord>]) -> Option<(usize, u64)> {
    let mut budget = BudgetLeft::full(testcase);
    let summaries = summaries(testcase, records);
    summaries.iter().map(Option::as_ref).enumerate().find_map(|(position, round)| {
        let again = budget.replay(round);
        budget.pay(round);
        again.map(|left| (position, left))
    })
}

fn scored(scores: [i64; 3]) -> TestcaseReport {
    let testcase = testcase();
    let records = [1, 2, 3].map(|n| Some(round(&testcase, n, scores[n - 1], &[10, 20])));
    report(&testcase, &records)
}

#[test]
fn the_threshold_is_reached_at_exactly_its_value() {
    let exact = scored([50, 0, 50]);
    assert_eq!(
        (exact.verdict, exact.score, exact.points),
        (Verdict::Accepted, 100, Points::whole(10))
    );
    assert_eq!(exact.detail, "exactly the threshold");
    assert_eq!(exact.reproduce, None);
    let above = scored([50, 1, 50]);
    assert_eq!(above.detail, "1 above the threshold");
    let below = scored([50, 0, 49]);
    assert_eq!((below.verdict, below.points), (Verdict::BelowThreshold, Points::ZERO));
    assert_eq!(below.detail, "1 short of the threshold");
}

#[test]
fn a_report_adds_up_its_figures() {
    let report = scored([50, 0, 50]);
    assert_eq!(report.name, "07-three");
    assert_eq!(report.fuel, 90);
    assert_eq!(report.peak_memory_bytes, 50_000);
    let round = &report.rounds[0];
    assert_eq!((round.fuel, round.max_call_fuel, round.calls), (30, 20, 2));
}

#[test]
fn the_printed_command_repeats_the_worst_round() {
    let report = scored([20, 5, 30]);
    let command = report.reproduce.unwrap();
    assert_eq!(command, "--game mahjong --seed 2 --against random --seat 1 --fuel 1000");
}

#[test]
fn a_fault_fails_the_testcase_and_scores_nothing() {
    let testcase = testcase();
    let trap = PlayerFault::new(Verdict::RuntimeError, "division by zero");
    let mut broken = failed(round(&testcase, 2, 500, &[10]), Some(Seat::One), trap);
    broken.header.spec.limits.fuel = 990;
    let records =
        [Some(round(&testcase, 1, 500, &[10])), Some(broken), Some(round(&testcase, 3, 7, &[10]))];
    let report = report(&testcase, &records);
    assert_eq!((report.verdict, report.blame), (Verdict::RuntimeError, Some(Blame::Bot)));
    assert_eq!(report.score, 507, "the other rounds are still counted and shown");
    assert_eq!(report.points, Points::ZERO);
    assert_eq!(report.detail, "round 2, line 5: division by zero");
    assert!(report.reproduce.unwrap().ends_with("--seed 2 --against random --seat 1 --fuel 990"));
}

#[test]
fn a_judge_error_is_never_the_bots_fault_and_hides_no_fault_of_the_bot() {
    let testcase = testcase();
    let judge =
        || failed(round(&testcase, 1, 0, &[]), None, PlayerFault::new(Verdict::JudgeError, "x"));
    let fine = |n| Some(round(&testcase, n, 50, &[10]));
    let alone = report(&testcase, &[Some(judge()), fine(2), fine(3)]);
    assert_eq!((alone.verdict, alone.blame), (Verdict::JudgeError, Some(Blame::Judge)));

    let trap = PlayerFault::new(Verdict::RuntimeError, "trap");
    let mut broken = failed(round(&testcase, 3, 0, &[10]), Some(Seat::One), trap);
    broken.header.spec.limits.fuel = 990;
    let both = report(&testcase, &[Some(judge()), fine(2), Some(broken)]);
    assert_eq!((both.verdict, both.blame), (Verdict::RuntimeError, Some(Blame::Bot)));
}

#[test]
fn the_budget_is_shared_by_the_rounds_in_their_order() {
    let testcase = testcase();
    let exact =
        [1, 2, 3].map(|n| Some(round(&testcase, n, 50, [&[300][..], &[300], &[400]][n - 1])));
    assert_eq!(report(&testcase, &exact).verdict, Verdict::Accepted);

    assert_eq!(replay(&testcase, &exact), None);
}

#[test]
fn a_round_over_the_budget_is_replayed_with_the_remaining_fuel() {
    let testcase = testcase();
    let fuel: [&[u64]; 3] = [&[300], &[300], &[399, 2]];
    let mut records = [1, 2, 3].map(|n| Some(round(&testcase, n, 50, fuel[n - 1])));
    assert_eq!(replay(&testcase, &records), Some((2, 400)));
    let unplayed = report(&testcase, &records);
    assert_eq!(unplayed.verdict, Verdict::JudgeError, "a stale record is never a verdict");

    let mut again = round(&testcase, 3, 0, &[399]);
    again.header.spec.limits.fuel = 400;
    records[2] = Some(failed(again, Some(Seat::One), PlayerFault::out_of_time()));
    assert_eq!(replay(&testcase, &records), None);
    let report = report(&testcase, &records);
    assert_eq!((report.verdict, report.blame), (Verdict::TimeLimitExceeded, Some(Blame::Bot)));
    assert_eq!((report.fuel, report.score), (1000, 100), "all is spent, and no more");
    assert_eq!(
        report.reproduce.unwrap(),
        "--game mahjong --seed 3 --against random --seat 1 --fuel 400"
    );
}

#[test]
fn a_failed_round_is_replayed_with_the_remaining_fuel() {
    // The trap may have come after the time ran out.
    let testcase = testcase();
    let trap = PlayerFault::new(Verdict::RuntimeError, "trap");
    let broken = failed(round(&testcase, 2, 0, &[10]), Some(Seat::One), trap.clone());
    let fine = |n| Some(round(&testcase, n, 50, &[10]));
    let records = [fine(1), Some(broken), fine(3)];
    assert_eq!(replay(&testcase, &records), Some((1, 990)));
    // The first round was played with the full budget anyway.
    let first = failed(round(&testcase, 1, 0, &[10]), Some(Seat::One), trap);
    assert_eq!(replay(&testcase, &[Some(first), fine(2), fine(3)]), None);
}

#[test]
fn a_report_has_the_budget_of_each_round() {
    let testcase = testcase();
    let trap = PlayerFault::new(Verdict::RuntimeError, "trap");
    let mut broken = failed(round(&testcase, 2, 0, &[10]), Some(Seat::One), trap);
    broken.header.spec.limits.fuel = 700;
    let records =
        [Some(round(&testcase, 1, 50, &[300])), Some(broken), Some(round(&testcase, 3, 50, &[10]))];
    let played_with: Vec<u64> =
        records.iter().flatten().map(|record| record.header.spec.limits.fuel).collect();
    let case = report(&testcase, &records);
    let budgets = round_budgets(case.limits.fuel, &case.rounds);
    assert_eq!(budgets.into_iter().flatten().collect::<Vec<_>>(), played_with);

    let spent = failed(round(&testcase, 1, 0, &[10]), Some(Seat::One), PlayerFault::out_of_time());
    let case = report(&testcase, &[Some(spent), None, None]);
    assert_eq!(round_budgets(case.limits.fuel, &case.rounds), [Some(1000), None, None]);
}

#[test]
fn a_round_without_remaining_time_counts_as_not_played() {
    let testcase = testcase();
    let spent =
        || failed(round(&testcase, 1, 0, &[10]), Some(Seat::One), PlayerFault::out_of_time());
    let skipped = report(&testcase, &[Some(spent()), None, None]);
    let others = [2, 3].map(|n| Some(round(&testcase, n, 50, &[10])));
    let [two, three] = others;
    let speculated = report(&testcase, &[Some(spent()), two, three]);
    assert_eq!(skipped, speculated, "how much was played in advance shows nowhere");
    assert_eq!(skipped.rounds[1].verdict, Verdict::TimeLimitExceeded);
    assert_eq!(skipped.rounds[1].outcome, None);
    assert_eq!(skipped.fuel, 1000);
}
