//! Tournaments: events, early ends of meetings, and failing listeners.

use std::io;

use judge_core::{Event, Unit};
use judge_runner::contest::ContestRequest;
use judge_runner::contest::tournament::{Finished, Format, Outcome, Request, run};

use crate::support::{SILENT_BOT, run as run_command, sample, write};
use crate::{Heard, workers};

fn request(players: &[&str], rounds: u64) -> Request {
    let players = players.iter().map(|&name| name.to_owned()).collect();
    let game = Some("mahjong".to_owned());
    let contest = ContestRequest { game, seed: Some(3), ..ContestRequest::default() };
    Request { contest, ..Request::new(players, rounds) }
}

fn finished(outcome: Outcome) -> Finished {
    match outcome {
        Outcome::Finished(finished) => *finished,
        Outcome::Part(part) => panic!("{}", part.text()),
        Outcome::Unfinished(unfinished) => panic!("{}", unfinished.text()),
    }
}

#[test]
fn a_tournament_sends_an_event_for_each_round() {
    let bot = sample("mahjong-distance").to_str().unwrap().to_owned();
    let mut heard = Heard::default();
    let request = request(&[&bot, "random", "straightforward"], 8);
    let finished = finished(run(&request, &workers(), &mut heard).unwrap());
    assert_eq!(heard.0[0], Event::Started { unit: Unit::Pairs, total: Some(12) });
    assert_eq!(heard.done(), (1..=12).collect::<Vec<u64>>());
    let numbers: Vec<u64> = (1..=24).collect();
    assert_eq!((heard.started(), heard.finished()), (numbers.clone(), numbers));
    assert_eq!(heard.0.last(), Some(&Event::Finished));
    let second = heard.0.iter().find_map(|event| match event {
        Event::RoundFinished { round, .. } if round.round == 9 => Some(round.clone()),
        _ => None,
    });
    let opponent = second.unwrap().opponent;
    assert_eq!(opponent, "straightforward", "the first round of the second meeting");
    let command = ["tournament", &bot, "random", "straightforward", "--game", "mahjong"];
    let more = ["--rounds", "8", "--seed", "3"];
    assert_eq!(run_command([&command[..], &more].concat()).stdout, finished.text());
    assert!(finished.is_complete().unwrap());
}

#[test]
fn a_meeting_that_ends_early_counts_all_its_pairs_as_done() {
    let folder = tempfile::tempdir().unwrap();
    let silent = write(folder.path(), "silent.wasm", wat::parse_str(SILENT_BOT).unwrap());
    let mut heard = Heard::default();
    let request =
        Request { format: Format::Gauntlet, ..request(&[silent.to_str().unwrap(), "random"], 60) };
    let finished = finished(run(&request, &workers(), &mut heard).unwrap());
    assert_eq!(heard.done(), [1, 2, 3, 4, 5, 6, 7, 30]);
    assert_eq!(finished.report.ranking.rows[1].ended_early, 1);
    assert_eq!(heard.started(), heard.finished(), "what began beyond the end finishes");
}

#[test]
fn each_meeting_has_the_same_weight_in_a_score() {
    let folder = tempfile::tempdir().unwrap();
    let silent = write(folder.path(), "silent.wasm", wat::parse_str(SILENT_BOT).unwrap());
    let request = request(&[silent.to_str().unwrap(), "random", "straightforward"], 60);
    let finished = finished(run(&request, &workers(), &mut Heard::default()).unwrap());
    let meetings = &finished.report.played.meetings;
    let rounds: Vec<u64> = meetings.iter().map(|meeting| 2 * meeting.tally.table.pairs()).collect();
    assert_eq!(rounds, [16, 16, 60], "two ended early");
    for row in &finished.report.ranking.rows {
        let shares = meetings.iter().filter_map(|meeting| {
            let at = meeting.fixture.players.iter().position(|player| *player == row.player)?;
            let share = meeting.tally.evidence.score().value;
            Some(if at == 0 { share } else { 1.0 - share })
        });
        let shares: Vec<f64> = shares.collect();
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        assert!((row.score - mean).abs() < 1e-9, "{}: {} is not {mean}", row.name, row.score);
    }
}

#[test]
fn a_failing_listener_ends_the_tournament() {
    let (mut told, mut later) = (0, 0);
    let request = request(&["random", "straightforward", "distance"], 2000);
    let ended = run(&request, &workers(), &mut |event: &Event| {
        later += u64::from(told == 2);
        told += u64::from(matches!(event, Event::Progress { .. }));
        if told == 2 { Err(io::Error::other("nobody is there")) } else { Ok(()) }
    });
    let Err(error) = ended else { panic!("it went on") };
    assert!(error.to_string().contains("nobody is there"), "{error}");
    assert_eq!((told, later), (2, 0), "nothing is told afterwards");
}

#[test]
fn a_tournament_of_one_player_is_refused() {
    let ended = run(&request(&["random"], 2), &workers(), &mut Heard::default());
    let Err(error) = ended else { panic!("it was played") };
    assert!(error.to_string().contains("at least two players"), "{error}");
}
