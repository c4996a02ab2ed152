//! `judge games`: the games with their switches, opponents and suites.

use judge_runner::Error;
use judge_runner::tools::games::{self, Request};

use crate::exit::Exit;
use crate::show::output;

/// List the games with their rule switches, reference opponents and bundled suites.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Show only this game.
    game: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let outcome = games::run(&Request { game: arguments.game.clone() })?;
    output::print(&outcome.to_text())?;
    Ok(Exit::Passed)
}
