//! Tests of the order of pairs, and of rounds from the view of their players.

use judge_core::{
    Call, Fingerprint, REPLAY_VERSION, RecordHeader, RecordTrailer, RoundRecord, Verdict,
};
use judge_referee::RoundOutline;
use judge_sandbox::worker::PlayTiming;

use super::*;
use crate::pool::{Finished, PlayedRound};

/// A round in which the first player failed in its last call, after this line.
fn failed_after(seat: Seat, line: &str, call: u32) -> PairRound {
    let fault = Fault { seat: Some(Seat::Two), call: Some(call), ..Fault::judge("x") };
    let done = finished(0, outcome([7, 0], Some(Seat::One)), Some(fault));
    let mut record = done.played.expect("it was played").record;
    let call =
        |line: &str| Call { seat: Seat::Two, line: line.to_owned(), answer: None, fuel: None };
    record.calls = vec![call("told"), call(line)];
    PairRound::new(seat, &RoundOutline::new(&record))
}

/// The first player's margin in such a round.
fn margin(seat: Seat, line: &str, call: u32) -> i64 {
    failed_after(seat, line, call).difference()
}

#[test]
fn a_fault_after_the_end_names_the_moment() {
    let detail = |line: &str| failed_after(Seat::One, line, 1).fault.expect("a fault").detail;
    assert_eq!(detail("end win 30 12").as_str(), "x, at the line `end`");
    assert_eq!(detail("told").as_str(), "x");
}

#[test]
fn a_fault_after_the_end_leaves_the_score_of_the_game() {
    assert_eq!(margin(Seat::Two, "end win 30 12", 1), 18, "seat 2 receives the line");
    assert_eq!(margin(Seat::One, "end loss -3 12", 1), 15);
    for line in ["end", "end loss", "end loss 3", "end loss 3 4 5", "ends loss 3 4", "end of 3 4"] {
        assert_eq!(margin(Seat::One, line, 1), 7, "a forfeit: {line}");
    }
    assert_eq!(margin(Seat::One, "end loss 3 4", 0), 7, "the fault is another call's");
}

fn no_figures() -> Figures {
    Figures { plies: 0, fuel: [None; 2], memory: [None; 2], digest: digest(b"") }
}

fn pairing() -> Pairing {
    Pairing {
        game: "cc".to_owned(),
        options: Options::new(),
        seed: Seed(u64::MAX),
        limits: Limits::COURSE,
        players: [
            SeatSpec::Bot { name: "ada".to_owned(), sha256: digest(b"ada") },
            SeatSpec::Reference { name: "random".to_owned() },
        ],
        modules: [Some(0), None],
    }
}

fn finished(job: usize, outcome: RoundResult, fault: Option<Fault>) -> Finished {
    let spec = pairing().job(job as u64 / 2, Seat::BOTH[job % 2]).spec;
    let fingerprint = Fingerprint { judge: String::new(), engine: String::new() };
    let header = RecordHeader { replay: REPLAY_VERSION, spec, fingerprint };
    let trailer = RecordTrailer::new(outcome, fault);
    let record = RoundRecord { header, calls: Vec::new(), trailer };
    let (outline, timing) = (RoundOutline::new(&record), PlayTiming::default());
    let played = PlayedRound { record, outline, timing, start_up: std::time::Duration::ZERO };
    Finished { job, played: Some(Box::new(played)) }
}

fn outcome(scores: [i64; 2], winner: Option<Seat>) -> RoundResult {
    RoundResult { scores, winner, reason: String::new() }
}

#[test]
fn both_rounds_of_a_pair_have_the_same_seed_and_swapped_seats() {
    let pairing = pairing();
    let [one, two] = Seat::BOTH.map(|seat| pairing.job(1, seat));
    assert_eq!((one.spec.seed, two.spec.seed), (Seed(0), Seed(0)), "seeds wrap around");
    assert_eq!(one.spec.seats[0], two.spec.seats[1]);
    assert_eq!((one.modules, two.modules), ([Some(0), None].into(), [None, Some(0)].into()));
}

/// Rounds by pair and seat, and pairs with their scores.
type PairScores = (Vec<(u64, Seat)>, Vec<(u64, [i64; 2])>);

/// The reports of a queue for these jobs, up to the given pair.
fn told(first: u64, jobs: &[usize], last: u64) -> PairScores {
    let mut queue = InOrder::starting_at(first);
    let (mut rounds, mut pairs) = (Vec::new(), Vec::new());
    for job in jobs {
        let done = finished(*job, outcome([*job as i64, 0], None), None);
        let told = queue.take(done, Seed, &mut |step| {
            match step {
                PairStep::Begun { .. } => unreachable!("a queue begins nothing"),
                PairStep::Finished { pair, round } => rounds.push((pair, round.seat)),
                PairStep::Complete(pair) => {
                    let scores = pair.rounds.each_ref().map(|round| round.outcome.scores[0]);
                    pairs.push((pair.number, scores));
                    if pair.number == last {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        });
        told.expect("no failure");
    }
    (rounds, pairs)
}

#[test]
fn pairs_are_reported_in_order() {
    let (rounds, pairs) = told(0, &[5, 1, 4, 2, 0, 7, 3], u64::MAX);
    assert_eq!(pairs, [(0, [0, 1]), (1, [2, 3]), (2, [4, 5])], "half a pair does not count");
    assert_eq!(rounds[..2], [(2, Seat::Two), (0, Seat::Two)], "as they finish");
    assert_eq!(told(40, &[1, 0], u64::MAX).1, [(40, [0, 1])], "numbers continue");
    let (rounds, pairs) = told(0, &[0, 1, 3, 2, 4, 5], 0);
    assert_eq!((rounds.len(), pairs.len()), (6, 1), "it was enough");
    let passed_over = Finished { job: 0, played: None };
    let mut queue = InOrder::default();
    let told = queue.take(passed_over, Seed, &mut |_| unreachable!("nothing was played"));
    assert!(told.is_ok());
}

#[test]
fn a_failing_listener_ends_the_match() {
    let done = finished(0, outcome([0, 0], None), None);
    let failed = || ArenaError::Undelivered(std::io::Error::other("gone"));
    let told = InOrder::default().take(done, Seed, &mut |_| Err(failed()));
    assert!(matches!(told, Err(ArenaError::Undelivered(_))));
}

#[test]
fn rounds_are_scored_for_the_first_player() {
    let round = |seat, outcome| {
        let figures = no_figures();
        PairRound { seat, outcome, fault: None, course: 0, figures }
    };
    let won = outcome([3, 9], Some(Seat::Two));
    assert_eq!(round(Seat::One, won.clone()).half_points(), 0);
    assert_eq!(round(Seat::One, won.clone()).difference(), -6);
    assert_eq!(round(Seat::Two, won.clone()).half_points(), 2);
    assert_eq!(round(Seat::Two, won).difference(), 6);
    assert_eq!(round(Seat::Two, outcome([1, 1], None)).half_points(), 1);
    let fault = Fault { seat: Some(Seat::Two), ..Fault::judge("x") };
    let fault = Some(Fault { verdict: Verdict::IllegalMove, ..fault });
    let failed = |seat| {
        let (outcome, fault) = (outcome([1, 0], None), fault.clone());
        PairRound { seat, outcome, fault, course: 0, figures: no_figures() }
    };
    assert_eq!((failed(Seat::One).failed(), failed(Seat::Two).failed()), (Some(1), Some(0)));
    assert!(!failed(Seat::One).is_judge_error());
}

#[test]
fn only_identical_rounds_have_the_same_course() {
    let call = |seat, line: &str, answer: Option<&str>| Call {
        seat,
        line: line.to_owned(),
        answer: answer.map(str::to_owned),
        fuel: Some(7),
    };
    let course = |calls: &[Call]| {
        let done = finished(0, outcome([1, 0], None), None);
        let record = done.played.expect("it was played").record;
        RoundOutline::new(&RoundRecord { calls: calls.to_vec(), ..record }).course
    };
    let calls = [call(Seat::One, "ask", Some("a")), call(Seat::Two, "told", None)];
    let same = course(&calls);
    let mut dearer = calls.clone();
    dearer[0].fuel = Some(8);
    assert_eq!(course(&dearer), same, "fuel does not count");
    for change in [
        call(Seat::One, "ask", Some("b")),
        call(Seat::Two, "ask", Some("a")),
        call(Seat::One, "asked", Some("a")),
        call(Seat::One, "ask", None),
    ] {
        let mut other = calls.clone();
        other[0] = change;
        assert_ne!(course(&other), same);
    }
    let pair = |courses: [u64; 2]| {
        let round = |course| PairRound {
            seat: Seat::One,
            outcome: outcome([0, 0], None),
            fault: None,
            course,
            figures: no_figures(),
        };
        Pair { number: 0, seed: Seed(0), rounds: courses.map(round) }.course()
    };
    assert_eq!(pair([1, 2]), pair([1, 2]));
    assert_ne!(pair([1, 2]), pair([2, 1]));
}
