//! `judge rules check`: runs files of test vectors.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::tools::rules::check::{self, Request};

use crate::exit::Exit;
use crate::show::output;

/// Run files of test vectors against the rules.
///
/// Prints each failing vector with the expected and the actual value. Exits with 1 when a vector
/// fails and with 3 when a file is malformed.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Files of the form {"game": …, "vectors": […]}.
    #[arg(required = true, value_name = "FILE.json")]
    files: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let outcome = check::run(&Request { files: arguments.files.clone() })?;
    output::print(&outcome.to_text())?;
    Ok(if outcome.failed() == 0 { Exit::Passed } else { Exit::Failed })
}
