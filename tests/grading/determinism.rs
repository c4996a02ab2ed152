//! The same result for every way of computing it.

use std::ffi::OsString;
use std::path::Path;

use serde_json::Value;

use crate::support::{root, run, sample, write};

/// A graded bot on a testcase, without the only key that may differ.
fn grade_on(bot: &Path, testcase: &Path, jobs: &str) -> Value {
    let arguments: [OsString; 8] = [
        "grade".into(),
        bot.into(),
        "--testcase".into(),
        testcase.into(),
        "--jobs".into(),
        jobs.into(),
        "--json".into(),
        "-".into(),
    ];
    let mut report = run(arguments).json();
    report.as_object_mut().unwrap().remove("timing");
    report
}

/// A testcase of eight rounds with little time.
const TIGHT: &str = r#"
title = "Little time"
game = "mahjong"
opponent = "random"
seeds = [1, 2, 3, 4, 5, 6, 7, 8]
min_score = 1
points = 1
limits = { time_ms = 20 }
"#;

#[test]
fn the_number_of_workers_does_not_change_a_spent_budget() {
    let folder = tempfile::tempdir().unwrap();
    let testcase = write(folder.path(), "tight.toml", TIGHT);
    let one = grade_on(&sample("mahjong-distance"), &testcase, "1");
    let report = &one["bots"][0]["testcases"][0];
    assert_eq!(report["verdict"], "time-limit-exceeded", "{report}");
    assert_eq!(report["fuel"], 20_000_000);
    let rounds = report["rounds"].as_array().unwrap();
    let spent = rounds.iter().position(|round| round["verdict"] != "accepted").unwrap();
    assert!((1..7).contains(&spent), "it runs out between the first and the last round: {spent}");
    assert!(rounds[spent]["outcome"].is_object() && rounds[spent + 1]["outcome"].is_null());
    for jobs in ["2", "7"] {
        assert_eq!(grade_on(&sample("mahjong-distance"), &testcase, jobs), one, "{jobs} workers");
    }
    // The command for showing the round again gives exactly the round of the report.
    let command = report["reproduce"].as_str().unwrap().split(' ');
    let bot = sample("mahjong-distance");
    let arguments = ["play", bot.to_str().unwrap()].into_iter().chain(command);
    let played = run(arguments);
    assert_eq!(played.code, 1, "{}", played.stdout);
    assert!(played.stdout.contains(rounds[spent]["digest"].as_str().unwrap()), "{}", played.stdout);
}

#[test]
fn the_number_of_workers_does_not_change_failed_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let testcase = write(folder.path(), "tight.toml", TIGHT);
    for case in ["trap", "f11-illegal-discard", "c03-endless-recursion", "grow-without-end"] {
        let bot = root().join("judge/hostile-corpus").join(case).join("bot.wasm");
        let one = grade_on(&bot, &testcase, "1");
        assert_eq!(grade_on(&bot, &testcase, "7"), one, "{case}");
    }
}

/// A graded sample bot without the only key that may differ.
fn grade(bot: &str, jobs: &str) -> Value {
    let arguments: [OsString; 6] = [
        "grade".into(),
        sample(bot).into(),
        "--jobs".into(),
        jobs.into(),
        "--json".into(),
        "-".into(),
    ];
    let mut report = run(arguments).json();
    let timing = report.as_object_mut().unwrap().remove("timing");
    assert!(timing.is_some(), "figures of the clock stand under `timing`");
    report
}

#[test]
fn the_number_of_workers_does_not_change_a_report() {
    for bot in ["mahjong-straightforward", "mahjong-distance"] {
        let one = grade(bot, "1");
        for jobs in ["2", "7"] {
            assert_eq!(grade(bot, jobs), one, "{bot} with {jobs} workers");
        }
    }
}

#[test]
fn a_report_has_the_versions_of_judge_and_engine() {
    let report = grade("mahjong-distance", "2");
    let engine = report["fingerprint"]["engine"].as_str().unwrap();
    assert!(engine.starts_with("wasmtime 48."), "{engine}");
    assert_eq!(report["fingerprint"]["judge"], env!("CARGO_PKG_VERSION"));
    assert_eq!(report["version"], 1);
    for testcase in report["bots"][0]["testcases"].as_array().unwrap() {
        assert_eq!(testcase["sha256"].as_str().unwrap().len(), 64);
        for round in testcase["rounds"].as_array().unwrap() {
            assert_eq!(round["digest"].as_str().unwrap().len(), 64);
        }
    }
}
