//! `judge rules check`: files of test vectors.

use std::io::Write;
use std::path::{Path, PathBuf};

use judge_core::printable;
use judge_games::vectors::{self, FileError, Summary};

use crate::failure::{Exit, Failure};

/// Run files of test vectors against the rules.
///
/// Prints each failing vector with what was expected and what was found. Exits with 1 when a
/// vector fails and with 3 when a file is malformed.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Files of the form {"game": …, "vectors": […]}.
    #[arg(required = true, value_name = "FILE.json")]
    files: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let files = &arguments.files;
    // All files are read first: a malformed one spoils the sum of the others.
    let summaries: Vec<(&PathBuf, Summary)> =
        files.iter().map(|path| Ok((path, run_file(path)?))).collect::<Result<_, Failure>>()?;
    let mut out = std::io::stdout().lock();
    for (path, summary) in &summaries {
        for failure in &summary.failures {
            let (id, kind) = (&failure.id, &failure.kind);
            let line = format!("{}: {id} ({kind}): {}", path.display(), failure.error);
            writeln!(out, "{}", printable(&line, usize::MAX))?;
        }
    }
    let passed: usize = summaries.iter().map(|(_, summary)| summary.passed).sum();
    let failed: usize = summaries.iter().map(|(_, summary)| summary.failures.len()).sum();
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(if failed == 0 { Exit::Passed } else { Exit::Failed })
}

fn run_file(path: &Path) -> Result<Summary, Failure> {
    let text = Failure::read_text(path)?;
    vectors::run(&text).map_err(|error: FileError| Failure::input(path, &error))
}
