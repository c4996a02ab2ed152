//! `judge worker`: this binary as a worker process. Started by the judge itself, never by people.

use judge_arena::Pool;
use judge_core::Fingerprint;
use judge_sandbox::worker::WorkerCommand;

use crate::failure::{Exit, Failure};

/// Play matches for a parent process over standard input and output.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments) -> Result<Exit, Failure> {
    judge_arena::serve().map_err(|error| Failure::Judge(error.to_string()))?;
    Ok(Exit::Passed)
}

/// A pool of worker processes that run this very binary; as many as there are processors unless
/// `jobs` says otherwise.
pub(crate) fn pool(jobs: Option<usize>) -> Result<Pool, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::Judge(format!("cannot find my own binary: {error}")))?;
    let command = WorkerCommand { program, arguments: vec!["worker".into()] };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Pool { command, workers: jobs.unwrap_or(processors), fingerprint: fingerprint() })
}

/// What decides results in this build.
pub(crate) fn fingerprint() -> Fingerprint {
    Fingerprint {
        judge: env!("CARGO_PKG_VERSION").to_owned(),
        engine: judge_sandbox::fingerprint(),
    }
}
