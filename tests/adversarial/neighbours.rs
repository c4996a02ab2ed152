//! Effects of a hostile module on its other rounds, and on those of other bots.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{root, run, sample, write};

const TESTCASE: &str = r#"
title = "Two hostile rounds"
game = "mahjong"
opponent = "random"
seeds = [1, 2]
min_score = 1
points = 1
limits = { time_ms = 50, memory_kib = 2048 }
"#;

fn case(name: &str) -> PathBuf {
    root().join("judge/hostile-corpus").join(name).join("bot.wasm")
}

/// Reports of bots that are graded together.
fn grade(bots: &[PathBuf], folder: &Path, jobs: &str) -> Vec<Value> {
    let testcase = write(folder, "hostile.toml", TESTCASE);
    let mut arguments: Vec<OsString> = vec!["grade".into()];
    arguments.extend(bots.iter().map(OsString::from));
    arguments.extend(["--testcase".into(), testcase.into()]);
    arguments.extend(["--jobs", jobs, "--json", "-"].map(OsString::from));
    run(arguments).json()["bots"].as_array().unwrap().clone()
}

#[test]
fn an_infinite_loop_spends_the_whole_budget_in_its_first_round() {
    let folder = tempfile::tempdir().unwrap();
    let report = &grade(&[case("c01-infinite-loop")], folder.path(), "1")[0];
    let testcase = &report["testcases"][0];
    assert_eq!(testcase["fuel"], 50_000_000);
    assert_eq!(testcase["rounds"][0]["fuel"], 50_000_000);
    // The second round has no time left.
    assert_eq!(testcase["rounds"][1]["verdict"], "time-limit-exceeded");
    assert!(testcase["rounds"][1]["outcome"].is_null());
}

#[test]
fn other_rounds_are_played_after_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let report = &grade(&[case("trap")], folder.path(), "1")[0];
    let rounds = report["testcases"][0]["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2);
    assert!(rounds.iter().all(|round| round["verdict"] == "runtime-error"));
    assert!(rounds.iter().all(|round| round["outcome"]["reason"] == "forfeit"));
}

/// J01: infinite loops on every processor do not affect an honest bot among them.
#[test]
fn an_honest_bot_among_infinite_loops_keeps_its_result() {
    let folder = tempfile::tempdir().unwrap();
    let honest = sample("mahjong-straightforward");
    let alone = grade(std::slice::from_ref(&honest), folder.path(), "1")[0]["digest"].clone();
    let mut bots: Vec<PathBuf> = Vec::new();
    for number in 0..8 {
        let copy = folder.path().join(format!("loop-{number}.wasm"));
        std::fs::copy(case("c01-infinite-loop"), &copy).unwrap();
        bots.push(copy);
    }
    bots.insert(4, honest);
    let together = grade(&bots, folder.path(), "9");
    assert_eq!(together[4]["digest"], alone);
    let loops = [0, 1, 2, 3, 5, 6, 7, 8].map(|bot| together[bot]["digest"].clone());
    assert!(loops.iter().all(|digest| *digest == loops[0]), "J02: one module, one digest");
}
