//! `judge scoreboard` for a tournament: its tables as text, page and JSON.

use std::path::{Path, PathBuf};

use judge_arena::RunKind;
use judge_report::{json_text, quoted};

use crate::Error;
use crate::contest::tournament::SavedTournament;
use crate::contest::{Saved, SavedRows, WithRows};
use crate::rounds::source::Source;
use crate::verify;
use crate::verify::results;

/// A tournament to show.
#[derive(Debug, Clone)]
pub struct Request {
    /// The tournament's journal or JSON.
    pub file: PathBuf,
}

/// A finished tournament after its figures were computed again.
pub struct Outcome {
    file: PathBuf,
    source: Source,
    saved: Saved,
}

/// True for a match, a tournament or a journal, and false for a report on grading.
pub fn is_run(file: &Path) -> bool {
    results::is_run(file)
}

/// Reads a tournament.
///
/// # Errors
/// If the file is not a tournament, or was changed.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    let file = &request.file;
    let source = Source::read(file)?;
    match source.kind() {
        RunKind::Grading => return Err(results::of_grading(file)),
        RunKind::Match => return Err(no_scoreboard(file)),
        RunKind::Tournament => {}
    }
    source.refuse_unfinished(file)?;
    let saved = Saved::new(file, &source)?;
    verify::refuse_changed(file, &source, &saved)?;
    Ok(Outcome { file: file.clone(), source, saved })
}

impl Outcome {
    /// Formats the tables for people.
    ///
    /// # Errors
    /// If the rounds cannot be counted.
    pub fn to_text(&self) -> Result<String, Error> {
        Ok(self.tournament()?.text())
    }

    /// Renders the page for `out`.
    ///
    /// # Errors
    /// As [`Outcome::to_text`].
    pub fn to_html(&self, out: &Path) -> Result<String, Error> {
        Ok(self.tournament()?.page(&self.file, &self.source, out)?.to_html())
    }

    /// Renders the tables for programs, with the rows of all rounds.
    ///
    /// # Errors
    /// As [`Outcome::to_text`].
    pub fn to_json(&self) -> Result<String, Error> {
        let (tournament, rows) = (self.tournament()?, Some(SavedRows(&self.source)));
        Ok(json_text(&WithRows { document: tournament.json(), rows }))
    }

    fn tournament(&self) -> Result<SavedTournament, Error> {
        SavedTournament::new(&self.file, &self.source, &self.saved)
    }
}

fn no_scoreboard(path: &Path) -> Error {
    let file = quoted(&path.to_string_lossy());
    let what = format!("`{}`: a match of two players has no scoreboard", path.display());
    let hint = format!("`judge report {file}` shows the result, `judge rounds {file}` the rounds");
    Error::Input { what, hint: Some(hint) }
}
