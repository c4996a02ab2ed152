//! Runs files of test vectors against the rules.

use std::path::{Path, PathBuf};

use judge_core::printable;
use judge_games::vectors::{self, FileError, Summary};

use crate::Error;

/// Files of test vectors.
#[derive(Debug, Clone)]
pub struct Request {
    /// The files, of the form {"game": …, "vectors": […]}.
    pub files: Vec<PathBuf>,
}

/// The results of test vectors.
pub struct Outcome {
    /// Each file and its result.
    pub files: Vec<(PathBuf, Summary)>,
}

/// Runs the vectors of all files.
///
/// # Errors
/// If a file cannot be read, or is malformed.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    let run = |path: &PathBuf| Ok((path.clone(), run_file(path)?));
    Ok(Outcome { files: request.files.iter().map(run).collect::<Result<_, Error>>()? })
}

impl Outcome {
    /// Number of vectors that passed.
    pub fn passed(&self) -> usize {
        self.files.iter().map(|(_, summary)| summary.passed).sum()
    }

    /// Number of vectors that failed.
    pub fn failed(&self) -> usize {
        self.files.iter().map(|(_, summary)| summary.failures.len()).sum()
    }

    /// Formats a line for each failure, and one with the sums.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (path, summary) in &self.files {
            for failure in &summary.failures {
                let (id, kind) = (&failure.id, &failure.kind);
                let line = format!("{}: {id} ({kind}): {}", path.display(), failure.error);
                text += &(printable(&line, usize::MAX) + "\n");
            }
        }
        text + &format!("{} passed, {} failed\n", self.passed(), self.failed())
    }
}

fn run_file(path: &Path) -> Result<Summary, Error> {
    let text = Error::read_text(path)?;
    vectors::run(&text).map_err(|error: FileError| Error::input(path, &error))
}
