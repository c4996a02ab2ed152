//! Grading of a course with several assignments.

use std::path::{Path, PathBuf};

use judge_arena::JournalError;
use judge_core::{Event, Listener};
use judge_grading::CourseFile;

use super::assignment::{self, Assignment, FoundAssignment};
use super::described::Described;
use super::overall::{self, CourseContent};
use super::part::CoursePart;
use super::plan::{self, CoursePlan, CourseSource, PlannedAssignment};
use super::{
    AssignmentOutcome, CourseFolder, DatesFile, Mapping, Memories, Memory, Outcome, Overall,
    OverallMarks, Request, changed, results_folder, submissions,
};
use crate::Error;
use crate::base::mark_sheet;
use crate::base::workers::Workers;
use crate::bots::builds::Building;
use crate::suites::SuiteChoice;

/// A planned assignment, the request to grade it, and its submissions.
type Ready<'a> = (&'a PlannedAssignment, Assignment, FoundAssignment);

/// Grades every assignment with submissions, and combines the results.
pub(super) fn run(
    request: &Request,
    source: &CourseSource<'_>,
    memories: &mut Memories,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let plan = CoursePlan::new(source, CourseFile::read(source.course)?)?;
    refuse_other_results(source.out)?;
    let results = CourseFolder::at(source.out);
    results.refuse_links()?;
    // All refusals come before the first round.
    let graded = plan.assignments.iter().filter(|one| one.submissions.is_some());
    let ready = graded.map(|one| {
        let memory = memories.of_assignment(&one.head.name);
        let assignment = assignment(request, source, &plan, one);
        find((assignment, source.out), (one, memory), workers, events)
    });
    let ready: Vec<Ready<'_>> = ready.collect::<Result<_, _>>()?;
    let described = Described::new(&plan);
    if let Some(before) = Described::read(&results) {
        described.tell_changes(&before, &source.course.display().to_string(), events)?;
    }
    let marks_before = changed::Sheet::read(&results);
    let assignments = grade(ready, memories, workers, events)?;
    if let Some(shard) = request.options.shard {
        let part = CoursePart::new(shard, &plan, &assignments);
        part.write(&results)?;
        described.write(&results)?;
        return Ok(Outcome { assignments, overall: Overall::Part { title: plan.title, shard } });
    }
    // A resumed run has the earlier list.
    if assignments.iter().all(|one| one.listed == 0) {
        let text = "without a list of students, people are matched across suites by number or name";
        events.event(&Event::Note { text: text.to_owned() })?;
    }
    let (title, heads) = (plan.title.as_str(), plan.heads());
    let course = CourseContent { title, assignments: &heads, weights: &plan.weights };
    let pages = results.clone().reloading(request.options.reload_every);
    let pages = pages.for_spreadsheets(request.options.byte_order_mark);
    let marks = overall::finish(&pages, &course, &assignments, events)?;
    described.write(&results)?;
    let changed = changed::since(marks_before, &results)?;
    Ok(Outcome { assignments, overall: Overall::Marks(OverallMarks { changed, ..marks }) })
}

/// Grades the assignments one after the other.
fn grade(
    ready: Vec<Ready<'_>>,
    memories: &mut Memories,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Vec<AssignmentOutcome>, Error> {
    let (mut outcomes, number) = (Vec::new(), ready.len());
    for (at, (planned, assignment, found)) in (1..).zip(ready) {
        let name = &planned.head.name;
        let text = format!("`{name}`, suite {at} of {number}");
        events.event(&Event::Note { text })?;
        let memory = memories.of_assignment(name);
        let outcome = assignment::grade(&assignment, found, memory, workers, events)?;
        outcomes.push(AssignmentOutcome { in_course: Some(name.clone()), ..outcome });
    }
    Ok(outcomes)
}

/// Finds the submissions of an assignment and their students. Writes nothing.
fn find<'a>(
    (assignment, out): (Assignment, &Path),
    (planned, memory): (&'a PlannedAssignment, &Memory),
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Ready<'a>, Error> {
    refuse_what_is_graded(&assignment)?;
    results_folder::refuse_results_beside_suite(out, &SuiteChoice::Named(planned.path.clone()))?;
    let name = &planned.head.name;
    let mut events = |event: &Event| match event {
        Event::Note { text } => events.event(&Event::Note { text: format!("`{name}`: {text}") }),
        Event::Warning { text } => {
            events.event(&Event::Warning { text: format!("`{name}`: {text}") })
        }
        event => events.event(event),
    };
    let found = assignment::find(&assignment, memory, workers, &mut events);
    let found = found.map_err(|error| match error {
        Error::Input { what, hint } => Error::Input { what: format!("`{name}`: {what}"), hint },
        error => error,
    })?;
    Ok((planned, assignment, found))
}

/// The request to grade one assignment.
fn assignment(
    request: &Request,
    source: &CourseSource<'_>,
    plan: &CoursePlan,
    planned: &PlannedAssignment,
) -> Assignment {
    let name = &planned.head.name;
    let names = || plan.assignments.iter().map(|one| one.head.name.clone()).collect();
    let mapping = request.mapping.clone().or_else(|| plan.mapping.clone());
    Assignment {
        submissions: planned.submissions.iter().cloned().collect(),
        suite: planned.path.clone(),
        out: request.out.join(name),
        students: request.students.clone().or_else(|| plan.students.clone()),
        mapping: mapping.map(|path| Mapping { path, suite: Some((name.clone(), names())) }),
        dates: Some(DatesFile { path: source.course.to_owned(), suite: Some(name.clone()) }),
        options: request.options.clone(),
    }
}

/// The error for a course without any submission; none otherwise.
///
/// # Errors
/// If the file of the course or a suite is invalid.
pub(super) fn nothing_yet(
    source: &CourseSource<'_>,
    building: Building,
) -> Result<Option<Error>, Error> {
    let all = plan::planned(source, &CourseFile::read(source.course)?)?;
    let paths = all.iter().filter_map(|one| one.submissions.clone());
    let mut waiting = paths.map(|path| submissions::nothing_yet(&[path], building));
    Ok(waiting.next().unwrap_or_else(|| Some(plan::nothing_to_grade(source, &all))))
}

/// The files that a course's file names.
pub(super) fn files(course: &Path) -> Vec<PathBuf> {
    // Without a valid file of the course, only its correction leads to another grading.
    let Ok(file) = CourseFile::read(course) else { return Vec::new() };
    let mut files: Vec<PathBuf> = file.students.into_iter().chain(file.mapping).collect();
    for suite in file.suites {
        let choice = SuiteChoice::Named(suite.path);
        files.extend(choice.folder().map(PathBuf::from));
        files.extend(suite.submissions.into_iter().chain(suite.dates.times));
    }
    files
}

/// Refuses existing results, unless the run resumes them.
fn refuse_what_is_graded(assignment: &Assignment) -> Result<(), Error> {
    let path = assignment.out.join(mark_sheet::JOURNAL);
    if assignment.options.resume || !path.exists() {
        return Ok(());
    }
    let source = std::io::ErrorKind::AlreadyExists.into();
    Err(JournalError::Create { path, source }.into())
}

/// Refuses a folder with the results of a single suite, which would mix with these.
pub(super) fn refuse_other_results(out: &Path) -> Result<(), Error> {
    if mark_sheet::check_course(out).is_err() {
        return Ok(());
    }
    let what = format!("`{}` holds the results of a single suite", out.display());
    Err(Error::usage(what, "name another folder: each suite gets a separate folder in it"))
}
