//! `judge reveal`: publication of hidden testcases, and the check against their commitment.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::suites::reveal::{self, Outcome, Request};

use crate::exit::Exit;
use crate::show::{Terminal, output};

/// Publish hidden testcases, or check them against their commitment.
///
/// With the suite's folder: prints key, testcases and seeds, to publish after the deadline. With
/// the published file: checks that it matches the commitment. Exit code 1: it does not match.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folder of the suite (`./NAME` or `NAME/`), or a file made from it by this command.
    #[arg(value_name = "DIR|FILE")]
    suite: PathBuf,
    /// Read the commitment that `judge commit` wrote.
    #[arg(long, value_name = "FILE")]
    promise: PathBuf,
    /// Write the proof to a file. Default: standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let Arguments { suite, promise, out } = arguments;
    let request = Request { source: suite.clone(), commitment: promise.clone() };
    let outcome = reveal::run(&request, &mut Terminal::default())?;
    let text = outcome.text()?;
    match outcome {
        Outcome::Revealed(_) => output::write(out, &text)?,
        Outcome::Kept(_) | Outcome::Broken { .. } => {
            output::unless_reader_left(output::print(&text))?;
        }
    }
    Ok(if matches!(outcome, Outcome::Broken { .. }) { Exit::Failed } else { Exit::Passed })
}
