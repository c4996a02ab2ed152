//! Worker processes that misbehave: no deadline depends on what they read or write.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use judge_sandbox::worker::{Supervisor, WorkerCommand, WorkerError};

/// Asks a shell script as if it were a worker, with a module larger than any pipe's buffer.
fn ask(script: &str) -> (WorkerError, Duration) {
    let command =
        WorkerCommand { program: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()] };
    let mut worker = Supervisor::start(&command).unwrap();
    let begin = Instant::now();
    let module = vec![0; 300_000];
    (worker.load(&module, Duration::from_millis(300)).unwrap_err(), begin.elapsed())
}

#[test]
fn a_worker_that_neither_reads_nor_replies_is_killed_at_the_deadline() {
    let (error, _) = ask("exec sleep 1000");
    assert!(matches!(error, WorkerError::Deadline(_)), "{error}");
}

#[test]
fn a_worker_whose_child_keeps_the_pipes_open_holds_nobody_up() {
    let (error, time) = ask("sleep 20 & exit 3");
    assert!(matches!(error, WorkerError::Deadline(_) | WorkerError::Died(_)), "{error}");
    assert!(time < Duration::from_secs(15), "waited for {time:?}");
}

#[test]
fn a_worker_that_never_stops_talking_is_no_trouble() {
    let (error, _) = ask("yes >&2");
    assert!(matches!(error, WorkerError::Deadline(_)), "{error}");
}

#[test]
fn last_words_are_passed_on_and_tamed() {
    let (error, _) = ask("printf 'so\\033[31m long' >&2; exit 3");
    assert_eq!(error.to_string(), r"the worker process ended: exit status: 3: so\u{1b}[31m long");
}
