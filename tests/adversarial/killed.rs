//! Worker processes that die: the judge's failure, never the bot's.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use super::support::{judge, root, write};

/// A round that lasts until somebody ends it.
const ENDLESS: &str = r#"
title = "A long round"
game = "mahjong"
opponent = "random"
seeds = [1]
min_score = 1
points = 1
limits = { time_ms = 10000000 }
"#;

/// Starts grading a bot that never answers.
fn start(folder: &Path) -> Child {
    let loops = root().join("tests/adversarial/corpus/c01-infinite-loop/bot.wasm");
    let bot = write(folder, "bot.wasm", std::fs::read(loops).unwrap());
    let testcase = write(folder, "endless.toml", ENDLESS);
    let mut command = judge();
    command.arg("grade").arg(bot).arg("--testcase").arg(testcase).args(["--json", "-"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The first child process of a process, once it has one that is not `known`.
fn worker_of(parent: &mut Child, known: Option<i32>) -> Option<i32> {
    let path = format!("/proc/{0}/task", parent.id());
    loop {
        if parent.try_wait().unwrap().is_some() {
            return None;
        }
        let threads = std::fs::read_dir(&path).into_iter().flatten().flatten();
        let children = threads
            .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
        let found = children
            .flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .filter_map(|text| text.parse().ok())
            .find(|pid| Some(*pid) != known);
        if found.is_some() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn kill(pid: i32) {
    // It may have ended by itself in the meantime.
    let _ = kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL);
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "looks for the worker in /proc")]
fn a_killed_worker_is_tried_again_and_then_the_judges_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut parent = start(folder.path());
    let mut killed = 0;
    let mut last = None;
    while let Some(worker) = worker_of(&mut parent, last) {
        kill(worker);
        killed += 1;
        last = Some(worker);
    }
    assert_eq!(killed, 3, "a failed match is tried three times");
    let output = parent.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let testcase = &report["bots"][0]["testcases"][0];
    assert_eq!(testcase["verdict"], "judge-error");
    assert_eq!(testcase["blame"], "judge");
    let detail = testcase["detail"].as_str().unwrap();
    assert!(detail.contains("the worker process ended: signal: 9"), "{detail}");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "looks for the worker in /proc")]
fn a_worker_dies_with_the_judge() {
    let folder = tempfile::tempdir().unwrap();
    let mut parent = start(folder.path());
    let worker = worker_of(&mut parent, None).expect("grading goes on");
    std::thread::sleep(Duration::from_millis(300));
    parent.kill().unwrap();
    parent.wait().unwrap();
    let pid = Pid::from_raw(worker).unwrap();
    let gone = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        test_kill_process(pid).is_err() || is_zombie(worker)
    });
    assert!(gone, "worker {worker} outlived the judge");
}

/// Whether the process has ended and only waits to be noticed by whoever inherited it.
fn is_zombie(pid: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
}
