//! Grades a course of several suites: each as [`course`] does, into a folder of its
//! own, and then one mark sheet, one scoreboard and one page for each student over all of them.

mod outcome;
mod overall;
mod people;
mod plan;

use std::path::PathBuf;

use judge_core::{Event, Listener};
use judge_grading::CourseFile;
use serde::{Deserialize, Serialize};

use crate::bounds::SubmissionBounds;
use crate::course::{self, Pages};
use crate::workers::Workers;
use crate::{Error, mark_sheet};
pub use outcome::{GradedSuite, Outcome};
use plan::{Plan, PlannedSuite};

/// What to grade, and where the results go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The file of the course, `course.toml`.
    pub course: PathBuf,
    /// A folder with a folder of submissions for each suite, named like the suite in the course.
    /// What the file of the course says comes first.
    pub submissions: Option<PathBuf>,
    /// The folder of the results.
    pub out: PathBuf,
    /// The list of students, in the place of that which the file of the course names.
    pub students: Option<PathBuf>,
    /// Whether to grade although nobody on the list is among the submissions.
    #[serde(default)]
    pub allow_unmatched: bool,
    /// Whether results that are there already are of this course.
    pub resume: bool,
    /// Which rounds to write as pages.
    pub pages: Pages,
    /// What a whole submission may cost.
    pub bounds: SubmissionBounds,
    /// Whether the sheets for people begin with a byte-order mark.
    #[serde(default)]
    pub byte_order_mark: bool,
}

/// Grades every suite that has submissions, and sums up.
///
/// # Errors
/// When the file of the course or a suite makes no sense, and as [`course::run`].
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let file = CourseFile::read(&request.course)?;
    let plan = Plan::new(request, file)?;
    refuse_other_results(request)?;
    let students = request.students.clone().or_else(|| plan.students.clone());
    if students.is_none() {
        let text = "without a list of students, people are matched over the suites by name alone";
        events.event(&Event::Note { text: text.to_owned() })?;
    }
    let graded: Vec<&PlannedSuite> =
        plan.suites.iter().filter(|suite| suite.submissions.is_some()).collect();
    let mut outcomes = Vec::new();
    for (number, suite) in (1..).zip(&graded) {
        let text = format!("`{}`, suite {number} of {}", suite.name, graded.len());
        events.event(&Event::Note { text })?;
        let request = course::Request {
            submissions: suite.submissions.iter().cloned().collect(),
            suite: suite.path.clone(),
            out: request.out.join(&suite.name),
            students: students.clone(),
            allow_unmatched: request.allow_unmatched,
            resume: request.resume,
            shard: None,
            pages: request.pages,
            bounds: request.bounds,
            reload_every: None,
            byte_order_mark: request.byte_order_mark,
        };
        let outcome = course::run(&request, workers, events)?;
        outcomes.push(GradedSuite { name: suite.name.clone(), outcome });
    }
    overall::finish(request, &plan, outcomes, events)
}

/// Refuses a folder with the results of a single suite, which would be mixed with these.
fn refuse_other_results(request: &Request) -> Result<(), Error> {
    if mark_sheet::check_course(&request.out).is_err() {
        return Ok(());
    }
    let what = format!("`{}` holds the results of a single suite", request.out.display());
    Err(Error::usage(what, "name another folder: each suite gets a folder of its own in it"))
}
