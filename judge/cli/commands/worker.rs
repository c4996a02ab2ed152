//! `judge worker`: the worker process that another judge process starts.

use judge_runner::Error;
use judge_runner::base::workers::{PROCESSOR_SECONDS, serve};

use crate::exit::Exit;

/// Compile or play for a parent process over standard input and output.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Set the processor time after which the system ends the process.
    #[arg(long, default_value_t = PROCESSOR_SECONDS)]
    processor_seconds: u64,
    /// Build one source instead.
    #[arg(long)]
    build: bool,
    /// Run the judge for the self-test instead, and observe it.
    #[arg(long)]
    observe: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    if arguments.observe {
        judge_runner::tools::selftest::serve()?;
    } else if arguments.build {
        judge_runner::bots::builds::serve()?;
    } else {
        serve(arguments.processor_seconds)?;
    }
    Ok(Exit::Passed)
}
