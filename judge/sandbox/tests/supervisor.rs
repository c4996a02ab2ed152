//! Worker processes that misbehave: no deadline depends on the data that they read or write.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use judge_sandbox::worker::{Meter, Supervisor, Terms, WorkerCommand, WorkerError};

fn command(program: &str, script: &str) -> WorkerCommand {
    let arguments = vec!["-c".into(), script.into()];
    WorkerCommand { program: program.into(), arguments, identity: "this".to_owned() }
}

/// Sends a module larger than any pipe's buffer to a shell script that acts as a worker.
fn ask(script: &str) -> (WorkerError, Duration) {
    ask_under(script, &Terms::default(), Duration::from_millis(300))
}

fn ask_under(script: &str, terms: &Terms, deadline: Duration) -> (WorkerError, Duration) {
    let mut worker = Supervisor::start(&command("/bin/sh", script), terms).unwrap();
    let begin = Instant::now();
    let module = vec![0; 300_000];
    (worker.compile(&module, deadline).unwrap_err(), begin.elapsed())
}

#[test]
fn a_worker_that_neither_reads_nor_replies_is_killed_at_the_deadline() {
    let (error, _) = ask("exec sleep 1000");
    assert!(matches!(error, WorkerError::Deadline(_) | WorkerError::Late(_)), "{error}");
}

#[test]
fn a_child_that_keeps_the_pipes_open_delays_nothing() {
    let (error, time) = ask("sleep 20 & exit 3");
    assert!(
        matches!(error, WorkerError::Late(_) | WorkerError::Deadline(_) | WorkerError::Died { .. }),
        "{error}"
    );
    assert!(time < Duration::from_secs(15), "waited for {time:?}");
}

#[test]
fn a_worker_with_endless_output_is_killed() {
    let (error, _) = ask("yes >&2");
    assert!(matches!(error, WorkerError::Deadline(_) | WorkerError::Late(_)), "{error}");
}

#[test]
fn the_last_output_of_a_worker_is_escaped_in_the_error() {
    let (error, _) = ask("printf 'so\\033[31m long' >&2; exit 3");
    assert_eq!(error.to_string(), r"the worker process ended: exit status: 3: so\u{1b}[31m long");
}

#[test]
fn the_cause_of_a_processs_end_is_known() {
    let killed = |script: &str| match ask(script).0 {
        WorkerError::Died { killed, .. } => killed,
        other => panic!("{other}"),
    };
    assert!(killed("kill -9 $$"), "killed from outside, or by a system without memory");
    assert!(!killed("kill -6 $$"), "it gave up by itself");
    assert!(!killed("exit 9"));
}

#[test]
fn a_process_beyond_its_bound_is_ended_with_the_reason() {
    let meter = std::sync::Arc::new(Meter::new(Duration::from_millis(300)));
    let terms = Terms { meter: Some(meter.clone()), ..Terms::default() };
    let error = ask_under("while :; do :; done", &terms, Duration::from_secs(60)).0;
    assert!(matches!(error, WorkerError::Spent), "{error}");
    assert!(meter.is_over() && meter.used() < Duration::from_secs(30), "{:?}", meter.used());
}

#[test]
fn another_program_is_not_accepted_as_a_worker() {
    // `Hello` with an identity, no walls and enough memory, encoded as by a worker.
    let script = r"head -c 5 >/dev/null; printf '\011\000\000\000\000\005other\000\000'; sleep 9";
    let command = command("/bin/sh", script);
    let mut worker = Supervisor::start(&command, &Terms::default()).unwrap();
    let error = worker.hello(Duration::from_secs(20)).unwrap_err();
    let WorkerError::OtherProgram { found, expected } = &error else { panic!("{error}") };
    assert_eq!((found.as_str(), expected.as_str()), ("other", "this"));
}
