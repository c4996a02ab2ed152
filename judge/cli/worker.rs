//! `judge worker`: this binary as a worker process. Started by the judge itself, never by people.

use std::io::Write;
use std::path::PathBuf;

use judge_arena::{Isolation, Pool};
use judge_core::{Fingerprint, printable};
use judge_sandbox::worker::{Life, WorkerCommand};

use crate::failure::{Exit, Failure};

/// How much is asked of the walls around bots.
#[derive(clap::Args, Default)]
pub(crate) struct Walls {
    /// Play nothing unless every wall around bots stands (see `judge doctor`).
    #[arg(long)]
    require_isolation: bool,
}

/// Compile or play for a parent process over standard input and output.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Processor time after which the system ends the process.
    #[arg(long, default_value_t = 3600)]
    processor_seconds: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let life = Life { identity: identity(), processor_seconds: arguments.processor_seconds };
    judge_arena::serve(&life).map_err(|error| Failure::Judge(error.to_string()))?;
    Ok(Exit::Passed)
}

/// How this very binary is started as a worker.
pub(crate) fn command() -> Result<WorkerCommand, Failure> {
    let program = running_binary()
        .map_err(|error| Failure::Judge(format!("cannot find my own binary: {error}")))?;
    Ok(WorkerCommand { program, arguments: vec!["worker".into()], identity: identity() })
}

/// The program that is running, also when another file has taken its place meanwhile.
fn running_binary() -> std::io::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() {
        return Ok(running);
    }
    std::env::current_exe()
}

/// What tells this build from others; where a replaced binary is started, it says something else.
fn identity() -> String {
    let Fingerprint { judge, engine } = fingerprint();
    format!("judge {judge}, {engine}")
}

/// A pool of worker processes that run this very binary; as many as there are processors unless
/// `jobs` says otherwise.
pub(crate) fn pool(jobs: Option<usize>, walls: &Walls) -> Result<Pool, Failure> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = Pool::new(command()?, jobs.unwrap_or(processors), fingerprint());
    let required = walls.require_isolation;
    Ok(Pool { isolation: if required { Isolation::required() } else { pool.isolation }, ..pool })
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
