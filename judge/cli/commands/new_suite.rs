//! `judge new-suite`: a commented suite to begin with.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::suites::new_suite::{self, Request};

use crate::exit::Exit;
use crate::show::output;

/// Write a new suite for a game, with every key explained.
///
/// The suite can be played at once. Its thresholds are a rough guess; `judge calibrate --write`
/// replaces them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folder of the suite: a new one, or an empty one.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Game to play; `judge games` lists them.
    #[arg(long, value_name = "GAME")]
    game: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let Arguments { folder, game } = arguments;
    let outcome = new_suite::run(&Request { folder: folder.clone(), game: game.clone() })?;
    output::unless_reader_left(output::print(&outcome.to_text()))?;
    Ok(Exit::Passed)
}
