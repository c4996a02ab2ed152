//! The hostile corpus: each folder under `corpus/` is a module that misbehaves, with the verdict
//! that it must get. After each one an honest bot must get what it always gets.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod killed;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use support::{Ran, root, run, sample, write};

/// `case.toml` of a hostile module.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What it is about, for people.
    about: String,
    /// The verdict, as reports write it.
    verdict: String,
    /// Who is to blame.
    blame: String,
    /// What the explanation must say.
    says: Vec<String>,
    /// The command's exit code.
    exit: i32,
}

/// One round is enough to misbehave, except where rounds matter.
const TESTCASE: &str = r#"
title = "One hostile round"
game = "mahjong"
opponent = "random"
seeds = [1, 2]
min_score = 1
points = 1
limits = { time_ms = 50, memory_kib = 2048 }
"#;

fn corpus() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("tests/adversarial/corpus")).unwrap();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

/// The module of a case: as it is, or assembled from text.
fn module(folder: &Path) -> Vec<u8> {
    let text = folder.join("bot.wat");
    if text.exists() {
        return wat::parse_file(text).unwrap();
    }
    std::fs::read(folder.join("bot.wasm")).unwrap()
}

fn grade(module: &Path, testcase: &Path) -> Ran {
    run([Path::new("grade"), module, Path::new("--testcase"), testcase, Path::new("--json=-")])
}

/// The verdict, blame and explanation of the only bot in a report.
fn result(report: &Value) -> (String, String, String) {
    let bot = &report["bots"][0];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let judged = if bot["refused"].is_null() { &bot["testcases"][0] } else { &bot["refused"] };
    (text(&judged["verdict"]), text(&judged["blame"]), text(&judged["detail"]))
}

#[test]
fn every_hostile_module_gets_its_verdict_and_harms_nobody() {
    let temporary = tempfile::tempdir().unwrap();
    let testcase = write(temporary.path(), "hostile.toml", TESTCASE);
    let honest = sample("mahjong-straightforward");
    let golden = grade(&honest, &testcase).json()["bots"][0]["digest"].clone();
    let folders = corpus();
    assert!(folders.len() >= 34, "the corpus has {} cases", folders.len());
    for folder in folders {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let case: Case =
            toml::from_str(&std::fs::read_to_string(folder.join("case.toml")).unwrap()).unwrap();
        assert!(!case.about.is_empty());
        let bot = write(temporary.path(), "bot.wasm", module(&folder));
        let ran = grade(&bot, &testcase);
        let (verdict, blame, detail) = result(&ran.json());
        assert_eq!((verdict, blame), (case.verdict, case.blame), "{name}: {detail}");
        assert_eq!(ran.code, case.exit, "{name}");
        for words in &case.says {
            assert!(detail.contains(words), "{name}: {detail}");
        }
        let again = grade(&bot, &testcase).json();
        assert_eq!(ran.json()["bots"], again["bots"], "{name}: the same every time");
        let after = grade(&honest, &testcase).json();
        assert_eq!(after["bots"][0]["digest"], golden, "{name}: the next match is unharmed");
    }
}

#[test]
fn an_infinite_loop_spends_exactly_its_time_in_its_first_round() {
    let temporary = tempfile::tempdir().unwrap();
    let testcase = write(temporary.path(), "hostile.toml", TESTCASE);
    let folder = root().join("tests/adversarial/corpus/infinite-loop");
    let bot = write(temporary.path(), "bot.wasm", module(&folder));
    let report = grade(&bot, &testcase).json();
    let testcase = &report["bots"][0]["testcases"][0];
    assert_eq!(testcase["fuel"], 50_000_000);
    assert_eq!(testcase["rounds"][0]["fuel"], 50_000_000);
    // The second round has no time left to begin in.
    assert_eq!(testcase["rounds"][1]["verdict"], "time-limit-exceeded");
    assert!(testcase["rounds"][1]["outcome"].is_null());
}

#[test]
fn other_rounds_are_played_after_a_fault() {
    let temporary = tempfile::tempdir().unwrap();
    let testcase = write(temporary.path(), "hostile.toml", TESTCASE);
    let folder = root().join("tests/adversarial/corpus/trap");
    let bot = write(temporary.path(), "bot.wasm", module(&folder));
    let report = grade(&bot, &testcase).json();
    let rounds = report["bots"][0]["testcases"][0]["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2);
    assert!(rounds.iter().all(|round| round["verdict"] == "runtime-error"));
    assert!(rounds.iter().all(|round| round["outcome"]["reason"] == "forfeit"));
}
