//! `judge worker`: this binary as a worker process. Started by the judge itself, never by people.

use std::io::Write;

use judge_arena::{Isolation, Pool, Stop};
use judge_core::{Fingerprint, printable};
use judge_sandbox::worker::WorkerCommand;

use crate::failure::{Exit, Failure};

/// How much is asked of the walls around bots.
#[derive(clap::Args, Default)]
pub(crate) struct Walls {
    /// Play nothing unless every wall around bots stands (see `judge doctor`).
    #[arg(long)]
    require_isolation: bool,
}

/// Play matches for a parent process over standard input and output.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments) -> Result<Exit, Failure> {
    judge_arena::serve().map_err(|error| Failure::Judge(error.to_string()))?;
    Ok(Exit::Passed)
}

/// How this very binary is started as a worker.
pub(crate) fn command() -> Result<WorkerCommand, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::Judge(format!("cannot find my own binary: {error}")))?;
    Ok(WorkerCommand { program, arguments: vec!["worker".into()] })
}

/// A pool of worker processes that run this very binary; as many as there are processors unless
/// `jobs` says otherwise.
pub(crate) fn pool(jobs: Option<usize>, walls: &Walls) -> Result<Pool, Failure> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Pool {
        command: command()?,
        workers: jobs.unwrap_or(processors),
        fingerprint: fingerprint(),
        isolation: if walls.require_isolation {
            Isolation::required()
        } else {
            Isolation::default()
        },
        journal: None,
        tables: judge_referee::Tables::default(),
        journal_only: false,
        stop: Stop::default(),
    })
}

/// Says on standard error which walls were missing around the bots that were just played.
pub(crate) fn warn_of_missing_walls(pool: &Pool) {
    let missing = pool.isolation.missing();
    if missing.is_empty() || pool.isolation.is_required() {
        return;
    }
    let names: Vec<&str> = missing.iter().map(|wall| wall.name.as_str()).collect();
    let line = format!(
        "warning: bots run with fewer walls on this system; missing: {} (`judge doctor` tells more)",
        names.join(", ")
    );
    // A standard error that is gone changes no result.
    let _ = writeln!(std::io::stderr(), "{}", printable(&line, usize::MAX));
}

/// What decides results in this build.
pub(crate) fn fingerprint() -> Fingerprint {
    Fingerprint {
        judge: env!("CARGO_PKG_VERSION").to_owned(),
        engine: judge_sandbox::fingerprint(),
    }
}
