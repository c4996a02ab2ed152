//! The suggested thresholds, written into the files of a suite.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_grading::{Suite, SuiteError, Testcase, with_min_score};
use serde::Serialize;

use super::Finding;
use crate::suites::SuiteChoice;
use crate::{Error, files};

/// Bots that a threshold is between.
const BOTS: usize = 2;

/// What became of a testcase's threshold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Name of the testcase.
    pub testcase: String,
    /// Its file.
    pub file: PathBuf,
    /// The threshold that it had.
    pub from: i64,
    /// The threshold that it has now; none where no threshold tells the bots apart, and the old one
    /// stays.
    pub to: Option<i64>,
}

/// The files of a suite's testcases as they were read: path and text by the testcase's name.
pub(super) struct TestcaseFiles(BTreeMap<String, (PathBuf, String)>);

impl TestcaseFiles {
    /// Finds the files, before anything is played for them.
    pub(super) fn find(
        choice: &SuiteChoice,
        suite: &Suite,
        bots: usize,
    ) -> Result<TestcaseFiles, Error> {
        let Some(folder) = choice.folder() else {
            let what = format!("`{}` is a bundled suite, which cannot be changed", suite.name);
            let hint = "write one of your own by `judge new-suite DIR --game GAME`";
            return Err(Error::usage(what, hint));
        };
        if bots != BOTS {
            let what = format!("`--write` needs {BOTS} bots, here is {bots}");
            let hint = "name the bot that should fail and the bot that should pass";
            return Err(Error::usage(what, hint));
        }
        let open = suite.files.iter().skip(1).map(|file| (folder.to_owned(), file));
        let hidden = hidden_folder(folder, suite).unwrap_or_else(|| folder.to_owned());
        let hidden = suite.secrets.files.iter().map(|file| (hidden.clone(), file));
        let files = open.chain(hidden).map(|(folder, (name, text))| {
            let testcase = name.strip_suffix(".toml").unwrap_or(name).to_owned();
            (testcase, (folder.join(name), text.clone()))
        });
        Ok(TestcaseFiles(files.collect()))
    }

    /// Puts the suggested thresholds into the files: into all of them, or into none.
    pub(super) fn write(&self, suite: &Suite, findings: &[Finding]) -> Result<Vec<Change>, Error> {
        let (mut changes, mut edits) = (Vec::new(), Vec::new());
        for finding in findings {
            let Some((path, text)) = self.0.get(&finding.name) else {
                return Err(Error::Judge(format!("no file of `{}` is known", finding.name)));
            };
            let (testcase, from) = (finding.name.clone(), finding.min_score);
            let to = finding.proposals.first().map(|proposal| proposal.min_score);
            if let Some(to) = to.filter(|to| *to != from) {
                edits.push(edit(suite, path, text, to)?);
            }
            changes.push(Change { testcase, file: path.clone(), from, to });
        }
        files::replace_all(&edits)?;
        Ok(changes)
    }
}

/// The file with another threshold, if it is still as it was read.
fn edit(suite: &Suite, path: &Path, text: &str, to: i64) -> Result<files::Edit, Error> {
    if Error::read_text(path)? != text {
        let what = format!("`{}` was changed meanwhile; no file was written", path.display());
        let hint = "calibrate again".to_owned();
        return Err(Error::Input { what, hint: Some(hint) });
    }
    let name = path.display().to_string();
    let new = with_min_score(&name, text, to).map_err(SuiteError::from)?;
    let read = Testcase::parse_with(&name, &new, suite.secrets.key.as_ref());
    match read.map(|testcase| testcase.min_score) {
        Ok(min_score) if min_score == to => {
            Ok(files::Edit { path: path.to_owned(), before: text.to_owned(), after: new })
        }
        _ => Err(Error::Judge(format!("`{name}` cannot be given another threshold"))),
    }
}

/// The folder of hidden testcases, if `suite.toml` names one.
fn hidden_folder(folder: &Path, suite: &Suite) -> Option<PathBuf> {
    let (_, text) = suite.files.first()?;
    let head: toml::Table = toml::from_str(text).ok()?;
    Some(folder.join(head.get("hidden")?.get("folder")?.as_str()?))
}
