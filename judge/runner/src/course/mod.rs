//! Grades a whole course, from a folder of submissions to marks.

mod behaviour;
mod built;
pub(crate) mod changed;
mod gone;
mod gradebooks;
mod kept;
mod mapping;
mod memory;
pub mod merge;
mod names;
mod notes;
mod outcome;
mod pages;
pub(crate) mod places;
mod play;
pub(crate) mod pseudonym_file;
mod reports;
mod results;
mod rounds;
pub mod scoreboard;
pub(crate) mod send;
pub(crate) mod sendable;
mod students;
mod submissions;
mod summary;
mod survey;
pub mod watch_course;
pub mod whole_course;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use judge_arena::{Facts, Pool, RoundStore, SubmissionNote};
use judge_core::{Event, Listener, Nobody, printable};
use judge_grading::Suite;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Error;
use crate::base::bounds::SubmissionBounds;
use crate::base::journal;
use crate::base::shard::Shard;
use crate::base::workers::{Workers, tell_of_missing_walls};
use crate::bots::builds::Building;
use crate::bots::handed_in::{Findings, Unpacked};
use crate::bots::roster::{Roster, RosterEntry};
use crate::rounds::course_folder::CourseFolder;
use crate::suites;
use crate::suites::SuiteChoice;
use crate::suites::doubts::{self, Readers};
pub(crate) use kept::again;
pub use kept::{Fill, KeptCourse, KeptSubmission, read_kept, write_kept};
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

/// What to grade, on what, and where the results go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Files and folders of submissions.
    pub submissions: Vec<PathBuf>,
    /// The suite, as in [`SuiteChoice::Named`].
    pub suite: PathBuf,
    /// The folder of the results.
    pub out: PathBuf,
    /// The list of students, if there is one.
    pub students: Option<PathBuf>,
    /// A file with the ids of submissions, for names that several students have.
    #[serde(default)]
    pub mapping: Option<Mapping>,
    /// True to grade although nobody on the list is among the submissions.
    #[serde(default)]
    pub allow_unmatched: bool,
    /// True if the results, if they are there, are of this run: what is in their journal is not
    /// played again.
    pub resume: bool,
    /// The part to grade; all if none.
    pub shard: Option<Shard>,
    /// Which rounds to write as pages.
    pub pages: PagedRounds,
    /// What a whole submission may cost.
    pub bounds: SubmissionBounds,
    /// Seconds after which scoreboard and students' pages load themselves again, if they do.
    #[serde(default)]
    pub reload_every: Option<u32>,
    /// True if the sheets for people begin with a byte-order mark.
    #[serde(default)]
    pub byte_order_mark: bool,
    /// What happens to sources among the submissions.
    #[serde(default)]
    pub building: Building,
}

/// Grades a course. The listener is told everything, also of hidden testcases.
///
/// # Errors
/// When a file cannot be read or written, the suite makes no sense or lacks its hidden testcases,
/// the journal cannot be used, the judge fails, or the listener does.
pub fn run(
    request: &Request,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    run_again(request, &Memory::none(), workers, events)
}

/// Grades a course as [`run`] does, with what is known of it from the times before.
pub(crate) fn run_again(
    request: &Request,
    memory: &Memory,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    grade(request, find(request, memory, workers, events)?, memory, workers, events)
}

/// A course of which all is found, and nothing played yet.
pub(crate) struct FoundCourse {
    suite: Suite,
    course: CoursePeople,
}

/// Reads the suite, finds the submissions and matches the list of students to them. Nothing is
/// written.
pub(crate) fn find(
    request: &Request,
    memory: &Memory,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<FoundCourse, Error> {
    let suite = suites::named(&request.suite, events)?;
    suites::is_whole(&suite)?;
    let choice = SuiteChoice::Named(request.suite.clone());
    doubts::tell(&suite, &choice, Readers::Usual, events)?;
    memory.begin(&suite);
    let course = CoursePeople::read(request, &suite, memory, workers, events)?;
    places::refuse_results_among_submissions(request)?;
    places::refuse_results_beside_suite(&request.out, &choice)?;
    Ok(FoundCourse { suite, course })
}

/// Grades what was found.
pub(crate) fn grade(
    request: &Request,
    found: FoundCourse,
    memory: &Memory,
    workers: &Workers,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    grade_with(request, found, memory, workers, None, events)
}

/// Grades what was found; with rounds that are kept elsewhere nothing is played.
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
    built::keep(&course.handed_in, &folder)?;
    gone::remove_hidden_rounds(&folder, &suite)?;
    let journal_only = fill.is_some();
    fill.map_or(Ok(()), |fill| fill(&journal))?;
    let pool = Pool { journal: Some(Arc::new(journal)), journal_only, ..pool };
    let results = play::play(&pool, &suite, &course, &folder, memory, events)?;
    let rounds = RoundWriter { pool: &pool, which: request.pages, memory };
    let outcome = finish(&rounds, results, &folder, events)?;
    let changed = changed::since(marks_before, &folder)?;
    // A submitter who is not on the list has a mark, too. A part has some of the students.
    let is_known = !course.keys.is_empty() && request.shard.is_none();
    let listed = if is_known { course.keys.len() } else { outcome.listed };
    let CoursePeople { keys, to_map, .. } = course;
    Ok(Outcome { listed, keys, to_map, changed, ..outcome })
}

/// Everybody in a course.
struct CoursePeople {
    /// The names of all submissions.
    everybody: Vec<String>,
    /// The submissions of this part.
    handed_in: Vec<FoundSubmission>,
    /// The list of students, by the name of their submission.
    students: BTreeMap<String, RosterEntry>,
    /// The names of the submissions on the list, by the keys of the marks.
    keys: BTreeMap<String, String>,
    /// Submissions and ids, for the lines of a mapping that would distinguish homonyms.
    to_map: Vec<[String; 2]>,
    /// What else was found.
    findings: Findings,
    /// The archive that the submissions lie in, laid out until all are graded.
    _unpacked: Option<Unpacked>,
    /// The folder of what was built, as long as this is there.
    _built: Option<judge_build::Scratch>,
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
        let list = list.map(|path| students::read(path, events)).transpose()?;
        let mut found = submissions::find(&request.submissions, request.building, events)?;
        let built = built::build(&mut found.submissions, request.building, workers, events)?;
        survey::tell_of_groups(&found, events)?;
        let findings = survey::findings(&found, suite, memory);
        let mapping = match (&request.mapping, &list) {
            (Some(mapping), Some(list)) => mapping.read(list, &findings, &found, events)?,
            (Some(mapping), None) => return Err(mapping.without_list()),
            (None, _) => BTreeMap::new(),
        };
        let (mut handed_in, unpacked) = (found.submissions, found.unpacked);
        let everybody: Vec<String> = handed_in.iter().map(|one| one.name.clone()).collect();
        let (mut students, mut keys, mut to_map) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        if let Some(list) = list {
            let roster = Roster::new(list).with_mapping(mapping);
            let roster = survey::matched(roster, &everybody, &findings, events)?;
            survey::refuse_what_does_not_fit(request, &roster, &everybody)?;
            keys = roster.keys_of_marks();
            to_map = roster.to_map().to_vec();
            students = roster.students();
        }
        if let Some(shard) = request.shard {
            let mut number = 0..;
            handed_in.retain(|_| number.next().is_some_and(|number| shard.takes(number)));
        }
        Ok(CoursePeople {
            everybody,
            handed_in,
            students,
            keys,
            to_map,
            findings,
            _unpacked: unpacked,
            _built: built,
        })
    }

    /// Notes in the journal what is needed to make the results out of it alone.
    fn note(
        &mut self,
        request: &Request,
        store: &dyn RoundStore,
        events: &mut dyn Listener,
    ) -> Result<(), Error> {
        let facts = Facts::read(store)?;
        if request.students.is_none() {
            // A run that is resumed keeps its list.
            let StudentsNote(noted) = facts.get(&())?.unwrap_or_default();
            let CourseNote(before) = facts.get(&())?.unwrap_or_default();
            let fitted = Roster::new(noted.clone());
            let fitted = survey::matched(fitted, &before, &self.findings, &mut Nobody)?;
            let roster = Roster::new(noted);
            let roster = survey::matched(roster, &self.everybody, &self.findings, events)?;
            // Otherwise the results of everybody on the list would go without a word.
            if fitted.matched() > 0 {
                survey::refuse_what_does_not_fit(request, &roster, &self.everybody)?;
            }
            self.students = roster.students();
        }
        store.keep(&(), &StudentsNote(self.students.clone()))?;
        tell_who_is_gone(&facts, &self.handed_in, events)?;
        let names: Vec<String> = self.handed_in.iter().map(|one| one.name.clone()).collect();
        store.keep(&(), &SubmissionsNote(names.clone()))?;
        store.keep(&(), &CourseNote(self.everybody.clone()))?;
        // A journal in which there was never anything to tell keeps its bytes.
        if !self.findings.is_empty() || facts.get::<Findings>(&())?.is_some() {
            store.keep(&(), &self.findings)?;
        }
        if request.shard.is_some() {
            // Who handed in nothing is found out when the parts are joined.
            self.students.retain(|name, _| names.contains(name));
            self.findings.passed_over.clear();
        }
        Ok(())
    }
}

/// Tells who was graded before and is not among the submissions any more.
fn tell_who_is_gone(
    facts: &Facts,
    handed_in: &[FoundSubmission],
    events: &mut dyn Listener,
) -> std::io::Result<()> {
    let gone: Vec<String> = SubmissionNote::names(facts)
        .filter(|name| !handed_in.iter().any(|one| one.name == *name))
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

/// The plan in the journal of a course: what it must be resumed with.
fn plan(suite: &Suite, shard: Option<Shard>) -> Value {
    let mut plan = journal::plan_of_grading(suite);
    plan["command"] = json!("course");
    if let Some(shard) = shard {
        plan["shard"] = json!(shard.to_string());
    }
    plan
}

/// Writes the mark sheet and the pages, and sums up.
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
