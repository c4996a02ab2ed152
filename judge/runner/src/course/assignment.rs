//! Grading of one assignment of a course, from its submissions to its marks.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use judge_arena::{FactStore, Facts, SubmissionNote};
use judge_core::{Event, IgnoreEvents, Listener, printable};
use judge_grading::Suite;
use serde_json::{Value, json};

use super::late::{self, DatesNote, LateRulings, Submitted};
use super::submissions::{self, FoundSubmission};
use super::{
    AssignmentOutcome, CourseFolder, CourseNote, DatesFile, Fill, GradingOptions, Mapping, Memory,
    Results, RoundWriter, StudentsNote, SubmissionsNote, built, changed, gone, play,
    results_folder, survey,
};
use crate::Error;
use crate::base::journal;
use crate::base::shard::Shard;
use crate::base::workers::{Workers, tell_of_missing_walls};
use crate::bots::roster::{Roster, RosterEntry};
use crate::bots::student_list::StudentList;
use crate::bots::submitted::{Findings, KnownWords, Unpacked};
use crate::suites;
use crate::suites::SuiteChoice;
use crate::suites::suite_lints::{self, Readers};

/// An assignment to grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The files and folders of submissions.
    pub submissions: Vec<PathBuf>,
    /// The suite, as in [`SuiteChoice::Named`].
    pub suite: PathBuf,
    /// The folder of the results.
    pub out: PathBuf,
    /// The list of students, if any.
    pub students: Option<PathBuf>,
    /// A file with the ids of submissions, for students with the same name.
    pub mapping: Option<Mapping>,
    /// The dates of the assignment and its rules for late submissions, if any.
    pub dates: Option<DatesFile>,
    /// The options of the course.
    pub options: GradingOptions,
}

impl Assignment {
    /// Removes the times from a list of students for several suites with due dates.
    fn remove_common_times(
        &self,
        students: &mut BTreeMap<String, RosterEntry>,
    ) -> Result<bool, Error> {
        let is_common = self.dates.as_ref().map_or(Ok(false), DatesFile::has_common_list)?;
        Ok(is_common && late::remove_times(students))
    }
}

/// The submissions and the suite of an assignment, before the first round.
pub(crate) struct FoundAssignment {
    pub(super) suite: Suite,
    pub(super) course: CoursePeople,
}

/// Reads the suite, finds the submissions and matches the list of students to them. Writes nothing.
pub(crate) fn find(
    request: &Assignment,
    memory: &Memory,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<FoundAssignment, Error> {
    let suite = suites::named(&request.suite, events)?;
    suites::check_whole(&suite)?;
    let choice = SuiteChoice::Named(request.suite.clone());
    suite_lints::warn(&suite, &choice, Readers::Usual, events)?;
    memory.begin(&suite);
    let course = CoursePeople::read(request, &suite, memory, workers, events)?;
    results_folder::refuse_results_among_submissions(request)?;
    results_folder::refuse_results_beside_suite(&request.out, &choice)?;
    Ok(FoundAssignment { suite, course })
}

/// Grades an assignment that was found.
pub(crate) fn grade(
    request: &Assignment,
    found: FoundAssignment,
    memory: &Memory,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<AssignmentOutcome, Error> {
    grade_with(request, found, memory, workers, None, events)
}

/// Grades an assignment that was found. With `fill`, the rounds come from another store and none is
/// played.
pub(super) fn grade_with(
    request: &Assignment,
    found: FoundAssignment,
    memory: &Memory,
    workers: &Workers,
    fill: Option<Fill<'_>>,
    events: &mut dyn Listener,
) -> Result<AssignmentOutcome, Error> {
    let FoundAssignment { suite, mut course } = found;
    let folder = CourseFolder::create(&request.out)?
        .reloading(request.options.reload_every)
        .for_spreadsheets(request.options.byte_order_mark);
    let folder = folder.with_names(&suite, course.everybody.iter().map(String::as_str))?;
    let run = workers.run().with_bounds(request.options.bounds.on(&suite));
    let plan = plan(&suite, request.options.shard);
    let path = folder.journal();
    let now = (&plan, &suite);
    let journal = journal::start_grading(
        &path,
        run.pool().fingerprint(),
        now,
        request.options.resume,
        events,
    )?;
    let marks_before = changed::Sheet::read(&folder);
    let before = gone::files_before(&Facts::read(&journal)?, &suite, &request.out)?;
    course.note(request, &journal, events)?;
    gone::remove(&before, &course.everybody, &folder)?;
    built::keep(&course.submitted, &folder)?;
    gone::remove_hidden_rounds(&folder, &suite)?;
    let journal_only = fill.is_some();
    fill.map_or(Ok(()), |fill| fill(&journal))?;
    let run = run.with_journal(Arc::new(journal));
    let run = if journal_only { run.stored_only() } else { run };
    let results = play::play(&run, &suite, &course, &folder, (memory, workers), events)?;
    let rounds = RoundWriter { run: &run, which: request.options.pages, memory };
    let outcome = finish(&rounds, results, &folder, events)?;
    let changed = changed::since(marks_before, &folder)?;
    // A submitter who is not on the list has a mark, too. A part has only some of the students.
    let is_known = !course.keys.is_empty() && request.options.shard.is_none();
    let listed = if is_known { course.keys.len() } else { outcome.listed };
    let CoursePeople { keys, to_map, .. } = course;
    Ok(AssignmentOutcome { listed, keys, to_map, changed, ..outcome })
}

/// The submissions and students of an assignment.
pub(super) struct CoursePeople {
    /// The names of all submissions.
    pub(super) everybody: Vec<String>,
    /// The submissions of this part.
    pub(super) submitted: Vec<FoundSubmission>,
    /// The list of students, by the names of their submissions.
    pub(super) students: BTreeMap<String, RosterEntry>,
    /// The submissions' names on the list, by the keys of the marks.
    pub(super) keys: BTreeMap<String, String>,
    /// Submissions and ids, for the mapping lines that would distinguish homonyms.
    pub(super) to_map: Vec<[String; 2]>,
    /// The dates of the suite; none without any, or if they are in the journal.
    pub(super) dates: Option<DatesNote>,
    /// The lateness of all submissions.
    pub(super) late: LateRulings,
    /// All other findings.
    pub(super) findings: Findings,
    /// The unpacked archive with the submissions, kept until all are graded.
    _unpacked: Option<Unpacked>,
    /// The folder of the built modules, kept until all are graded.
    _built: Option<judge_toolchain::Scratch>,
}

/// The names on a list of students, and the keys of their submissions.
fn names(list: &BTreeMap<String, RosterEntry>) -> impl Iterator<Item = &str> {
    list.iter().flat_map(|(key, entry)| entry.name.as_deref().into_iter().chain([key.as_str()]))
}

impl CoursePeople {
    pub(super) fn read(
        request: &Assignment,
        suite: &Suite,
        memory: &Memory,
        workers: &Workers,
        events: &mut dyn Listener,
    ) -> Result<CoursePeople, Error> {
        let list = request.students.as_deref();
        let list = list.map(|path| StudentList::read(path)?.into_students(events)).transpose()?;
        let words = KnownWords::new(list.iter().flat_map(names));
        let mut found =
            submissions::find(&request.submissions, request.options.building, &words, events)?;
        let built =
            built::build(&mut found.submissions, request.options.building, workers, events)?;
        survey::tell_of_groups(&found, events)?;
        let findings = survey::findings(&found, suite, memory);
        let mapping = match (&request.mapping, &list) {
            (Some(mapping), Some(list)) => mapping.read(list, &findings, &found, events)?,
            (Some(mapping), None) => return Err(mapping.without_list()),
            (None, _) => BTreeMap::new(),
        };
        let (mut submitted, unpacked) = (found.submissions, found.unpacked);
        let everybody: Vec<String> = submitted.iter().map(|one| one.name.clone()).collect();
        let (mut students, mut keys, mut to_map) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        if let Some(list) = list {
            let roster = Roster::new(list).with_mapping(mapping.clone());
            let roster = survey::matched(roster, &everybody, &findings, events)?;
            survey::refuse_what_does_not_fit(request, &roster, &everybody)?;
            keys = roster.keys_of_marks();
            to_map = roster.to_map().to_vec();
            students = roster.students();
        }
        let found = Submitted { names: &everybody, students: &students, findings: &findings };
        let dates = request.dates.as_ref();
        let dates = dates.map(|file| DatesNote::read(file, found, &mapping, events)).transpose()?;
        request.remove_common_times(&mut students)?;
        let found = Submitted { names: &everybody, students: &students, findings: &findings };
        // A resumed run may have its list of students in the journal.
        if let Some(dates) =
            dates.as_ref().filter(|_| request.students.is_some() || !request.options.resume)
        {
            dates.rulings(found, &mut IgnoreEvents)?;
        }
        if let Some(shard) = request.options.shard {
            let mut number = 0..;
            submitted.retain(|_| number.next().is_some_and(|number| shard.takes(number)));
        }
        Ok(CoursePeople {
            everybody,
            submitted,
            students,
            keys,
            to_map,
            dates,
            late: LateRulings::new(),
            findings,
            _unpacked: unpacked,
            _built: built,
        })
    }

    /// Notes in the journal everything that the results depend on besides the rounds.
    fn note(
        &mut self,
        request: &Assignment,
        store: &dyn FactStore,
        events: &mut dyn Listener,
    ) -> Result<(), Error> {
        let facts = Facts::read(store)?;
        if request.students.is_none() {
            // A resumed run keeps its list.
            let StudentsNote(noted) = facts.get(&())?.unwrap_or_default();
            let CourseNote(before) = facts.get(&())?.unwrap_or_default();
            let fitted = Roster::new(noted.clone());
            let fitted = survey::matched(fitted, &before, &self.findings, &mut IgnoreEvents)?;
            let roster = Roster::new(noted);
            let roster = survey::matched(roster, &self.everybody, &self.findings, events)?;
            // Otherwise the results of all students on the list would be dropped silently.
            if fitted.matched() > 0 {
                survey::refuse_what_does_not_fit(request, &roster, &self.everybody)?;
            }
            self.students = roster.students();
            if request.remove_common_times(&mut self.students)? {
                let text = late::COMMON_TIMES.to_owned();
                events.event(&Event::Warning { text })?;
            }
        }
        store.keep(&(), &StudentsNote(self.students.clone()))?;
        tell_who_is_gone(&facts, &self.submitted, events)?;
        let names: Vec<String> = self.submitted.iter().map(|one| one.name.clone()).collect();
        store.keep(&(), &SubmissionsNote(names.clone()))?;
        store.keep(&(), &CourseNote(self.everybody.clone()))?;
        // The journal of a course without findings must keep its bytes.
        if !self.findings.is_empty() || facts.get::<Findings>(&())?.is_some() {
            store.keep(&(), &self.findings)?;
        }
        let noted = DatesNote::noted(&facts)?;
        // As for the findings, nothing is noted for a suite without dates.
        let dates = self.dates.take().filter(|dates| dates.is_in_force() || noted.is_some());
        if let Some(dates) = dates.or(noted) {
            store.keep(&(), &dates)?;
            let (names, findings) = (&self.everybody, &self.findings);
            let submitted = Submitted { names, students: &self.students, findings };
            self.late = dates.rulings(submitted, events)?;
        }
        if request.options.shard.is_some() {
            // Students without a submission are determined when the parts are merged.
            self.students.retain(|name, _| names.contains(name));
            self.findings.passed_over.clear();
        }
        Ok(())
    }
}

/// Warns about submissions that were graded before and are missing now.
fn tell_who_is_gone(
    facts: &Facts,
    submitted: &[FoundSubmission],
    events: &mut dyn Listener,
) -> std::io::Result<()> {
    let gone: Vec<String> = SubmissionNote::names(facts)
        .filter(|name| !submitted.iter().any(|one| one.name == *name))
        .map(|name| printable(name, 60))
        .collect();
    if gone.is_empty() {
        return Ok(());
    }
    let text = format!(
        "previously graded, now missing, and left out of the marks: {}; their reports and pages are removed",
        gone.join(", ")
    );
    events.event(&Event::Warning { text })
}

/// The plan in the journal of a course. A resumed run must have the same plan.
fn plan(suite: &Suite, shard: Option<Shard>) -> Value {
    let mut plan = journal::plan_of_grading(suite);
    plan["command"] = json!("course");
    if let Some(shard) = shard {
        plan["shard"] = json!(shard.to_string());
    }
    plan
}

/// Writes the mark sheet and the pages, and returns the summary.
pub(crate) fn finish(
    rounds: &RoundWriter<'_>,
    results: Results<'_>,
    folder: &CourseFolder,
    events: &mut dyn Listener,
) -> Result<AssignmentOutcome, Error> {
    if let Some(journal) = rounds.run.journal() {
        journal.sync()?;
    }
    let outcome = results.finish(folder, rounds, events)?;
    tell_of_missing_walls(rounds.run, events)?;
    events.event(&Event::Finished)?;
    Ok(outcome)
}
