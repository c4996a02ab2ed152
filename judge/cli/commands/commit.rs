//! `judge commit`: a commitment to hidden testcases, to publish before the deadline.

use std::path::{Path, PathBuf};

use judge_runner::Error;
use judge_runner::suites::commit::{self, Request};

use crate::exit::Exit;
use crate::show::{Terminal, output};

/// Commit to the hidden testcases of a suite, by a hash to publish before the deadline.
///
/// Needs the key that `suite.toml` names under `[hidden]`. Publish the testcases after the deadline
/// with `judge reveal`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folder of the suite: `./NAME` or `NAME/`.
    #[arg(value_name = "DIR")]
    suite: PathBuf,
    /// Create a key: a new file of 64 random hex digits.
    #[arg(long, value_name = "FILE")]
    new_key: Option<PathBuf>,
    /// Write the commitment to a file. Default: standard output.
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    refuse_to_break_a_promise(&arguments.out)?;
    if arguments.new_key.is_some() {
        output::can_write(&arguments.out)?;
    }
    let Arguments { suite, new_key, .. } = arguments;
    let outcome = commit::run(
        &Request { suite: suite.clone(), new_key: new_key.clone() },
        &mut Terminal::default(),
    )?;
    output::write(&arguments.out, &outcome.json()?)?;
    Ok(Exit::Passed)
}

/// Refuses to overwrite a commitment. It may already be published, and a new one could be for other
/// testcases.
fn refuse_to_break_a_promise(out: &Path) -> Result<(), Error> {
    if out == Path::new("-") || !out.is_file() {
        return Ok(());
    }
    let what =
        format!("`{}` already exists, and may be a promise that was published", out.display());
    let hint = "write to a new file, and compare the two; or remove the old one yourself";
    Err(Error::Input { what, hint: Some(hint.to_owned()) })
}
