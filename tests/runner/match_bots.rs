//! Matches: their events in order, stopping them, and failing listeners.

use std::io;

use judge_core::{Event, IgnoreEvents, ProgressResult, Seed, Unit};
use judge_runner::Error;
use judge_runner::Remedy;
use judge_runner::contest::ContestRequest;
use judge_runner::contest::match_bots::{Finished, MatchAnswer, Outcome, Request, run};

use crate::support::sample;
use crate::{Heard, workers};

/// A bot against a reference opponent.
fn request(rounds: u64) -> Request {
    let bot = sample("mahjong-distance").to_str().unwrap().to_owned();
    let players = [bot, "random".to_owned()];
    let contest = ContestRequest { seed: Some(5), rows: true, ..ContestRequest::default() };
    Request { contest, ..Request::new(players, rounds) }
}

fn finished(outcome: Outcome) -> Finished {
    match outcome {
        Outcome::Finished(finished) => *finished,
        Outcome::Unfinished(unfinished) => panic!("{}", unfinished.text()),
    }
}

#[test]
fn a_match_sends_an_event_for_each_round() {
    let mut heard = Heard::default();
    let finished = finished(run(&request(12), &workers(), &mut heard).unwrap());
    assert_eq!(heard.0[0], Event::Started { unit: Unit::Pairs, total: Some(6) });
    assert_eq!(heard.0.last(), Some(&Event::Finished));
    let numbers: Vec<u64> = (1..=12).collect();
    assert_eq!((heard.started(), heard.finished()), (numbers.clone(), numbers));
    assert_eq!(heard.done(), [1, 2, 3, 4, 5, 6]);

    let document = serde_json::to_value(finished.json()).unwrap();
    let rows: Vec<judge_core::RoundRow> = serde_json::from_value(document["rows"].clone()).unwrap();
    for event in &heard.0 {
        let Event::RoundFinished { round, result: Some(result) } = event else { continue };
        let row = &rows[round.round as usize - 1];
        assert_eq!((row.round, row.seed), (round.round, round.seed), "as `judge rounds` has it");
        assert_eq!(round.seed, Seed(5 + (round.round - 1) / 2));
        assert_eq!((round.submission.as_str(), round.opponent.as_str()), names(row));
        assert_eq!((result.score, result.opponent_score), scores(row));
    }
    let bot = request(12).players[0].clone();
    let command = ["match", &bot, "random", "--rounds", "12", "--seed", "5"];
    assert_eq!(crate::support::run(command).stdout, finished.text());
    assert_eq!(finished.answer().unwrap(), MatchAnswer::Played);
}

/// The rows in the document for programs.
fn rows(finished: &Finished) -> Vec<judge_core::RoundRow> {
    let document = serde_json::to_value(finished.json()).unwrap();
    serde_json::from_value(document["rows"].clone()).unwrap()
}

/// The names and scores of A and of B.
fn names(row: &judge_core::RoundRow) -> (&str, &str) {
    (row.name(row.a), row.name(row.a.other()))
}

fn scores(row: &judge_core::RoundRow) -> (i64, i64) {
    match row.a {
        judge_core::Seat::One => (row.score_1, row.score_2),
        judge_core::Seat::Two => (row.score_2, row.score_1),
    }
}

#[test]
fn the_standing_counts_the_finished_pairs() {
    let mut heard = Heard::default();
    let sprt = Some("elo0=0,elo1=300".parse().unwrap());
    let request = Request { sprt, ..request(200) };
    let finished = finished(run(&request, &workers(), &mut heard).unwrap());
    let standings = heard.0.iter().filter_map(|event| match event {
        Event::Progress {
            done,
            standing: Some(ProgressResult::Match { pairs, test: Some(test) }),
        } => Some((*done, pairs.iter().sum::<u64>(), *test)),
        _ => None,
    });
    let standings: Vec<_> = standings.collect();
    assert!(standings.iter().all(|(done, pairs, _)| done == pairs), "{standings:?}");
    let (last, _, test) = standings.last().unwrap();
    assert_eq!(*last, finished.report.tally.table.pairs(), "none beyond the decision");
    let [low, high] = test.bounds;
    assert!(test.log_ratio <= low || test.log_ratio >= high, "{test:?}");
    assert!(matches!(finished.answer().unwrap(), MatchAnswer::Decided(_)));
    assert_eq!(heard.started(), heard.finished(), "what began beyond the decision finishes");
}

#[test]
fn a_stopped_match_resumes_to_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(60);
    request.contest.journal = Some(folder.path().join("journal"));
    let workers = self::workers();
    let stop = workers.stop.clone();
    let stopped = run(&request, &workers, &mut |event: &Event| {
        if matches!(event, Event::Progress { done: 3, .. }) {
            stop.now();
        }
        assert_ne!(*event, Event::Finished);
        Ok(())
    });
    let Outcome::Unfinished(unfinished) = stopped.unwrap() else { panic!("it was stopped") };
    let pairs = unfinished.report.tally.table.pairs();
    assert!((3..30).contains(&pairs), "{pairs}");
    let mark = format!("UNFINISHED: interrupted after {} of 60 rounds\n", 2 * pairs);
    assert!(unfinished.text().starts_with(&mark), "{}", unfinished.text());
    assert!(unfinished.kept.as_ref().unwrap().rounds as u64 >= 2 * pairs);

    request.contest.resume = true;
    let mut heard = Heard::default();
    let resumed = finished(run(&request, &self::workers(), &mut heard).unwrap());
    let note =
        |event: &Event| matches!(event, Event::Note { text } if text.starts_with("resuming: "));
    assert!(heard.0.iter().any(note), "{:?}", heard.0);
    request.contest.journal = None;
    let calm = finished(run(&request, &self::workers(), &mut IgnoreEvents).unwrap());
    assert_eq!((resumed.text(), rows(&resumed)), (calm.text(), rows(&calm)));
}

#[test]
fn a_failing_listener_ends_the_match() {
    let (mut told, mut later) = (0, 0);
    let ended = run(&request(2000), &workers(), &mut |event: &Event| {
        later += u64::from(told == 2);
        told += u64::from(matches!(event, Event::Progress { .. }));
        if told == 2 { Err(io::Error::other("nobody is there")) } else { Ok(()) }
    });
    let Err(error) = ended else { panic!("it went on") };
    assert!(matches!(error, Error::Output(_)) && error.remedy() == Remedy::Judge, "{error}");
    assert!(error.to_string().contains("nobody is there"), "{error}");
    assert_eq!((told, later), (2, 0), "nothing is told afterwards");
}

#[test]
fn a_mistake_in_a_request_is_not_a_judge_error() {
    let refused = |request: &Request| match run(request, &workers(), &mut IgnoreEvents) {
        Err(error) => (error.remedy(), error.to_string()),
        Ok(_) => panic!("it was played"),
    };
    let (remedy, text) = refused(&request(3));
    assert_eq!(remedy, Remedy::Request);
    assert!(text.contains("is odd"), "{text}");
    let mut unnamed = request(2);
    unnamed.players = ["random", "distance"].map(str::to_owned);
    assert_eq!(refused(&unnamed), (Remedy::Request, "no game was given".to_owned()));
}
