//! `judge scoreboard`: the scoreboard of graded courses and reports.

mod pseudonyms;
mod sources;

use std::path::{Path, PathBuf};

use judge_report::Scoreboard;

use crate::Error;
use pseudonyms::Keyed;
pub use pseudonyms::Pseudonyms;
use sources::Sources;

/// Results to put together.
#[derive(Debug, Clone)]
pub struct Request {
    /// Folders of graded courses, and files of reports.
    pub results: Vec<PathBuf>,
    /// The folder of the page, for the addresses of students' pages.
    pub page_folder: PathBuf,
    /// Pseudonyms; none for the real names.
    pub pseudonyms: Option<Pseudonyms>,
}

/// Scores of everybody, best first.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The scoreboard, which makes text, page and JSON of itself.
    pub scoreboard: Scoreboard,
}

/// Combines results of one suite by one judge.
///
/// # Errors
/// When a file is not a result, was changed, or does not belong with the others.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    let names = request.pseudonyms.as_ref().map(Keyed::new).transpose()?;
    let mut scoreboard = gather(&request.results, &request.page_folder)?;
    if let Some(names) = names {
        scoreboard.rename(|name| names.pseudonym(name));
    }
    Ok(Outcome { scoreboard })
}

/// Reads all results; students' pages are named as seen from the folder `from`.
fn gather(results: &[PathBuf], from: &Path) -> Result<Scoreboard, Error> {
    let mut sources = Sources::new(from);
    for path in results {
        match path.is_dir() {
            true => sources.course(path)?,
            false => sources.report(path)?,
        }
    }
    sources.finish()
}
