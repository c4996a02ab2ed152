//! The plan of a course with several assignments, checked before the first round.

use std::path::{Path, PathBuf};

use judge_core::{IgnoreEvents, Points};
use judge_grading::{CourseFile, CourseSuite, RankCurve, SuiteDates, Weight, WeightError, Weights};
use judge_report::quoted;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::base::mark_sheet;
use crate::base::names;
use crate::bots::submitted;
use crate::suites;

/// The paths of a course with several assignments.
pub(super) struct CourseSource<'a> {
    /// The file of the course.
    pub(super) course: &'a Path,
    /// The folder with a folder of submissions per assignment, if there is one.
    pub(super) submissions: Option<&'a Path>,
    /// The folder of the results.
    pub(super) out: &'a Path,
}

/// A course that can be graded.
pub(super) struct CoursePlan {
    pub(super) title: String,
    pub(super) students: Option<PathBuf>,
    pub(super) mapping: Option<PathBuf>,
    pub(super) assignments: Vec<PlannedAssignment>,
    /// The weights of the graded assignments, in order.
    pub(super) weights: Weights,
}

/// The assignments of a course, with or without submissions.
pub(super) fn planned(
    from: &CourseSource<'_>,
    file: &CourseFile,
) -> Result<Vec<PlannedAssignment>, Error> {
    file.suites.iter().cloned().map(|suite| PlannedAssignment::new(from, suite)).collect()
}

/// An assignment of a course.
pub(super) struct PlannedAssignment {
    pub(super) head: AssignmentHead,
    pub(super) path: PathBuf,
    /// Its submissions; none if there are none yet.
    pub(super) submissions: Option<PathBuf>,
    pub(super) weight: Option<Weight>,
    pub(super) dates: SuiteDates,
}

/// The properties of an assignment that the results over all assignments show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct AssignmentHead {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) weight: Option<String>,
    pub(super) due: Option<String>,
    pub(super) max_points: Points,
    /// True if it has submissions.
    pub(super) graded: bool,
}

/// The weights of the graded assignments.
///
/// # Errors
/// If there are none; with the assignment's name.
pub(super) fn weights<'a>(
    graded: impl Iterator<Item = (&'a AssignmentHead, Option<Weight>)>,
) -> Result<Weights, String> {
    let graded: Vec<_> = graded.filter(|(head, _)| head.graded).collect();
    let points = |(head, weight): &(&AssignmentHead, Option<Weight>)| {
        (*weight, head.max_points.thousandths())
    };
    Weights::new(&graded.iter().map(points).collect::<Vec<_>>()).map_err(|error| {
        let (WeightError::NoPoints { at } | WeightError::TooFine { at }) = error;
        format!("the suite `{}` {error}", graded[at].0.name)
    })
}

impl CoursePlan {
    pub(super) fn new(from: &CourseSource<'_>, file: CourseFile) -> Result<CoursePlan, Error> {
        let assignments = planned(from, &file)?;
        if assignments.iter().all(|assignment| assignment.submissions.is_none()) {
            return Err(nothing_to_grade(from, &assignments));
        }
        let all = assignments.iter().map(|assignment| (&assignment.head, assignment.weight));
        let weights = weights(all).map_err(|what| Error::input(from.course, &what))?;
        let CourseFile { title, students, mapping, .. } = file;
        let [students, mapping] = [students, mapping].map(|path| path.map(names::existing));
        Ok(CoursePlan { title, students, mapping, assignments, weights })
    }

    /// The properties of each that the results over all assignments show.
    pub(super) fn heads(&self) -> Vec<AssignmentHead> {
        self.assignments.iter().map(|assignment| assignment.head.clone()).collect()
    }
}

impl PlannedAssignment {
    fn new(from: &CourseSource<'_>, suite: CourseSuite) -> Result<PlannedAssignment, Error> {
        // Notes about the suite are reported when it is graded.
        let read = suites::named(&suite.path, &mut IgnoreEvents);
        let read = read.and_then(|read| suites::check_whole(&read).map(|()| read));
        let read = read.map_err(|error| in_course(error, from, &suite))?;
        let submissions = submissions(from, &suite)?;
        let by_rank = read.rank.as_ref().map(RankCurve::max_points).unwrap_or_default();
        let head = AssignmentHead {
            max_points: read.max_points() + by_rank,
            title: read.title,
            name: suite.name,
            weight: suite.weight.map(|weight| weight.to_string()),
            due: suite.dates.due.map(|due| due.to_string()),
            graded: submissions.is_some(),
        };
        let (path, weight, dates) = (suite.path, suite.weight, suite.dates);
        Ok(PlannedAssignment { head, path, submissions, weight, dates })
    }
}

/// Turns a usage error about a suite into one about the course's file, which the instructor can
/// correct.
fn in_course(error: Error, from: &CourseSource<'_>, suite: &CourseSuite) -> Error {
    match error {
        Error::Usage { what, hint } => {
            let (course, name) = (from.course.display(), &suite.name);
            Error::Input { what: format!("`{course}`, suite `{name}`: {what}"), hint }
        }
        error => error,
    }
}

/// The submissions of a suite, if there are any yet.
fn submissions(from: &CourseSource<'_>, suite: &CourseSuite) -> Result<Option<PathBuf>, Error> {
    let default = || from.submissions.map(|folder| folder.join(&suite.name));
    let Some(path) = suite.submissions.clone().or_else(default).map(names::existing) else {
        let what = format!(
            "`{}` names no folder with the submissions of `{}`",
            from.course.display(),
            suite.name
        );
        let hint = format!(
            "add `submissions = \"FOLDER\"` to that suite, or name a folder that has them in \
             `{}/`: {}",
            suite.name,
            command(from)
        );
        return Err(Error::usage(what, hint));
    };
    if path.exists() && !is_empty_folder(&path)? {
        return Ok(Some(path));
    }
    let results = from.out.join(&suite.name);
    if mark_sheet::check_course(&results).is_ok() {
        return Err(submissions_are_gone(&path, &suite.name, &results));
    }
    match suite.submissions.is_some() && !path.exists() {
        true => Err(submissions_not_there(from, suite, &path)),
        false => Ok(None),
    }
}

/// The command that grades the course from a folder with a folder for each suite.
fn command(from: &CourseSource<'_>) -> String {
    let [course, out] = [from.course, from.out].map(|path| quoted(&path.to_string_lossy()));
    format!("`judge grade FOLDER --course {course} --out {out}`")
}

/// True for an empty folder of submissions.
fn is_empty_folder(path: &Path) -> Result<bool, Error> {
    if !path.is_dir() {
        return Ok(false);
    }
    let entries = submitted::entries(path);
    let unreadable = |source| Error::Read { path: path.to_owned(), source };
    Ok(entries.map_err(unreadable)?.is_empty())
}

/// The error for a missing path in the course's file, which may be misspelt. A default path may be
/// missing.
fn submissions_not_there(from: &CourseSource<'_>, suite: &CourseSuite, path: &Path) -> Error {
    let (course, name) = (from.course.display(), &suite.name);
    let what = format!("`{course}`, suite `{name}`: no submissions at `{}`", path.display());
    let hint = format!(
        "correct `submissions`; until there are any, make an empty folder there, or comment the \
         line out and name a folder: {}",
        command(from)
    );
    Error::Input { what, hint: Some(hint) }
}

fn submissions_are_gone(path: &Path, name: &str, results: &Path) -> Error {
    let what = format!("the submissions of `{name}` are no longer in `{}`", path.display());
    let hint = format!(
        "it was graded before: put them back, or remove `{}` to leave it out",
        results.display()
    );
    Error::Input { what, hint: Some(hint) }
}

pub(super) fn nothing_to_grade(from: &CourseSource<'_>, all: &[PlannedAssignment]) -> Error {
    let names: Vec<&str> = all.iter().map(|one| one.head.name.as_str()).collect();
    let what = format!("no suite has submissions yet: {}", names.join(", "));
    let hint = match from.submissions {
        Some(folder) => format!("put them in `{}/NAME`", folder.display()),
        None => format!("put them in the folders that `{}` names", from.course.display()),
    };
    Error::Input { what, hint: Some(hint) }
}
