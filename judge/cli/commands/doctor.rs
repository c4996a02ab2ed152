//! `judge doctor`: the isolation of bots on this machine.

use judge_runner::Error;
use judge_runner::base::workers::Workers;
use judge_runner::tools::doctor;

use crate::exit::Exit;
use crate::show::output;

/// Check how well bots are isolated on this machine.
///
/// Starts a worker process as grading does, and lets it attempt what a bot that broke out of the
/// sandbox would attempt. Exits with 1 when a measure is missing or an attempt succeeded.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let outcome = doctor::run(&Workers::of_this_program()?)?;
    let text = if arguments.json { outcome.to_json() } else { outcome.to_text() };
    output::unless_reader_left(output::print(&text))?;
    Ok(if outcome.is_sound() { Exit::Passed } else { Exit::Failed })
}
