//! Tests of parts with judge errors, and of two judges in one folder.

use std::fs::File;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use judge_arena::{Pairing, Recorded, Recorder};
use judge_core::{Fault, Limits, Options, SeatSpec, Seed};
use judge_report::recording::RecordingFormat;
use serde_json::json;

use super::*;

const FORMATS: [RecordingFormat; 1] = [RecordingFormat::Jsonl];

fn open(path: &Path, resume: bool) -> Result<Folder, Error> {
    Folder::open(path, &json!({"games": 6}), &FORMATS, resume)
}

/// A recorder in which the judge fails in some games.
struct Failing<'a> {
    writer: &'a Writer<'a>,
    games: &'a [u64],
}

impl Recorder for Failing<'_> {
    fn played(&self, game: &Recorded) -> ControlFlow<()> {
        self.writer.played(game)
    }

    fn finished(&self, part: usize, games: Vec<Recorded>) -> ControlFlow<()> {
        let fail = |game: Recorded| match game {
            Ok(game) if self.games.contains(&game.game) => Err(Fault::judge("no memory")),
            game => game,
        };
        self.writer.finished(part, games.into_iter().map(fail).collect())
    }
}

/// Records the missing parts among three with two games each, some of which fail. Returns the parts
/// that were written.
fn record(path: &Path, failing: &[u64]) -> (Vec<usize>, Result<Counts, Error>) {
    let folder = open(path, true).expect("a folder");
    let parts: Vec<Range<u64>> = vec![0..2, 2..4, 4..6];
    let missing: Vec<usize> = (0..3).filter(|part| !folder.has(*part)).collect();
    let reference = |name: &str| SeatSpec::Reference { name: name.to_owned() };
    let pairing = Pairing {
        game: "patchwork".to_owned(),
        options: Options::new(),
        seed: Seed(1),
        limits: Limits::COURSE,
        players: ["first", "random"].map(reference),
        modules: [None, None],
    };
    let run = Workers::of_this_program().expect("a program").with_jobs(1).run();
    let writer = Writer::new(&folder, &FORMATS, &missing, Vec::new(), &parts);
    let recorder = Failing { writer: &writer, games: failing };
    pairing.record(&run, &[], &writer.games(), &recorder).expect("games");
    let summary = writer.finish();
    (missing.into_iter().filter(|part| folder.has(*part)).collect(), summary)
}

fn outcome(counts: Counts) -> Outcome {
    Outcome { counts: Some(counts), ..Outcome::nothing(Default::default(), 0) }
}

#[test]
fn a_part_with_a_lost_game_is_left_to_the_next_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let (made, summary) = record(folder.path(), &[1, 4, 5]);
    let summary = summary.expect("the others were recorded");
    assert_eq!((made, summary.games), (vec![1], 2));
    let told = [
        "the judge failed in 3 games, 2 parts not written: no memory",
        "no bot is to blame; `--resume` plays them again",
    ];
    assert_eq!(outcome(summary).failure(), Some(told.map(str::to_owned)));
    let (made, summary) = record(folder.path(), &[]);
    let summary = summary.expect("all was recorded");
    assert_eq!((made, summary.games, summary.lost), (vec![0, 2], 4, 0));
    assert_eq!(outcome(summary).failure(), None);
}

#[test]
fn a_recording_ends_if_every_game_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let (made, summary) = record(folder.path(), &[0, 1]);
    assert!(made.is_empty());
    let failure = summary.err().map(|failure| failure.to_string());
    assert_eq!(failure.as_deref(), Some("the judge failed in each game: no memory"));
}

#[test]
fn a_second_judge_in_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    // The first judge has only created its lock so far.
    let lock = File::create(path.join(".lock")).expect("a file");
    lock.lock().expect("a file system with locks");
    let second = open(path, false).err().map(|failure| failure.to_string());
    assert_eq!(second, Some(format!("another judge records into `{}`", path.display())));
    assert_eq!(path.read_dir().expect("a folder").count(), 1);
    drop(lock);
    let first = open(path, false).expect("the folder is free");
    let second = open(path, true).err().map(|failure| failure.to_string());
    assert_eq!(second, Some(format!("another judge records into `{}`", path.display())));
    drop(first);
    assert!(open(path, true).is_ok());
}
