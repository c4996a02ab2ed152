//! Saved results, read again: combined, compared, or computed again from the rounds of a run.

mod run;
mod saved;

use std::path::PathBuf;

use judge_core::GradeReport;

use crate::Error;
use crate::suites;

pub use run::{RunAnswer, RunReport};
pub(crate) use run::{is_run, of_grading};
use saved::Saved;

/// Saved results to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Merges them into one.
    Show {
        /// Reports on grading, and folders of courses; or the journal or JSON of one match or
        /// tournament.
        results: Vec<PathBuf>,
        /// Only what students may see.
        for_student: bool,
    },
    /// Compares two of them: reports on grading, or folders of courses.
    Compare {
        /// The earlier one.
        old: PathBuf,
        /// The later one.
        new: PathBuf,
    },
}

/// The result.
pub enum Outcome {
    /// One report on grading.
    Grading(Box<GradeReport>),
    /// A match or tournament.
    Run(Box<RunReport>),
    /// The changes between two reports.
    Comparison {
        /// For people.
        text: String,
        /// Set if verdicts, scores and points are the same.
        same: bool,
    },
}

/// Makes sure that options name testcases of the report.
///
/// # Errors
/// When one names none, though a bot was played.
pub fn has_testcases<'a>(
    report: &GradeReport,
    names: impl IntoIterator<Item = &'a String>,
) -> Result<(), Error> {
    let cases = report.bots.iter().flat_map(|bot| &bot.testcases);
    let known: Vec<&str> = cases.map(|case| case.name.as_str()).collect();
    if known.is_empty() {
        return Ok(());
    }
    suites::are_testcases(&known, &report.suite, names)
}

/// Reads saved results, and merges or compares them.
///
/// # Errors
/// When a file is not a result, or was changed after it was written, or results cannot be combined.
pub fn run(request: &Request) -> Result<Outcome, Error> {
    match request {
        Request::Compare { old, new } => compare(saved::read(old)?, saved::read(new)?),
        Request::Show { results, for_student } => {
            if let Some(path) = results.iter().find(|path| is_run(path)) {
                return Ok(Outcome::Run(Box::new(RunReport::read(path, results.len())?)));
            }
            let mut reports = Vec::new();
            for path in results {
                reports.extend(saved::read(path)?);
            }
            let merged = saved::merge(reports)?;
            let report = if *for_student { merged.for_student().into_report() } else { merged };
            Ok(Outcome::Grading(Box::new(report)))
        }
    }
}

fn compare(old: Vec<Saved>, new: Vec<Saved>) -> Result<Outcome, Error> {
    let [old, new] = [old, new]
        .map(|saved| saved.into_iter().map(|one| one.report).collect::<Vec<GradeReport>>());
    let found = judge_report::compare(&old, &new);
    Ok(Outcome::Comparison { text: found.text, same: found.same })
}
