//! Training runs: progress, saves, and the same bytes after a stop.

use std::path::Path;

use judge_arena::Stop;
use judge_core::{Event, ProgressResult, digest};
use judge_runner::contest::train::{Request, run};

use crate::{Deaf, Heard};

fn request(out: &Path, games: u64) -> Request {
    Request {
        game: "amazons".to_owned(),
        board: "4x4".to_owned(),
        games,
        out: out.to_owned(),
        seed: 1,
        playouts: 30,
        save_every: 4,
        resume: true,
        note_saves: true,
    }
}

#[test]
fn a_training_sends_events_for_games_states_and_saves() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table");
    let mut heard = Heard::default();
    let outcome = run(&request(&table, 6), &Stop::default(), &mut heard).unwrap();
    assert_eq!(heard.done(), [1, 2, 3, 4, 5, 6]);
    let [saved] = heard.remarks()[..] else { panic!("{:?}", heard.remarks()) };
    assert!(saved.starts_with("saved: 4 of 6 games, "), "{saved}");
    let states = outcome.header.states as u64;
    let last = Event::Progress { done: 6, standing: Some(ProgressResult::Training { states }) };
    assert!(heard.0.contains(&last), "{:?}", heard.0);
    let bytes = std::fs::read(&table).unwrap();
    assert_eq!((outcome.sha256, outcome.bytes), (digest(&bytes), bytes.len()));
}

#[test]
fn a_training_that_was_stopped_or_failed_continues_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    let expected = run(&request(&whole, 6), &Stop::default(), &mut Heard::default()).unwrap();

    let stop = Stop::default();
    let mut until_two = |event: &Event| {
        if matches!(event, Event::Progress { done: 2, .. }) {
            stop.now();
        }
        Ok(())
    };
    let stopped = run(&request(&parts, 6), &stop, &mut until_two).unwrap();
    assert_eq!(stopped.header.games, 2);
    let error = run(&request(&parts, 6), &Stop::default(), &mut Deaf).unwrap_err();
    assert!(error.to_string().contains("deaf"), "{error}");
    let mut heard = Heard::default();
    let outcome = run(&request(&parts, 6), &Stop::default(), &mut heard).unwrap();
    assert!(heard.remarks()[0].starts_with("resuming: 2 games, "), "{:?}", heard.remarks());
    assert_eq!(outcome.sha256, expected.sha256);
}
