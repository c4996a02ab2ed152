//! Recordings: progress, resuming, and listeners that fail.

use std::path::Path;

use judge_core::{Event, Limits, Options, Unit};
use judge_report::recording::RecordingFormat;
use judge_runner::contest::record::{Request, run};

use crate::support::sample;
use crate::{Deaf, Heard, workers};

fn request(out: &Path, games: u64) -> Request {
    let bot = sample("patchwork-first-fit").display().to_string();
    Request {
        players: [bot, "random".to_owned()],
        game: None,
        options: Options::new(),
        games,
        seed: 1,
        limits: Limits::COURSE,
        out: out.to_owned(),
        formats: vec![RecordingFormat::Jsonl],
        part: 2,
        resume: false,
        shard: None,
    }
}

#[test]
fn a_recording_sends_an_event_per_game_and_is_not_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let request = request(&folder.path().join("r"), 5);
    let mut heard = Heard::default();
    let outcome = run(&request, &workers(), &mut heard).unwrap();
    assert_eq!(heard.done(), [1, 2, 3, 4, 5]);
    let started = Event::Started { unit: Unit::Games, total: Some(5) };
    assert!(heard.0.contains(&started), "{:?}", heard.0);
    assert_eq!(heard.0.last(), Some(&Event::Finished));
    assert_eq!(outcome.players, ["patchwork-first-fit", "random"]);
    let counts = outcome.counts.as_ref().unwrap();
    assert_eq!((counts.games, counts.parts, counts.lost, outcome.present), (5, 3, 0, 0));
    assert_eq!(counts.wins.iter().sum::<u64>() + counts.drawn, 5);
    assert!(!outcome.is_faults_only() && outcome.failure().is_none());

    let again = Request { resume: true, ..request };
    let outcome = run(&again, &workers(), &mut Heard::default()).unwrap();
    assert_eq!((outcome.counts.is_none(), outcome.present), (true, 3));
}

#[test]
fn a_recording_ended_by_a_failing_listener_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let request = request(&folder.path().join("r"), 2_000);
    let error = run(&request, &workers(), &mut Deaf).unwrap_err();
    assert!(error.to_string().contains("deaf"), "{error}");
    let parts = std::fs::read_dir(request.out.join("jsonl")).unwrap().count();
    assert!(parts < 500, "{parts} of 1000 parts");
    let shorter = Request { resume: true, ..request };
    let stopped = workers();
    stopped.stop.now();
    let outcome = run(&shorter, &stopped, &mut Heard::default()).unwrap();
    assert!(outcome.counts.unwrap().games < 10, "it was stopped");
}
