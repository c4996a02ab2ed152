//! Changed and resealed records: the contradictions that the rules find.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_core::{
    Fault, Fingerprint, Limits, Options, Player, PlayerFault, RoundRecord, RoundResult, RoundSpec,
    Seat, SeatSpec, Seed, Usage, Verdict, digest,
};
use judge_referee::{
    Disproof, TranscriptObserver, check_by_rules, first_different_call, headers, play, record,
    reference, start, trailers,
};

/// A reference opponent that acts as a bot and uses 7 fuel in each call.
struct Metered(Box<dyn Player>);

impl Player for Metered {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.0.notice(line).map(|_| Some(7))
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.0.ask(line, answer).map(|_| Some(7))
    }

    fn usage(&mut self) -> Usage {
        Usage::default()
    }
}

/// A round between a bot and a reference opponent, as the judge records it.
fn honest() -> RoundRecord {
    let spec = RoundSpec {
        game: "mahjong".to_owned(),
        options: Options::new(),
        seed: Seed(5),
        seats: [
            SeatSpec::Bot { name: "bot".to_owned(), sha256: digest(b"bot") },
            SeatSpec::Reference { name: "random".to_owned() },
        ],
        limits: Limits::COURSE,
    };
    let (game, mut state) = start(&spec).unwrap();
    let mut bot = Metered(reference(game, "straightforward", Seat::One, spec.seed).unwrap());
    let mut opponent = reference(game, "random", Seat::Two, spec.seed).unwrap();
    let mut observer = TranscriptObserver::default();
    play(game, state.as_mut(), [&mut bot, opponent.as_mut()], &mut observer);
    let fingerprint = Fingerprint { judge: "test".to_owned(), engine: "none".to_owned() };
    record(&spec, fingerprint, &observer.transcript).unwrap()
}

/// The contradiction after a change: in a call, or in the end.
fn found(change: impl FnOnce(&mut RoundRecord)) -> String {
    let mut record = honest();
    change(&mut record);
    match check_by_rules(&record) {
        Ok(()) => "nothing".to_owned(),
        Err(Disproof::Call { index, .. }) => format!("call {index}"),
        Err(Disproof::Ends(differences)) => {
            differences.iter().map(|one| one.what.to_string()).collect::<Vec<_>>().join(", ")
        }
        Err(other) => other.to_string(),
    }
}

#[test]
fn an_honest_record_verifies() {
    assert_eq!(found(|_| {}), "nothing");
}

#[test]
fn a_changed_dropped_or_doubled_line_is_found() {
    let honest = honest();
    for at in 0..honest.calls.len() {
        let seen = |record: &RoundRecord| match check_by_rules(record) {
            Err(Disproof::Call { index, .. }) => index,
            other => panic!("line {at}: {other:?}"),
        };
        let mut changed = honest.clone();
        changed.calls[at].line.push('x');
        assert_eq!(seen(&changed), at);
        let mut other_seat = honest.clone();
        other_seat.calls[at].seat = other_seat.calls[at].seat.other();
        assert!(seen(&other_seat) <= at);
        let mut dropped = honest.clone();
        dropped.calls.remove(at);
        assert!((at..at + 3).contains(&seen(&dropped)), "line {at}");
        let mut doubled = honest.clone();
        doubled.calls.insert(at, honest.calls[at].clone());
        assert!((at..at + 3).contains(&seen(&doubled)), "line {at}");
        if honest.calls[at].answer.is_some() {
            let mut answered = honest.clone();
            answered.calls[at].answer = Some("8b".to_owned());
            if answered != honest {
                assert!(seen(&answered) >= at, "line {at}");
            }
        }
    }
}

#[test]
fn a_forged_answer_of_the_opponent_is_found_at_its_line() {
    let honest = honest();
    let at = (0..honest.calls.len())
        .find(|&at| honest.calls[at].seat == Seat::Two && honest.calls[at].answer.is_some())
        .unwrap();
    // Every legal tile, and every illegal one.
    for tile in (1..=9).flat_map(|rank| ["b", "c", "d"].map(|suit| format!("{rank}{suit}"))) {
        let mut record = honest.clone();
        record.calls[at].answer = Some(tile);
        let same = record == honest;
        let disproof = check_by_rules(&record);
        let there = matches!(disproof, Err(Disproof::Call { index, .. }) if index == at);
        assert!(same || there, "{disproof:?}");
    }
}

#[test]
fn changes_in_the_first_and_last_lines_are_found() {
    assert_eq!(found(|record| record.header.replay = 0), "replay version");
    let winner = Some(Seat::Two);
    let outcome = RoundResult { scores: [0, 99], winner, reason: "self draw".to_owned() };
    assert_eq!(found(|record| record.trailer.outcome = outcome), "result");
    assert_eq!(found(|record| record.trailer.logs[Seat::Two] = "hm".to_owned()), "log of seat 2");
    assert_eq!(found(|record| record.trailer.logs[Seat::One] = "hm".to_owned()), "nothing");
    assert_eq!(
        found(|record| record.header.spec.game = "chess".to_owned()).find("unknown game"),
        Some(0)
    );
    let limits = "its limits are beyond what a judge can set";
    assert_eq!(found(|record| record.header.spec.limits.fuel = u64::MAX), limits);
    assert_eq!(found(|record| record.header.spec.limits.memory_bytes = u64::MAX), limits);
    // More fuel is spent than available, so the end is wrong.
    let spent = found(|record| record.header.spec.limits.fuel = 6);
    assert!(spent.contains("result, fault"), "{spent}");
    let fault = Fault {
        seat: Some(Seat::One),
        verdict: Verdict::RuntimeError,
        detail: "x".into(),
        call: Some(1),
    };
    assert_ne!(found(|record| record.trailer.fault = Some(fault)), "nothing");
    assert_eq!(found(|record| record.trailer.fault = Some(Fault::judge("x"))), "call 0");
}

#[test]
fn records_are_compared_up_to_their_first_difference() {
    let (one, mut other) = (honest(), honest());
    assert_eq!(first_different_call(&one.calls, &other.calls), None);
    assert!(headers(&one.header, &other.header).is_empty());
    other.calls[4].fuel = Some(8);
    other.calls.truncate(9);
    assert_eq!(first_different_call(&one.calls, &other.calls), Some(4));
    assert_eq!(first_different_call(&one.calls, &one.calls[..9]), Some(9));
    other.header.spec.options.insert("void_suit".to_owned(), "true".to_owned());
    other.header.fingerprint.engine = "other".to_owned();
    let found = headers(&one.header, &other.header);
    let sides =
        |at: usize| (found[at].what.to_string(), found[at].sides.each_ref().map(String::as_str));
    assert_eq!(sides(0), ("option void_suit".to_owned(), ["not set", "true"]));
    assert_eq!(sides(1), ("engine".to_owned(), ["none", "other"]));
    other.trailer.peak_memory_bytes = [0, 1].into();
    let found = trailers(&one.trailer, &other.trailer);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].what.to_string(), "memory of seat 2, in bytes");
}
