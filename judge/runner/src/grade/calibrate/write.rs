//! Writes the proposed thresholds into the files of a suite.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_core::{Event, Listener, PointsCurve, printable};
use judge_grading::{Suite, SuiteError, Testcase, with_min_score};
use serde::Serialize;

use super::outcome::{Finding, Proposal, advice};
use crate::Error;
use crate::base::files;
use crate::suites::SuiteChoice;

/// Number of bots that a threshold separates.
const BOTS: usize = 2;

/// The hint for any other number of bots.
pub(super) const TWO_BOTS: &str = "name the bot that should fail and the bot that should pass";

/// The change of a testcase's threshold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ThresholdChange {
    /// Name of the testcase.
    pub testcase: String,
    /// The testcase's file.
    pub file: PathBuf,
    /// The old threshold.
    pub from: i64,
    /// The new threshold; none if no threshold separates the bots, so the old one stays.
    pub to: Option<i64>,
    /// The reason why no threshold was written, although one separates the bots or might.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passed_over: Option<PassedOver>,
}

/// The reason why no threshold is written into a testcase's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PassedOver {
    /// The file has no `min_score`, because every score on its curve passes.
    NoThreshold,
    /// The proposal is above the score at which the curve reaches all points.
    AboveTheCurve {
        /// The curve's top score.
        top: i64,
        /// The proposal.
        suggested: i64,
    },
    /// The proposal would be wrong too often.
    TooAlike {
        /// The proposal.
        suggested: i64,
        /// Number of rounds that would separate the bots, if that is known.
        rounds_needed: Option<usize>,
    },
    /// The file would be invalid with the proposal.
    Refused {
        /// The proposal.
        suggested: i64,
    },
}

impl std::fmt::Display for PassedOver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PassedOver::NoThreshold => f.write_str("its file has no `min_score`"),
            PassedOver::AboveTheCurve { top, suggested } => {
                write!(f, "all points are earned from {top} on, and {suggested} was suggested")
            }
            PassedOver::TooAlike { suggested, rounds_needed } => {
                let advice = advice(*rounds_needed);
                write!(f, "{suggested} was suggested, but would be wrong too often; {advice}")
            }
            PassedOver::Refused { suggested } => {
                write!(f, "{suggested} was suggested, which the file cannot have")
            }
        }
    }
}

/// The files of a suite's testcases as read: path and text by testcase.
pub(super) struct TestcaseFiles(BTreeMap<String, (PathBuf, String)>);

impl TestcaseFiles {
    /// Finds the files, before the first round.
    pub(super) fn find(
        choice: &SuiteChoice,
        suite: &Suite,
        bots: usize,
    ) -> Result<TestcaseFiles, Error> {
        let Some(folder) = choice.folder() else {
            let what = format!("`{}` is a bundled suite, which cannot be changed", suite.name);
            let hint = "make your own suite with `judge new-suite DIR --game GAME`";
            return Err(Error::usage(what, hint));
        };
        if bots != BOTS {
            let what = format!("`--write` needs {BOTS} bots, found {bots}");
            return Err(Error::usage(what, TWO_BOTS));
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

    /// Warns about testcases without a threshold, and refuses a suite in which none has one, before
    /// the first round.
    pub(super) fn tell_what_stays(
        &self,
        suite: &Suite,
        events: &mut dyn Listener,
    ) -> Result<(), Error> {
        let (with, without): (Vec<_>, Vec<_>) =
            self.0.iter().partition(|(_, (_, text))| has_threshold(text));
        let names = without.into_iter().map(|(name, _)| name.as_str());
        if with.is_empty() {
            let names = names.collect::<Vec<_>>().join(", ");
            let what =
                format!("no testcase of `{}` has a `min_score` to replace: {names}", suite.name);
            let hint = "give a testcase a `min_score`; it will be replaced".to_owned();
            return Err(Error::Input { what, hint: Some(hint) });
        }
        for name in names {
            let name = printable(name, 100);
            let text = format!("`{name}` has no `min_score`, so none is written into its file");
            events.event(&Event::Warning { text })?;
        }
        Ok(())
    }

    /// Writes the proposed thresholds into all files or none.
    pub(super) fn write(
        &self,
        suite: &Suite,
        findings: &[Finding],
    ) -> Result<Vec<ThresholdChange>, Error> {
        let (mut changes, mut edits) = (Vec::new(), Vec::new());
        for finding in findings {
            let Some((path, text)) = self.0.get(&finding.name) else {
                return Err(Error::Judge(format!("no file of `{}` is known", finding.name)));
            };
            let (testcase, from) = (finding.name.clone(), finding.min_score);
            let proposal = finding.proposals.first();
            let suggested = proposal.map(|proposal| proposal.min_score);
            let credit = credit(suite, &finding.name);
            let mut passed_over = passed_over(text, credit, proposal);
            let to = suggested.filter(|_| passed_over.is_none());
            if let Some(suggested) = to.filter(|to| *to != from) {
                match edit(suite, path, text, suggested)? {
                    Some(edit) => edits.push(edit),
                    None => passed_over = Some(PassedOver::Refused { suggested }),
                }
            }
            let to = to.filter(|_| passed_over.is_none());
            changes.push(ThresholdChange { testcase, file: path.clone(), from, to, passed_over });
        }
        files::replace_all(&edits)?;
        Ok(changes)
    }
}

/// True if a testcase's text sets a threshold.
fn has_threshold(text: &str) -> bool {
    toml::from_str::<toml::Table>(text).is_ok_and(|table| table.contains_key("min_score"))
}

/// The curve of a testcase, if it has one.
fn credit<'a>(suite: &'a Suite, name: &str) -> Option<&'a PointsCurve> {
    let mut testcases = suite.testcases.iter().chain(&suite.locked);
    testcases.find(|testcase| testcase.name == name)?.credit.as_ref()
}

/// The reason why a proposal should not be written, as far as it and the testcase's file show.
fn passed_over(
    text: &str,
    credit: Option<&PointsCurve>,
    proposal: Option<&Proposal>,
) -> Option<PassedOver> {
    if !has_threshold(text) {
        return Some(PassedOver::NoThreshold);
    }
    let &Proposal { min_score: suggested, rounds_needed, .. } = proposal?;
    if !proposal?.separates() {
        return Some(PassedOver::TooAlike { suggested, rounds_needed });
    }
    let (top, _) = credit?.full();
    (suggested > top).then_some(PassedOver::AboveTheCurve { top, suggested })
}

/// Returns the file with another threshold, if it is unchanged since it was read; none if the file
/// would be invalid with it.
fn edit(suite: &Suite, path: &Path, text: &str, to: i64) -> Result<Option<files::Edit>, Error> {
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
            Ok(Some(files::Edit { path: path.to_owned(), before: text.to_owned(), after: new }))
        }
        _ => Ok(None),
    }
}

/// The folder of hidden testcases, if `suite.toml` names one.
fn hidden_folder(folder: &Path, suite: &Suite) -> Option<PathBuf> {
    let (_, text) = suite.files.first()?;
    let head: toml::Table = toml::from_str(text).ok()?;
    Some(folder.join(head.get("hidden")?.get("folder")?.as_str()?))
}
