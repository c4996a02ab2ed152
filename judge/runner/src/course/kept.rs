//! Transfer of a course's results between its folder and another store of rounds, such as a
//! database. No round is played: all reports are derived from the rounds by the rules.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use judge_arena::{Entrant, Facts, Journal, Run, SubmissionNote, SuiteNote, check_rounds};
use judge_core::{GradeReport, IgnoreEvents, Listener};
use judge_grading::Suite;

use super::assignment::{CoursePeople, FoundAssignment, grade_with};
use super::results::students_of;
use super::{
    Assignment, AssignmentOutcome, GradedSubmission, Memory, StudentsNote, SubmissionsNote,
};
use crate::Error;
use crate::base::workers::{self, Workers};
use crate::bots::roster::RosterEntry;
use crate::bots::submitted::Findings;
use crate::rounds::course_folder::CourseFolder;
use crate::suites;

/// Adds the rounds of a course to its new journal.
pub type Fill<'a> = &'a mut dyn FnMut(&Journal) -> Result<(), Error>;

/// Writes the results of an assignment with its rounds in another store. The folder is the same as
/// if it had been graded there. The suite is the given one, not the request's.
///
/// # Errors
/// If a round is missing or its replay differs, or a file cannot be read or written.
pub fn write_kept(
    request: &Assignment,
    suite: Suite,
    fill: Fill<'_>,
    events: &mut dyn Listener,
) -> Result<AssignmentOutcome, Error> {
    suites::check_whole(&suite)?;
    let memory = Memory::none();
    let workers = Workers::of_this_program()?.with_jobs(1);
    let course = CoursePeople::read(request, &suite, &memory, &workers, events)?;
    grade_with(request, FoundAssignment { suite, course }, &memory, &workers, Some(fill), events)
}

/// A graded course, read from its folder.
#[derive(Debug)]
pub struct KeptCourse {
    /// The suite, including hidden testcases.
    pub suite: Suite,
    /// The journal with every round.
    pub journal: Arc<Journal>,
    /// All submissions, by name.
    pub submissions: Vec<KeptSubmission>,
}

/// A submission of a graded course.
#[derive(Debug)]
pub struct KeptSubmission {
    /// The students who get its mark, at least one: the members of a group.
    pub students: Vec<KeptStudent>,
    /// The name of the submission's file or folder.
    pub file: String,
    /// The complete result, derived from the journal.
    pub report: GradeReport,
}

/// A student of a graded course, as in the mark sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptStudent {
    /// The student's name, or the submission's if neither a list nor the platform has it.
    pub name: String,
    /// The student's number.
    pub id: Option<String>,
    /// The student's email address.
    pub address: Option<String>,
}

/// Reads the folder of a graded course. Reports and mark sheets in it are not trusted, but derived
/// from the journal again.
///
/// # Errors
/// If the folder is not a graded course, comes from another version, or is not finished, or if the
/// replay of a round differs from the journal.
pub fn read_kept(folder: &Path) -> Result<KeptCourse, Error> {
    let journal = Journal::open(&CourseFolder::existing(folder)?.journal())?;
    if journal.header().is_none_or(|(fingerprint, _)| fingerprint != workers::fingerprint()) {
        let what = format!("`{}` was graded by another version of the judge", folder.display());
        let hint = "grade it again with this version, or use that one".to_owned();
        return Err(Error::Input { what, hint: Some(hint) });
    }
    check_rounds(&journal)?;
    let facts = Facts::read(&journal)?;
    let suite = facts.need::<SuiteNote>(&())?.suite()?;
    let StudentsNote(students) = facts.get(&())?.unwrap_or_default();
    let findings: Findings = facts.get(&())?.unwrap_or_default();
    let SubmissionsNote(names) = facts.need(&())?;
    let journal = Arc::new(journal);
    let run = Workers::of_this_program()?.with_jobs(1).run();
    let run = run.with_journal(Arc::clone(&journal)).stored_only();
    let mut submissions = BTreeMap::new();
    for name in names {
        let GradedSubmission { file, report } = again(&run, &suite, facts.need(name.as_str())?)?;
        let students = students_of(&students, &findings, &name).into_iter().map(kept_student);
        submissions.insert(name, KeptSubmission { students: students.collect(), file, report });
    }
    Ok(KeptCourse { suite, journal, submissions: submissions.into_values().collect() })
}

fn kept_student((key, student): (String, RosterEntry)) -> KeptStudent {
    let RosterEntry { name, id, address, .. } = student;
    KeptStudent { name: name.unwrap_or(key), id, address }
}

/// Derives the result of a submission from the journal.
pub(crate) fn again(
    run: &Run,
    suite: &Suite,
    known: SubmissionNote,
) -> Result<GradedSubmission, Error> {
    let submission = Entrant { bot: known.bot, module: Vec::new(), refused: known.refused };
    let report = judge_arena::grade(run, suite, &[submission], &mut IgnoreEvents)?;
    Ok(GradedSubmission { file: known.file, report })
}
