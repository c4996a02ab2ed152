//! The result of a match or tournament, computed again from its journal or JSON.

use std::path::{Path, PathBuf};

use judge_arena::RunKind;
use judge_report::{Format, json_text, quoted};
use serde::Serialize;

use crate::Error;
use crate::contest::match_bots::{MatchAnswer, SavedResult};
use crate::contest::tournament::SavedTournament;
use crate::contest::{Saved, SavedRows, WithRows};
use crate::rounds::course_folder::CourseFolder;
use crate::rounds::source::{self, FileKind, Source};
use crate::verify;

/// True for the JSON of a match or tournament, and for journals of any kind.
pub(crate) fn is_run(path: &Path) -> bool {
    !path.is_dir()
        && match source::kind_of(path) {
            FileKind::Journal => true,
            FileKind::Replay => false,
            FileKind::Other => source::is_document(path),
        }
}

/// A finished match or tournament.
pub struct RunReport {
    path: PathBuf,
    source: Source,
    sums: RunSums,
}

/// The sums over the rounds of a run.
enum RunSums {
    Match(Box<SavedResult>),
    Tournament(Box<SavedTournament>),
}

/// The decision of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunAnswer {
    /// The decision of a match.
    Match(MatchAnswer),
    /// The completeness of a tournament.
    Tournament {
        /// False if the judge failed in some pairs, which do not count.
        is_complete: bool,
    },
}

impl RunReport {
    /// Reads a run, which must be the only result.
    pub(super) fn read(path: &Path, results: usize) -> Result<RunReport, Error> {
        if results > 1 {
            let what = "a match or tournament cannot be combined with other results";
            return Err(Error::usage(what, "name one file"));
        }
        let source = Source::read(path)?;
        if source.kind() == RunKind::Grading {
            return Err(of_grading(path));
        }
        source.refuse_unfinished(path)?;
        let saved = Saved::new(path, &source)?;
        verify::refuse_changed(path, &source, &saved)?;
        let sums = match source.kind() {
            RunKind::Tournament => {
                RunSums::Tournament(Box::new(SavedTournament::new(path, &source, &saved)?))
            }
            RunKind::Match | RunKind::Grading => {
                RunSums::Match(Box::new(SavedResult::new(path, &source, &saved)?))
            }
        };
        Ok(RunReport { path: path.to_owned(), source, sums })
    }

    /// Returns the decision.
    ///
    /// # Errors
    /// If the judge failed in every pair.
    pub fn answer(&self) -> Result<RunAnswer, Error> {
        match &self.sums {
            RunSums::Match(sums) => sums.answer().map(RunAnswer::Match),
            RunSums::Tournament(sums) => {
                Ok(RunAnswer::Tournament { is_complete: sums.is_complete()? })
            }
        }
    }

    /// Renders the result.
    ///
    /// # Errors
    /// If the format does not exist for a match or tournament.
    pub fn render(&self, format: Format) -> Result<String, Error> {
        let RunReport { path, source, sums } = self;
        match (sums, format) {
            (RunSums::Tournament(sums), Format::Text | Format::Markdown) => Ok(sums.text()),
            (RunSums::Tournament(sums), Format::Csv) => sums.csv(),
            (RunSums::Tournament(sums), Format::Json) => Ok(with_rows(sums.json(), source)),
            (RunSums::Match(sums), Format::Text) => Ok(sums.text()),
            (RunSums::Match(sums), Format::Json) => Ok(with_rows(sums.json(), source)),
            (_, other) => Err(no_format(path, other)),
        }
    }
}

/// Renders the document with its rows.
fn with_rows(document: impl Serialize, source: &Source) -> String {
    json_text(&WithRows { document, rows: Some(SavedRows(source)) })
}

fn no_format(path: &Path, format: Format) -> Error {
    let file = quoted(&path.to_string_lossy());
    let what = format!("a match or tournament is not reported as `{}`", format.name());
    let hint = format!(
        "`--to text`, `json`, and for a tournament also `markdown` and `csv` (the standing); \
         `judge rounds {file} --format csv` lists its rounds"
    );
    Error::usage(what, hint)
}

/// The error for the journal of a grading, which has rounds but no marks.
pub(crate) fn of_grading(path: &Path) -> Error {
    let folder = path.parent().filter(|folder| CourseFolder::at(folder).journal() == path);
    let what = format!("`{}`: a grading journal has rounds but no marks", path.display());
    let hint = match folder.filter(|folder| folder.join("students").is_dir()) {
        Some(folder) if folder.as_os_str().is_empty() => {
            "name the folder of the course: `.`".to_owned()
        }
        Some(folder) => {
            format!("name the folder of the course: {}", quoted(&folder.to_string_lossy()))
        }
        None => format!(
            "`judge grade BOT.wasm --suite S --journal {} --resume --json report.json` makes its \
             report without playing again",
            quoted(&path.to_string_lossy())
        ),
    };
    Error::Input { what, hint: Some(hint) }
}
