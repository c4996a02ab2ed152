//! A suite: a folder with `suite.toml` and one file per testcase, graded in the order of names.

use std::path::{Path, PathBuf};

use miette::Diagnostic;
use serde::Deserialize;

use crate::rank::{RankCurve, RawCurve};
use crate::source::{Source, SourceError};
use crate::testcase::{Testcase, stem};

/// Name of the file that describes the suite.
const SUITE_FILE: &str = "suite.toml";

/// Testcases that are graded together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite {
    /// The folder's name.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// The testcases, in the order of their names.
    pub testcases: Vec<Testcase>,
    /// Marks that depend on the other submissions of a course, if there are any.
    pub rank: Option<RankCurve>,
    /// The files that it was read from: name and text, `suite.toml` first.
    pub files: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    title: String,
    rank: Option<RawCurve>,
}

/// A suite that cannot be used.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum SuiteError {
    /// A file in it does not make sense.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Source(#[from] Box<SourceError>),
    /// A file or folder cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// No testcases.
    #[error("no testcases in `{name}`: expected `.toml` files beside `{SUITE_FILE}`")]
    Empty {
        /// The suite.
        name: String,
    },
    /// No description.
    #[error("`{name}` is no suite: it has no `{SUITE_FILE}`")]
    NoSuiteFile {
        /// The folder.
        name: String,
    },
}

impl Suite {
    /// Puts a suite together from the texts of its files, given as path and text in any order.
    ///
    /// # Errors
    /// When a file does not make sense or `suite.toml` or every testcase is missing.
    pub fn from_files<'a>(
        name: &str,
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Suite, SuiteError> {
        let mut files: Vec<_> =
            files.into_iter().filter(|(path, _)| path.ends_with(".toml")).collect();
        files.sort_by_key(|(path, _)| stem(path));
        let at = files.iter().position(|(path, _)| is_suite_file(path));
        let at = at.ok_or_else(|| SuiteError::NoSuiteFile { name: name.to_owned() })?;
        let (path, text) = files.remove(at);
        let source = Source { name: path, text };
        let raw: Raw = source.parse("a suite file has `title` and may have `[rank]`")?;
        let rank = raw.rank.map(|rank| RankCurve::check(&source, &rank)).transpose()?;
        let kept = std::iter::once((path, text)).chain(files.iter().copied());
        let kept = kept.map(|(path, text)| (file_name(path).to_owned(), text.to_owned()));
        let kept = kept.collect();
        let testcases: Vec<_> = files
            .into_iter()
            .map(|(path, text)| Testcase::parse(path, text))
            .collect::<Result<_, _>>()?;
        if testcases.is_empty() {
            return Err(SuiteError::Empty { name: name.to_owned() });
        }
        Ok(Suite { name: name.to_owned(), title: raw.title, testcases, rank, files: kept })
    }

    /// Reads a suite from its folder.
    ///
    /// # Errors
    /// As [`Suite::from_files`], and when something cannot be read.
    pub fn read(folder: &Path) -> Result<Suite, SuiteError> {
        let entries = std::fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(|error| unreadable(folder, error))?.path();
            if path.extension().is_some_and(|ending| ending == "toml") {
                files.push((path.display().to_string(), read_text(&path)?));
            }
        }
        let name = folder.file_name().map_or_else(
            || folder.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        );
        Suite::from_files(&name, files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
    }

    /// Makes a suite of single testcase files, in the order given.
    ///
    /// # Errors
    /// When a file cannot be read or does not make sense.
    pub fn of_testcases(paths: &[PathBuf]) -> Result<Suite, SuiteError> {
        let files: Vec<_> = paths
            .iter()
            .map(|path| Ok((path.display().to_string(), read_text(path)?)))
            .collect::<Result<_, SuiteError>>()?;
        let testcases: Vec<_> = files
            .iter()
            .map(|(path, text)| Testcase::parse(path, text))
            .collect::<Result<_, _>>()?;
        let title = match testcases.as_slice() {
            [only] => only.title.clone(),
            several => format!("{} testcases", several.len()),
        };
        Ok(Suite { name: "testcases".to_owned(), title, testcases, rank: None, files })
    }

    /// Points on offer.
    pub fn max_points(&self) -> u32 {
        self.testcases.iter().map(|testcase| testcase.points).sum()
    }
}

fn is_suite_file(path: &str) -> bool {
    file_name(path) == SUITE_FILE
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn read_text(path: &Path) -> Result<String, SuiteError> {
    std::fs::read_to_string(path).map_err(|error| unreadable(path, error))
}

fn unreadable(path: &Path, source: std::io::Error) -> SuiteError {
    SuiteError::Read { path: path.to_owned(), source }
}
