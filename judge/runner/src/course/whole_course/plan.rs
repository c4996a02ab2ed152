//! The plan of a course, checked before the first round.

use std::path::{Path, PathBuf};

use judge_core::{IgnoreEvents, Points};
use judge_grading::{CourseFile, CourseSuite, RankCurve, SuiteDates, Weight, WeightError, Weights};
use judge_report::quoted;

use super::Request;
use crate::Error;
use crate::base::mark_sheet;
use crate::base::names;
use crate::bots::submitted;
use crate::suites;

/// A course that can be graded.
pub(super) struct CoursePlan {
    pub(super) title: String,
    pub(super) students: Option<PathBuf>,
    pub(super) mapping: Option<PathBuf>,
    pub(super) suites: Vec<PlannedSuite>,
    /// The weights of the graded suites, in order.
    pub(super) weights: Weights,
}

/// The suites of a course, with or without submissions.
pub(super) fn planned(request: &Request, file: &CourseFile) -> Result<Vec<PlannedSuite>, Error> {
    file.suites.iter().cloned().map(|suite| PlannedSuite::new(request, suite)).collect()
}

/// A suite of a course.
pub(super) struct PlannedSuite {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) path: PathBuf,
    /// Its submissions; none if there are none yet.
    pub(super) submissions: Option<PathBuf>,
    pub(super) weight: Option<Weight>,
    pub(super) dates: SuiteDates,
    pub(super) max_points: Points,
}

impl CoursePlan {
    pub(super) fn new(request: &Request, file: CourseFile) -> Result<CoursePlan, Error> {
        let suites = planned(request, &file)?;
        let graded: Vec<&PlannedSuite> =
            suites.iter().filter(|suite| suite.submissions.is_some()).collect();
        if graded.is_empty() {
            return Err(nothing_to_grade(request, &suites));
        }
        let points = |suite: &&PlannedSuite| (suite.weight, suite.max_points.thousandths());
        let weights = Weights::new(&graded.iter().map(points).collect::<Vec<_>>());
        let weights = weights.map_err(|error| {
            let (WeightError::NoPoints { at } | WeightError::TooFine { at }) = error;
            let what = format!("the suite `{}` {error}", graded[at].name);
            Error::input(&request.course, &what)
        })?;
        let CourseFile { title, students, mapping, .. } = file;
        let [students, mapping] = [students, mapping].map(|path| path.map(names::existing));
        Ok(CoursePlan { title, students, mapping, suites, weights })
    }
}

impl PlannedSuite {
    fn new(request: &Request, suite: CourseSuite) -> Result<PlannedSuite, Error> {
        // Notes about the suite are reported when it is graded.
        let read = suites::named(&suite.path, &mut IgnoreEvents);
        let read = read.and_then(|read| suites::check_whole(&read).map(|()| read));
        let read = read.map_err(|error| in_course(error, request, &suite))?;
        let submissions = submissions(request, &suite)?;
        let by_rank = read.rank.as_ref().map(RankCurve::max_points).unwrap_or_default();
        Ok(PlannedSuite {
            max_points: read.max_points() + by_rank,
            title: read.title,
            name: suite.name,
            path: suite.path,
            submissions,
            weight: suite.weight,
            dates: suite.dates,
        })
    }
}

/// Turns a usage error about a suite into one about the course's file, which the instructor can
/// correct.
fn in_course(error: Error, request: &Request, suite: &CourseSuite) -> Error {
    match error {
        Error::Usage { what, hint } => {
            let (course, name) = (request.course.display(), &suite.name);
            Error::Input { what: format!("`{course}`, suite `{name}`: {what}"), hint }
        }
        error => error,
    }
}

/// The submissions of a suite, if there are any yet.
fn submissions(request: &Request, suite: &CourseSuite) -> Result<Option<PathBuf>, Error> {
    let default = || request.submissions.as_ref().map(|folder| folder.join(&suite.name));
    let Some(path) = suite.submissions.clone().or_else(default).map(names::existing) else {
        let what = format!(
            "`{}` names no folder with the submissions of `{}`",
            request.course.display(),
            suite.name
        );
        let hint = format!(
            "add `submissions = \"FOLDER\"` to that suite, or name a folder that has them in \
             `{}/`: {}",
            suite.name,
            command(request)
        );
        return Err(Error::usage(what, hint));
    };
    if path.exists() && !is_empty_folder(&path)? {
        return Ok(Some(path));
    }
    let results = request.out.join(&suite.name);
    if mark_sheet::check_course(&results).is_ok() {
        return Err(submissions_are_gone(&path, &suite.name, &results));
    }
    match suite.submissions.is_some() && !path.exists() {
        true => Err(submissions_not_there(request, suite, &path)),
        false => Ok(None),
    }
}

/// The command that grades the course from a folder with a folder for each suite.
fn command(request: &Request) -> String {
    let [course, out] = [&request.course, &request.out].map(|path| quoted(&path.to_string_lossy()));
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
fn submissions_not_there(request: &Request, suite: &CourseSuite, path: &Path) -> Error {
    let (course, name) = (request.course.display(), &suite.name);
    let what = format!("`{course}`, suite `{name}`: no submissions at `{}`", path.display());
    let hint = format!(
        "correct `submissions`; until there are any, make an empty folder there, or comment the \
         line out and name a folder: {}",
        command(request)
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

pub(super) fn nothing_to_grade(request: &Request, suites: &[PlannedSuite]) -> Error {
    let names: Vec<&str> = suites.iter().map(|suite| suite.name.as_str()).collect();
    let what = format!("no suite has submissions yet: {}", names.join(", "));
    let hint = match &request.submissions {
        Some(folder) => format!("put them in `{}/NAME`", folder.display()),
        None => format!("put them in the folders that `{}` names", request.course.display()),
    };
    Error::Input { what, hint: Some(hint) }
}
