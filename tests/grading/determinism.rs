//! The same result, however it was computed.

use std::ffi::OsString;

use serde_json::Value;

use crate::support::{run, sample};

/// A graded sample bot without the one key that may differ.
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
fn workers_change_nothing() {
    for bot in ["mahjong-straightforward", "mahjong-distance"] {
        let one = grade(bot, "1");
        for jobs in ["2", "7"] {
            assert_eq!(grade(bot, jobs), one, "{bot} with {jobs} workers");
        }
    }
}

#[test]
fn a_report_says_what_it_was_made_with() {
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
