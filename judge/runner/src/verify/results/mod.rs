//! Saved results: read, combined, compared, or computed again from the rounds of a run.

mod run;
mod saved;

use std::path::PathBuf;

use judge_core::GradeReport;

use crate::Error;
use crate::suites;

pub use run::{RunAnswer, RunReport};
pub(crate) use run::{is_run, of_grading};
use saved::Saved;

/// A request for saved results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Combines them into one.
    Show {
        /// Reports on grading, and folders of courses; or the journal or JSON of one match or
        /// tournament.
        results: Vec<PathBuf>,
        /// True to leave only the content for students.
        for_student: bool,
    },
    /// Compares two reports on grading, or two folders of courses.
    Compare {
        /// The earlier result.
        old: PathBuf,
        /// The later result.
        new: PathBuf,
    },
}

/// The combined result, or the comparison.
pub enum Outcome {
    /// One report on grading.
    Grading(Box<GradeReport>),
    /// A match or tournament.
    Run(Box<RunReport>),
    /// The differences between two reports.
    Comparison {
        /// Text for people.
        text: String,
        /// True if verdicts, scores and points are equal.
        same: bool,
    },
}

/// Checks that testcases in options are in the report.
///
/// # Errors
/// If one is not, although a bot was played.
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

/// Reads saved results, and combines or compares them.
///
/// # Errors
/// If a file is not a result, or was changed, or results cannot be combined.
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
