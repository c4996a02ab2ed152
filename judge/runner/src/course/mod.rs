//! Grading of a whole course, from a folder of submissions to marks.

mod behaviour;
mod built;
pub(crate) mod changed;
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
mod pages;
mod play;
pub(crate) mod pseudonym_file;
mod reports;
mod results;
pub(crate) mod results_folder;
mod rounds;
pub mod scoreboard;
pub(crate) mod send;
pub(crate) mod student_zip;
mod submissions;
mod summary;
mod survey;
mod traces;
pub mod watch_course;
pub mod whole_course;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use judge_arena::{Facts, Pool, RoundStore, SubmissionNote};
use judge_core::{Event, IgnoreEvents, Listener, printable};
use judge_grading::Suite;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Error;
use crate::base::bounds::SubmissionBounds;
use crate::base::journal;
use crate::base::shard::Shard;
use crate::base::workers::{Workers, tell_of_missing_walls};
use crate::bots::builds::Building;
use crate::bots::roster::{Roster, RosterEntry};
use crate::bots::student_list::StudentList;
use crate::bots::submitted::{Findings, KnownWords, Unpacked};
use crate::rounds::course_folder::CourseFolder;
use crate::suites;
use crate::suites::SuiteChoice;
use crate::suites::suite_lints::{self, Readers};
pub(crate) use kept::again;
pub use kept::{Fill, KeptCourse, KeptStudent, KeptSubmission, read_kept, write_kept};
pub use late::DatesFile;
pub(crate) use late::{DatesNote, LateRulings, Submitted, rulings_of};
pub use mapping::Mapping;
pub(crate) use memory::Memory;
pub(crate) use notes::{CourseNote, StudentsNote, SubmissionsNote};
pub(crate) use outcome::changed_text;
pub use outcome::{Notable, Outcome, WrittenPages};
pub(crate) use play::{GradedSubmission, keep, reports};
pub(crate) use results::Results;
pub use rounds::PagedRounds;
pub(crate) use rounds::RoundWriter;
use submissions::FoundSubmission;
pub(crate) use submissions::nothing_yet;
pub(crate) use traces::take_over as take_over_traces;

/// A course to grade, with its options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The files and folders of submissions.
    pub submissions: Vec<PathBuf>,
    /// The suite, as in [`SuiteChoice::Named`].
    pub suite: PathBuf,
    /// The folder of the results.
    pub out: PathBuf,
    /// The list of students, if any.
    pub students: Option<PathBuf>,
    /// A file with the ids of submissions, for students with the same name.
    #[serde(default)]
    pub mapping: Option<Mapping>,
    /// The dates of the suite and its rules for late submissions, if any.
    #[serde(default)]
    pub dates: Option<DatesFile>,
    /// True to grade even if no student on the list has a submission.
    #[serde(default)]
    pub allow_unmatched: bool,
    /// True to resume existing results. The rounds in their journal are not played again.
    pub resume: bool,
    /// The part to grade; all by default.
    pub shard: Option<Shard>,
    /// The rounds to write as pages.
    pub pages: PagedRounds,
    /// Bounds on the cost of a whole submission.
    pub bounds: SubmissionBounds,
    /// Interval in seconds at which the scoreboard and the students' pages reload themselves; none
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

impl Request {
    /// Removes the times from a list of students for several suites with due dates.
    fn remove_common_times(
        &self,
        students: &mut BTreeMap<String, RosterEntry>,
    ) -> Result<bool, Error> {
        let is_common = self.dates.as_ref().map_or(Ok(false), DatesFile::has_common_list)?;
        Ok(is_common && late::remove_times(students))
    }
}

/// Grades a course. The listener gets all events, including those of hidden testcases.
///
/// # Errors
/// If a file cannot be read or written, the suite is invalid or lacks its hidden testcases, the
/// journal cannot be used, the judge fails, or the listener fails.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    run_again(request, &Memory::none(), workers, events)
}

/// Grades a course as [`run`] does, with a cache from earlier gradings.
pub(crate) fn run_again(
    request: &Request,
    memory: &Memory,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    grade(request, find(request, memory, workers, events)?, memory, workers, events)
}

/// The submissions and the suite of a course, before the first round.
pub(crate) struct FoundCourse {
    suite: Suite,
    course: CoursePeople,
}

/// Reads the suite, finds the submissions and matches the list of students to them. Writes nothing.
pub(crate) fn find(
    request: &Request,
    memory: &Memory,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<FoundCourse, Error> {
    let suite = suites::named(&request.suite, events)?;
    suites::check_whole(&suite)?;
    let choice = SuiteChoice::Named(request.suite.clone());
    suite_lints::warn(&suite, &choice, Readers::Usual, events)?;
    memory.begin(&suite);
    let course = CoursePeople::read(request, &suite, memory, workers, events)?;
    results_folder::refuse_results_among_submissions(request)?;
    results_folder::refuse_results_beside_suite(&request.out, &choice)?;
    Ok(FoundCourse { suite, course })
}

/// Grades a course that was found.
pub(crate) fn grade(
    request: &Request,
    found: FoundCourse,
    memory: &Memory,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    grade_with(request, found, memory, workers, None, events)
}

/// Grades a course that was found. With `fill`, the rounds come from another store and none is
/// played.
fn grade_with(
    request: &Request,
    found: FoundCourse,
    memory: &Memory,
    workers: &Workers,
    fill: Option<Fill<'_>>,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let FoundCourse { suite, mut course } = found;
    let folder = CourseFolder::create(&request.out)?
        .reloading(request.reload_every)
        .for_spreadsheets(request.byte_order_mark);
    let folder = folder.with_names(&suite, course.everybody.iter().map(String::as_str))?;
    let pool = Pool { bounds: request.bounds.on(&suite), ..workers.pool() };
    let plan = plan(&suite, request.shard);
    let path = folder.journal();
    let now = (&plan, &suite);
    let journal = journal::start_grading(&path, &pool.fingerprint, now, request.resume, events)?;
    let marks_before = changed::Sheet::read(&folder);
    let before = gone::files_before(&Facts::read(&journal)?, &suite, &request.out)?;
    course.note(request, &journal, events)?;
    gone::remove(&before, &course.everybody, &folder)?;
    built::keep(&course.submitted, &folder)?;
    gone::remove_hidden_rounds(&folder, &suite)?;
    let journal_only = fill.is_some();
    fill.map_or(Ok(()), |fill| fill(&journal))?;
    let pool = Pool { journal: Some(Arc::new(journal)), journal_only, ..pool };
    let results = play::play(&pool, &suite, &course, &folder, (memory, workers), events)?;
    let rounds = RoundWriter { pool: &pool, which: request.pages, memory };
    let outcome = finish(&rounds, results, &folder, events)?;
    let changed = changed::since(marks_before, &folder)?;
    // A submitter who is not on the list has a mark, too. A part has only some of the students.
    let is_known = !course.keys.is_empty() && request.shard.is_none();
    let listed = if is_known { course.keys.len() } else { outcome.listed };
    let CoursePeople { keys, to_map, .. } = course;
    Ok(Outcome { listed, keys, to_map, changed, ..outcome })
}

/// The submissions and students of a course.
struct CoursePeople {
    /// The names of all submissions.
    everybody: Vec<String>,
    /// The submissions of this part.
    submitted: Vec<FoundSubmission>,
    /// The list of students, by the names of their submissions.
    students: BTreeMap<String, RosterEntry>,
    /// The submissions' names on the list, by the keys of the marks.
    keys: BTreeMap<String, String>,
    /// Submissions and ids, for the mapping lines that would distinguish homonyms.
    to_map: Vec<[String; 2]>,
    /// The dates of the suite; none without any, or if they are in the journal.
    dates: Option<DatesNote>,
    /// The lateness of all submissions.
    late: LateRulings,
    /// All other findings.
    findings: Findings,
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
    fn read(
        request: &Request,
        suite: &Suite,
        memory: &Memory,
        workers: &Workers,
        events: &mut dyn Listener,
    ) -> Result<CoursePeople, Error> {
        let list = request.students.as_deref();
        let list = list.map(|path| StudentList::read(path)?.into_students(events)).transpose()?;
        let words = KnownWords::new(list.iter().flat_map(names));
        let mut found = submissions::find(&request.submissions, request.building, &words, events)?;
        let built = built::build(&mut found.submissions, request.building, workers, events)?;
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
            dates.as_ref().filter(|_| request.students.is_some() || !request.resume)
        {
            dates.rulings(found, &mut IgnoreEvents)?;
        }
        if let Some(shard) = request.shard {
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
        request: &Request,
        store: &dyn RoundStore,
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
        if request.shard.is_some() {
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
) -> Result<Outcome, Error> {
    if let Some(journal) = &rounds.pool.journal {
        journal.sync()?;
    }
    let outcome = results.finish(folder, rounds, events)?;
    tell_of_missing_walls(rounds.pool, events)?;
    events.event(&Event::Finished)?;
    Ok(outcome)
}
