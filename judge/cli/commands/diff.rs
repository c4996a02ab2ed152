//! `judge diff`: the first difference between two replays.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::rounds::diff::{self, Request};

use crate::exit::Exit;
use crate::show::output;

/// Show the first difference between two replays.
///
/// Compares their settings, then each call, then the result. Lines of the first file begin with
/// `-`, those of the second with `+`. Exit codes: 0 the same round, 1 different rounds, 3 a file is
/// not a replay.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Replay: a file written by `judge play --replay`.
    one: PathBuf,
    /// Another replay.
    other: PathBuf,
    /// Show this many calls before the first that differs.
    #[arg(long, value_name = "N", default_value_t = 3)]
    context: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let files = [arguments.one.clone(), arguments.other.clone()];
    let outcome = diff::run(&Request { files, context: arguments.context })?;
    output::unless_reader_left(output::print(&outcome.text()))?;
    Ok(if outcome.is_same() { Exit::Passed } else { Exit::Failed })
}
