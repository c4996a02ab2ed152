//! `judge scoreboard`: the scoreboard of graded courses and reports.

mod mapping;
mod pseudonyms;
mod sources;

use std::path::{Path, PathBuf};

use judge_report::Scoreboard;

use crate::Error;
use mapping::{Assigned, Person};
use pseudonyms::Keyed;
pub use pseudonyms::{Pseudonyms, pronounceable};
use sources::Sources;

/// Results for one scoreboard.
#[derive(Debug, Clone)]
pub struct Request {
    /// Folders of graded courses, and files of reports.
    pub results: Vec<PathBuf>,
    /// The folder of the page, for links to students' pages.
    pub page_folder: PathBuf,
    /// Pseudonyms; none for the real names.
    pub pseudonyms: Option<Pseudonyms>,
}

/// The scoreboard of all results.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The scoreboard, which can be rendered as text, page and JSON.
    pub scoreboard: Scoreboard,
    /// Lines on files that were written: the list of pseudonyms.
    pub remarks: Vec<String>,
}

/// Combines results from one suite and one judge. With pseudonyms, each course's folder gets a list
/// of them, and each student's page shows the student's own.
///
/// # Errors
/// If a file is not a result, was changed, or does not belong with the others.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    let names = request.pseudonyms.as_ref().map(Keyed::new).transpose()?;
    refuse_a_secret_among_results(request)?;
    let (mut scoreboard, people) = gather(&request.results, &request.page_folder)?;
    let Some(names) = names else { return Ok(Outcome { scoreboard, remarks: Vec::new() }) };
    let keeps = request.pseudonyms == Some(Pseudonyms::Random);
    let assigned = Assigned::new(&scoreboard.students, &people, keeps, &names)?;
    let remarks = mapping::keep(&people, &assigned);
    scoreboard.rename(|place| assigned.of_place(place, &names));
    Ok(Outcome { scoreboard, remarks })
}

/// Refuses a word after `--pseudonyms` without `=`, which would be read as a file of results.
fn refuse_a_secret_among_results(request: &Request) -> Result<(), Error> {
    let is_drawn = request.pseudonyms == Some(Pseudonyms::Random);
    let absent = request.results.iter().find(|path| is_drawn && !path.exists());
    let Some(path) = absent else { return Ok(()) };
    let path = path.display();
    let what = format!("no results at `{path}`");
    let hint = format!("a secret for pseudonyms is given with `=`: `--pseudonyms=\"{path}\"`");
    Err(Error::usage(what, hint))
}

/// Reads all results. Links to students' pages are relative to the folder `from`.
fn gather(results: &[PathBuf], from: &Path) -> Result<(Scoreboard, Vec<Person>), Error> {
    let mut sources = Sources::new(from);
    for path in results {
        match path.is_dir() {
            true => sources.course(path)?,
            false => sources.report(path)?,
        }
    }
    sources.finish()
}
