//! Grading of a course, from submissions to marks. A course has one assignment, or several that its
//! file describes: each is graded into a separate folder, and then one mark sheet, one scoreboard
//! and one page per student cover all of them.

mod assignment;
mod assignment_outcome;
mod behaviour;
mod built;
pub(crate) mod changed;
mod described;
mod gone;
mod gradebooks;
mod kept;
mod late;
mod mapping;
mod memory;
pub mod merge;
mod names;
mod notes;
mod outcome;
mod overall;
mod pages;
mod part;
mod plan;
mod play;
pub(crate) mod pseudonym_file;
mod reports;
mod results;
pub(crate) mod results_folder;
mod rounds;
pub mod scoreboard;
pub(crate) mod send;
mod several;
pub(crate) mod student_zip;
mod submissions;
mod summary;
mod survey;
mod traces;
pub mod watch_course;

use std::path::{Path, PathBuf};

use judge_core::Listener;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::base::bounds::SubmissionBounds;
use crate::base::shard::Shard;
use crate::base::workers::Workers;
use crate::bots::builds::Building;
use crate::rounds::course_folder::CourseFolder;
use crate::suites::SuiteChoice;
pub use assignment::Assignment;
pub(crate) use assignment::finish;
pub use assignment_outcome::{AssignmentOutcome, Notable, WrittenPages};
pub(crate) use kept::again;
pub use kept::{Fill, KeptCourse, KeptStudent, KeptSubmission, read_kept, write_kept};
pub use late::DatesFile;
pub(crate) use late::{Submitted, rulings_of};
pub use mapping::Mapping;
pub(crate) use memory::{Memories, Memory};
pub(crate) use notes::{CourseNote, StudentsNote, SubmissionsNote};
pub use outcome::{Outcome, Overall, OverallMarks};
use plan::CourseSource;
pub(crate) use play::{GradedSubmission, keep, reports};
pub(crate) use results::Results;
pub use rounds::PagedRounds;
pub(crate) use rounds::RoundWriter;
pub(crate) use traces::take_over as take_over_traces;

/// A course to grade.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The assignments.
    pub assignments: Assignments,
    /// The folder of the results.
    pub out: PathBuf,
    /// The list of students, which replaces that of the course's file.
    pub students: Option<PathBuf>,
    /// A file with the ids of submissions, for students with the same name. It replaces that of the
    /// course's file.
    #[serde(default)]
    pub mapping: Option<PathBuf>,
    /// The options, the same for all assignments.
    #[serde(default)]
    pub options: GradingOptions,
}

/// The assignments of a course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Assignments {
    /// A single one. Its results are directly in the folder of the results.
    One {
        /// The files and folders of submissions.
        submissions: Vec<PathBuf>,
        /// The suite, as in [`SuiteChoice::Named`].
        suite: PathBuf,
        /// The file with the dates and the rules for late submissions, if any.
        late: Option<PathBuf>,
    },
    /// Those of a course's file. The results of each are in a folder under its name.
    Several {
        /// The file of the course, `course.toml`.
        course: PathBuf,
        /// A folder with a folder of submissions per assignment, under its name in the course. The
        /// course's file takes precedence.
        submissions: Option<PathBuf>,
    },
}

/// The options of a grading.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GradingOptions {
    /// True to grade even if no student on the list has a submission.
    pub allow_unmatched: bool,
    /// True to resume existing results. The rounds in their journals are not played again.
    pub resume: bool,
    /// The part of the submissions to grade; all by default.
    pub shard: Option<Shard>,
    /// The rounds to write as pages.
    pub pages: PagedRounds,
    /// Bounds on the cost of a whole submission.
    pub bounds: SubmissionBounds,
    /// Interval in seconds at which the scoreboards and the students' pages reload themselves; none
    /// for never.
    pub reload_every: Option<u32>,
    /// True if the sheets for people begin with a byte-order mark.
    pub byte_order_mark: bool,
    /// The treatment of sources among the submissions.
    pub building: Building,
}

/// Grades every assignment with submissions, and combines the results of several. The listener gets
/// all events, including those of hidden testcases.
///
/// # Errors
/// If a file cannot be read or written, a suite is invalid or lacks its hidden testcases, a journal
/// cannot be used, the judge fails, or the listener fails.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    run_again(request, &mut Memories::none(), workers, events)
}

/// Grades a course as [`run`] does, with caches from earlier gradings.
pub(crate) fn run_again(
    request: &Request,
    memories: &mut Memories,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    match &request.assignments {
        Assignments::One { submissions, suite, late } => {
            let one = request.assignment(submissions, suite, late.as_deref());
            let memory = memories.of_assignment("");
            let found = assignment::find(&one, memory, workers, events)?;
            let outcome = assignment::grade(&one, found, memory, workers, events)?;
            Ok(Outcome { assignments: vec![outcome], overall: Overall::OneAssignment })
        }
        Assignments::Several { course, submissions } => {
            let source = request.source(course, submissions.as_deref());
            several::run(request, &source, memories, workers, events)
        }
    }
}

/// The error for a course without any submission; none otherwise.
///
/// # Errors
/// If the file of the course or a suite is invalid.
pub(crate) fn nothing_yet(request: &Request) -> Result<Option<Error>, Error> {
    match &request.assignments {
        Assignments::One { submissions, .. } => {
            Ok(submissions::nothing_yet(submissions, request.options.building))
        }
        Assignments::Several { course, submissions } => {
            let source = request.source(course, submissions.as_deref());
            several::nothing_yet(&source, request.options.building)
        }
    }
}

/// The files that the results depend on, submissions first.
pub(crate) fn files(request: &Request) -> Vec<PathBuf> {
    let lists = request.students.iter().chain(&request.mapping).cloned();
    match &request.assignments {
        Assignments::One { submissions, suite, late } => {
            let suite = SuiteChoice::Named(suite.clone());
            let suite = suite.folder().map(PathBuf::from);
            let dates = late.iter().flat_map(|path| DatesFile::of_one_suite(path).files());
            submissions.iter().cloned().chain(suite).chain(lists).chain(dates).collect()
        }
        Assignments::Several { course, submissions } => {
            let given = std::iter::once(course.clone()).chain(submissions.clone()).chain(lists);
            given.chain(several::files(course)).collect()
        }
    }
}

impl Request {
    /// The request to grade the only assignment.
    fn assignment(&self, submissions: &[PathBuf], suite: &Path, late: Option<&Path>) -> Assignment {
        let mapping = self.mapping.clone();
        Assignment {
            submissions: submissions.to_vec(),
            suite: suite.to_owned(),
            out: self.out.clone(),
            students: self.students.clone(),
            mapping: mapping.map(|path| Mapping { path, suite: None }),
            dates: late.map(DatesFile::of_one_suite),
            options: self.options.clone(),
        }
    }

    /// The paths of a course with several assignments.
    fn source<'a>(&'a self, course: &'a Path, submissions: Option<&'a Path>) -> CourseSource<'a> {
        CourseSource { course, submissions, out: &self.out }
    }
}
