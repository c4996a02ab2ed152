//! Grading of a course with several suites. Each suite is graded as in [`course`] into a separate
//! folder. Then one mark sheet, one scoreboard and one page per student cover all suites.

mod described;
mod outcome;
mod overall;
mod people;
mod plan;
mod send;

use std::path::PathBuf;

use judge_arena::JournalError;
use judge_core::{Event, Listener};
use judge_grading::CourseFile;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::base::bounds::SubmissionBounds;
use crate::base::mark_sheet;
use crate::base::workers::Workers;
use crate::bots::builds::Building;
use crate::course::{self, FoundCourse, Memory, PagedRounds};
use crate::rounds::course_folder::CourseFolder;
use crate::suites::SuiteChoice;
use described::Described;
pub use outcome::{GradedSuite, Outcome};
use plan::{CoursePlan, PlannedSuite};

/// A course with several suites to grade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The file of the course, `course.toml`.
    pub course: PathBuf,
    /// A folder with a folder of submissions per suite, under the suite's name in the course. The
    /// course's file takes precedence.
    pub submissions: Option<PathBuf>,
    /// The folder of the results.
    pub out: PathBuf,
    /// The list of students, which replaces that of the course's file.
    pub students: Option<PathBuf>,
    /// A file with the ids of submissions, which replaces that of the course's file.
    #[serde(default)]
    pub mapping: Option<PathBuf>,
    /// True to grade even if no student on the list has a submission.
    #[serde(default)]
    pub allow_unmatched: bool,
    /// True to resume existing results.
    pub resume: bool,
    /// The rounds to write as pages.
    pub pages: PagedRounds,
    /// Bounds on the cost of a whole submission.
    pub bounds: SubmissionBounds,
    /// True if the sheets for people begin with a byte-order mark.
    #[serde(default)]
    pub byte_order_mark: bool,
    /// The treatment of sources among the submissions.
    #[serde(default)]
    pub building: Building,
}

/// Grades every suite with submissions, and combines the results.
///
/// # Errors
/// If the file of the course or a suite is invalid, and as [`course::run`].
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let file = CourseFile::read(&request.course)?;
    let plan = CoursePlan::new(request, file)?;
    refuse_other_results(request)?;
    let results = CourseFolder::at(&request.out);
    results.refuse_links()?;
    // All refusals come before the first round.
    let graded = plan.suites.iter().filter(|suite| suite.submissions.is_some());
    let found = graded.map(|suite| find(request, &plan, suite, workers, events));
    let found: Vec<_> = found.collect::<Result<_, _>>()?;
    let described = Described::new(&plan);
    if let Some(before) = Described::read(&results) {
        described.tell_changes(&before, &request.course.display().to_string(), events)?;
    }
    let marks_before = course::changed::Sheet::read(&results);
    let (mut outcomes, number) = (Vec::new(), found.len());
    for (at, (suite, request, found)) in (1..).zip(found) {
        let text = format!("`{}`, suite {at} of {number}", suite.name);
        events.event(&Event::Note { text })?;
        let outcome = course::grade(&request, found, &Memory::none(), workers, events)?;
        let outcome = course::Outcome { in_course: Some(suite.name.clone()), ..outcome };
        outcomes.push(GradedSuite { name: suite.name.clone(), outcome });
    }
    // A resumed run has the earlier list.
    if outcomes.iter().all(|suite| suite.outcome.listed == 0) {
        let text = "without a list of students, people are matched across suites by number or name";
        events.event(&Event::Note { text: text.to_owned() })?;
    }
    let outcome = overall::finish(request, &plan, outcomes, events)?;
    described.write(&results)?;
    let changed = course::changed::since(marks_before, &results)?;
    Ok(Outcome { changed, ..outcome })
}

/// Finds the submissions of a suite and their students. Writes nothing.
fn find<'a>(
    request: &Request,
    plan: &CoursePlan,
    suite: &'a PlannedSuite,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<(&'a PlannedSuite, course::Request, FoundCourse), Error> {
    let mapping = request.mapping.clone().or_else(|| plan.mapping.clone());
    let names = plan.suites.iter().map(|suite| suite.name.clone()).collect();
    let mapping =
        mapping.map(|path| course::Mapping { path, suite: Some((suite.name.clone(), names)) });
    let one = course::Request {
        submissions: suite.submissions.iter().cloned().collect(),
        suite: suite.path.clone(),
        out: request.out.join(&suite.name),
        students: request.students.clone().or_else(|| plan.students.clone()),
        mapping,
        allow_unmatched: request.allow_unmatched,
        resume: request.resume,
        shard: None,
        pages: request.pages,
        bounds: request.bounds,
        reload_every: None,
        byte_order_mark: request.byte_order_mark,
        building: request.building,
    };
    refuse_what_is_graded(&one)?;
    let choice = SuiteChoice::Named(suite.path.clone());
    course::places::refuse_results_beside_suite(&request.out, &choice)?;
    let name = &suite.name;
    let mut events = |event: &Event| match event {
        Event::Note { text } => events.event(&Event::Note { text: format!("`{name}`: {text}") }),
        Event::Warning { text } => {
            events.event(&Event::Warning { text: format!("`{name}`: {text}") })
        }
        event => events.event(event),
    };
    let found =
        course::find(&one, &Memory::none(), workers, &mut events).map_err(|error| match error {
            Error::Input { what, hint } => Error::Input { what: format!("`{name}`: {what}"), hint },
            error => error,
        })?;
    Ok((suite, one, found))
}

/// Refuses existing results, unless the run resumes them.
fn refuse_what_is_graded(request: &course::Request) -> Result<(), Error> {
    let path = request.out.join(mark_sheet::JOURNAL);
    if request.resume || !path.exists() {
        return Ok(());
    }
    let source = std::io::ErrorKind::AlreadyExists.into();
    Err(JournalError::Create { path, source }.into())
}

/// Refuses a folder with the results of a single suite, which would mix with these.
fn refuse_other_results(request: &Request) -> Result<(), Error> {
    if mark_sheet::check_course(&request.out).is_err() {
        return Ok(());
    }
    let what = format!("`{}` holds the results of a single suite", request.out.display());
    Err(Error::usage(what, "name another folder: each suite gets a separate folder in it"))
}
