//! The judge aborts at each failpoint: `cargo test --features failpoints --test crash`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::course::{CrashCourse, results};
use crate::support::{judge, root};

/// Prefix of the failpoints of recordings; a course reaches all others.
const OF_A_RECORDING: &str = "part-";

/// The failpoints in the sources, so that none is forgotten.
fn names(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            names(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for rest in text.split("failpoint::reach(\"").skip(1) {
                found.extend(rest.split('"').next().map(str::to_owned));
            }
        }
    }
}

/// Names of all failpoints: those of recordings, and the others.
fn places() -> (Vec<String>, Vec<String>) {
    let mut found = BTreeSet::new();
    for room in ["judge/arena/src", "judge/runner/src"] {
        names(&root().join(room), &mut found);
    }
    found.into_iter().partition(|name| name.starts_with(OF_A_RECORDING))
}

#[test]
fn a_judge_killed_at_any_failpoint_resumes_to_the_same_results() {
    let course = CrashCourse::new();
    let expected = course.undisturbed();
    let (_, found) = places();
    assert!(found.len() >= 6, "{found:?}");
    for name in &found {
        for time in [1, 2, 7] {
            let out = course.out(&format!("{name}-{time}"));
            let died = course.grade(&out).env("JUDGE_FAILPOINT", format!("{name}={time}")).status();
            let died = !died.unwrap().success();
            assert!(died || time > 1, "`{name}` is never reached");
            assert!(course.grade(&out).status().unwrap().success(), "after {name}={time}");
            assert_eq!(results(&out), expected, "after {name}={time}");
        }
    }
}

/// The command that records a few games, or resumes the recording.
fn record(out: &Path) -> Command {
    let mut command = judge();
    command.args(["record", "--game=patchwork", "--players=first,random", "--games=8"]);
    command.args(["--part=2", "--resume", "--jobs=2", "--format=jsonl,parquet,csv", "--out"]);
    command.arg(out).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Every file of a recording, by its name.
fn recorded(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(out).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.strip_prefix(out).unwrap();
            found.extend(recorded(&path).into_iter().map(|(file, bytes)| (name.join(file), bytes)));
        } else {
            found.insert(path.strip_prefix(out).unwrap().into(), std::fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn a_recording_killed_at_any_failpoint_resumes_to_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let undisturbed = folder.path().join("undisturbed");
    assert!(record(&undisturbed).status().unwrap().success());
    let expected = recorded(&undisturbed);
    let (found, _) = places();
    assert!(found.len() >= 2, "{found:?}");
    for name in &found {
        for time in [1, 2, 7] {
            let out = folder.path().join(format!("{name}-{time}"));
            let died = record(&out).env("JUDGE_FAILPOINT", format!("{name}={time}")).status();
            assert!(!died.unwrap().success(), "`{name}` is never reached");
            assert!(record(&out).status().unwrap().success(), "after {name}={time}");
            assert!(recorded(&out) == expected, "after {name}={time}");
        }
    }
}
