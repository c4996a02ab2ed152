//! The program: serves courses, or runs one of the tasks around them.

use std::process::ExitCode;

use clap::Parser as _;
use judge_runner::base::workers;
use judge_runner::bots::builds;
use judge_server::args::Arguments;
use judge_server::commands;

/// The argument with which the judge starts this program as a worker.
const WORKER: &str = "worker";

/// The option with which it builds one source instead.
const BUILD: &str = "--build";

/// The worker's other option.
const SECONDS: &str = "--processor-seconds=";

fn main() -> ExitCode {
    // Before any thread: a worker isolates the first thread of its process.
    if std::env::args().nth(1).as_deref() == Some(WORKER) {
        workers::close_inherited();
        let is_build = std::env::args().nth(2).as_deref() == Some(BUILD);
        let served = if is_build { builds::serve() } else { workers::serve(processor_seconds()) };
        return match served {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(4),
        };
    }
    workers::keep_to_this_process();
    commands::run(Arguments::parse())
}

/// The processor time that the judge allows this worker.
fn processor_seconds() -> u64 {
    let mut rest = std::env::args().skip(2);
    let told = rest.find_map(|argument| argument.strip_prefix(SECONDS)?.parse().ok());
    told.unwrap_or(workers::PROCESSOR_SECONDS)
}
