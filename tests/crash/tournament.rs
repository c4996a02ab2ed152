//! Tournaments that are killed and continued.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{judge, sample};

/// Every result without times.
const RESULTS: [(&str, &str); 4] = [
    ("--markdown", "tables.md"),
    ("--csv", "standing.csv"),
    ("--html", "page.html"),
    ("--svg", "ratings.svg"),
];

/// A small tournament in a separate folder, with a journal.
fn tournament(folder: &Path, more: &[&str]) -> Command {
    let mut command = judge();
    command.args(["tournament", "random", "straightforward", "--game", "mahjong", "--seed=1"]);
    command.args(["mahjong-distance", "mahjong-hunter"].map(sample));
    command.args(["--rounds", "60", "--jobs", "2", "--resume"]).args(more);
    command.arg("--journal").arg(folder.join("journal.jsonl"));
    for (flag, name) in RESULTS {
        command.arg(flag).arg(folder.join(name));
    }
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn results(folder: &Path) -> BTreeMap<&'static str, String> {
    RESULTS.map(|(_, name)| (name, std::fs::read_to_string(folder.join(name)).unwrap())).into()
}

fn rounds(folder: &Path) -> usize {
    let journal = std::fs::read_to_string(folder.join("journal.jsonl")).unwrap_or_default();
    journal.matches("{\"entry\":{\"round\":").count()
}

/// Kills it in two different thirds of its rounds, then lets it finish.
fn kill_twice(more: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let [disturbed, calm] = ["disturbed", "calm"].map(|name| folder.path().join(name));
    for folder in [&disturbed, &calm] {
        std::fs::create_dir(folder).unwrap();
    }
    assert!(tournament(&calm, more).status().unwrap().success());
    let all = rounds(&calm);
    for third in 1..=2 {
        let begun = Instant::now();
        let mut judge = tournament(&disturbed, more).spawn().unwrap();
        while rounds(&disturbed) < all * third / 3 {
            assert!(begun.elapsed() < Duration::from_secs(60), "it does not get on");
            assert!(judge.try_wait().unwrap().is_none(), "it ended before it was killed");
            std::thread::sleep(Duration::from_millis(1));
        }
        judge.kill().unwrap();
        judge.wait().unwrap();
        assert!(rounds(&disturbed) < all, "it was killed too late");
    }
    assert!(tournament(&disturbed, more).status().unwrap().success());
    assert_eq!(results(&disturbed), results(&calm));
    assert_eq!(rounds(&disturbed), all, "no round was played twice");
}

#[test]
fn a_tournament_killed_twice_ends_with_the_same_tables() {
    kill_twice(&[]);
}

#[test]
fn a_swiss_tournament_killed_twice_keeps_its_pairings() {
    kill_twice(&["--format", "swiss", "--cycles", "3"]);
}
