//! Worker processes that die: never the bot's failure but the judge's, and not even that if it
//! happens only once.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use super::support::{judge, root, write};

/// A round that lasts until it is killed.
const ENDLESS: &str = r#"
title = "A long round"
game = "mahjong"
opponent = "random"
seeds = [1]
min_score = 1
points = 1
limits = { time_ms = 10000000 }
"#;

/// Long rounds with a slow bot.
const SLOW: &str = r#"
title = "Slow rounds"
game = "mahjong"
opponent = "random"
seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
min_score = 1
points = 1
limits = { time_ms = 100000 }
"#;

/// Starts grading a bot of the corpus with one worker.
fn start(folder: &Path, case: &str, testcase: &str) -> Child {
    let bot = root().join("judge/hostile-corpus").join(case).join("bot.wasm");
    let testcase = write(folder, "testcase.toml", testcase);
    let mut command = judge();
    command.arg("grade").arg(bot).arg("--testcase").arg(testcase);
    command.args(["--jobs", "1", "--json", "-"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The first bot's report, and the exit code.
fn result(parent: Child) -> (serde_json::Value, Option<i32>) {
    let output = parent.wait_with_output().unwrap();
    let mut report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    (report["bots"][0].take(), output.status.code())
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

/// I02: if a round's worker is killed, only the result of the second attempt counts, for a bot with
/// exports and for a program whose stack is in the worker.
#[test]
fn a_worker_killed_once_changes_no_result() {
    for case in ["c10-slow-every-move", "c10-stdio-slow-every-move"] {
        let folder = tempfile::tempdir().unwrap();
        let undisturbed = result(start(folder.path(), case, SLOW));
        assert_eq!(undisturbed.1, Some(1), "it plays, and does not win");
        assert!(undisturbed.0["digest"].is_string());
        for pause in [0, 50, 200] {
            let mut parent = start(folder.path(), case, SLOW);
            let worker = worker_of(&mut parent, None).expect("grading goes on");
            std::thread::sleep(Duration::from_millis(pause));
            kill(worker);
            assert!(worker_of(&mut parent, Some(worker)).is_some(), "there is a second try");
            assert_eq!(result(parent), undisturbed, "{case}, killed after {pause} ms");
        }
    }
}

#[test]
fn a_worker_killed_three_times_is_a_judge_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut parent = start(folder.path(), "c01-infinite-loop", ENDLESS);
    let mut killed = 0;
    let mut last = None;
    while let Some(worker) = worker_of(&mut parent, last) {
        kill(worker);
        killed += 1;
        last = Some(worker);
    }
    assert_eq!(killed, 3, "a failed match is tried three times");
    let (report, code) = result(parent);
    assert_eq!(code, Some(4));
    let testcase = &report["testcases"][0];
    assert_eq!(testcase["verdict"], "judge-error");
    assert_eq!(testcase["blame"], "judge");
    let detail = testcase["detail"].as_str().unwrap();
    assert!(detail.contains("the worker process ended: signal: 9"), "{detail}");
}

/// A program that replaces the running one is never started as a worker.
#[test]
fn a_replaced_judge_program_does_not_change_a_started_run() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("judge");
    std::fs::copy(judge().get_program(), &program).unwrap();
    let start = || {
        let bot = root().join("judge/hostile-corpus/c10-slow-every-move/bot.wasm");
        let testcase = write(folder.path(), "testcase.toml", SLOW);
        let mut command = std::process::Command::new(&program);
        command.arg("grade").arg(bot).arg("--testcase").arg(testcase);
        command.args(["--jobs", "1", "--json", "-", "--no-cache"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let undisturbed = result(start());
    let mut parent = start();
    let worker = worker_of(&mut parent, None).expect("grading goes on");
    let other = write(folder.path(), "other", "#!/bin/sh\nexit 1\n");
    std::fs::rename(other, &program).unwrap();
    kill(worker);
    assert!(worker_of(&mut parent, Some(worker)).is_some(), "there is a second try");
    assert_eq!(result(parent), undisturbed);
}

#[test]
fn a_worker_dies_with_the_judge() {
    let folder = tempfile::tempdir().unwrap();
    let mut parent = start(folder.path(), "c01-infinite-loop", ENDLESS);
    let worker = worker_of(&mut parent, None).expect("grading goes on");
    std::thread::sleep(Duration::from_millis(300));
    parent.kill().unwrap();
    parent.wait().unwrap();
    let pid = Pid::from_raw(worker).unwrap();
    let gone = (0..6000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        test_kill_process(pid).is_err() || is_zombie(worker)
    });
    assert!(gone, "worker {worker} outlived the judge");
}

/// True if the process has ended and only waits to be reaped.
fn is_zombie(pid: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
}
