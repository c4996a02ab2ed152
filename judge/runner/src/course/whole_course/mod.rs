//! Grading of a course with several suites. Each suite is graded as in [`course`] into a separate
//! folder. Then one mark sheet, one scoreboard and one page per student cover all suites.

mod described;
mod outcome;
mod overall;
mod people;
mod plan;
mod send;

use std::collections::BTreeMap;
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
    /// Interval in seconds at which the scoreboards and the students' pages reload themselves; none
    /// for never.
    #[serde(default)]
    pub reload_every: Option<u32>,
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
    run_again(request, &mut Memories::none(), workers, events)
}

/// The caches of all suites, by name.
#[derive(Debug)]
pub(crate) struct Memories {
    new: fn() -> Memory,
    by_suite: BTreeMap<String, Memory>,
}

impl Memories {
    /// Creates disabled caches, for a course that is graded once.
    fn none() -> Memories {
        Memories { new: Memory::none, by_suite: BTreeMap::new() }
    }

    /// Creates caches for a course that is graded repeatedly.
    pub(crate) fn new() -> Memories {
        Memories { new: Memory::new, by_suite: BTreeMap::new() }
    }

    fn of_suite(&mut self, name: &str) -> &Memory {
        self.by_suite.entry(name.to_owned()).or_insert_with(self.new)
    }
}

/// Grades every suite as [`run`] does, with caches from earlier gradings.
pub(crate) fn run_again(
    request: &Request,
    memories: &mut Memories,
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
    let found = graded.map(|suite| {
        find(request, &plan, (suite, memories.of_suite(&suite.name)), workers, events)
    });
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
        let memory = memories.of_suite(&suite.name);
        let outcome = course::grade(&request, found, memory, workers, events)?;
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
    (suite, memory): (&'a PlannedSuite, &Memory),
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
        dates: Some(course::DatesFile {
            path: request.course.clone(),
            suite: Some(suite.name.clone()),
        }),
        allow_unmatched: request.allow_unmatched,
        resume: request.resume,
        shard: None,
        pages: request.pages,
        bounds: request.bounds,
        reload_every: request.reload_every,
        byte_order_mark: request.byte_order_mark,
        building: request.building,
    };
    refuse_what_is_graded(&one)?;
    let choice = SuiteChoice::Named(suite.path.clone());
    course::results_folder::refuse_results_beside_suite(&request.out, &choice)?;
    let name = &suite.name;
    let mut events = |event: &Event| match event {
        Event::Note { text } => events.event(&Event::Note { text: format!("`{name}`: {text}") }),
        Event::Warning { text } => {
            events.event(&Event::Warning { text: format!("`{name}`: {text}") })
        }
        event => events.event(event),
    };
    let found = course::find(&one, memory, workers, &mut events).map_err(|error| match error {
        Error::Input { what, hint } => Error::Input { what: format!("`{name}`: {what}"), hint },
        error => error,
    })?;
    Ok((suite, one, found))
}

/// The error for a course without any submission; none otherwise.
///
/// # Errors
/// If the file of the course or a suite is invalid.
pub(crate) fn nothing_yet(request: &Request) -> Result<Option<Error>, Error> {
    let file = CourseFile::read(&request.course)?;
    let suites = plan::planned(request, &file)?;
    let paths = suites.iter().filter_map(|suite| suite.submissions.clone());
    let mut waiting = paths.map(|path| course::nothing_yet(&[path], request.building));
    Ok(waiting.next().unwrap_or_else(|| Some(plan::nothing_to_grade(request, &suites))))
}

/// The files that the results depend on.
pub(crate) fn files(request: &Request) -> Vec<PathBuf> {
    let mut files = vec![request.course.clone()];
    files.extend(request.submissions.clone());
    files.extend(request.students.iter().chain(&request.mapping).cloned());
    // Without a valid file of the course, only its correction leads to another grading.
    let Ok(file) = CourseFile::read(&request.course) else { return files };
    files.extend(file.students.into_iter().chain(file.mapping));
    for suite in file.suites {
        let choice = SuiteChoice::Named(suite.path);
        files.extend(choice.folder().map(PathBuf::from));
        files.extend(suite.submissions.into_iter().chain(suite.dates.times));
    }
    files
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
