//! Merges the parts of a course that were graded separately. (For the parts of a tournament see
//! `tournament::merge`.)

mod part;
mod reports;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_arena::{Agreed, Fact, FactStore, Facts, Journal, SuiteNote, check_rounds};
use judge_core::Listener;
use serde::{Deserialize, Serialize};

use self::part::CoursePart;
use crate::Error;
pub use crate::base::shards::refuse_repeated;
use crate::base::shards::whole_plan;
use crate::base::workers::{self, Workers};
use crate::bots::submitted::Findings;
use crate::course::{
    self, Outcome, PagedRounds, Results, StudentsNote, SubmissionsNote, Submitted,
};
use crate::rounds::course_folder::CourseFolder;

/// The parts, and the folder of the whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The folders of the parts.
    pub parts: Vec<PathBuf>,
    /// The new folder of the whole.
    pub out: PathBuf,
    /// Rounds to write as pages.
    pub pages: PagedRounds,
    /// True if the sheets for people begin with a byte-order mark.
    #[serde(default)]
    pub byte_order_mark: bool,
}

/// Merges the parts of a course. The result has the same bytes as a course graded in one run. No
/// round is played.
///
/// # Errors
/// If the parts are not all parts of one course, or contradict each other or their own reports, or
/// if a file cannot be read or written.
pub fn run(request: &Request, events: &mut dyn Listener) -> Result<Outcome, Error> {
    refuse_repeated(&request.parts)?;
    let mut journals = Vec::new();
    for path in &request.parts {
        journals.push(Journal::open(&CourseFolder::existing(path)?.journal())?);
    }
    let whole = whole_plan(&journals, "course")?;
    let parts = journals.iter().map(CoursePart::new).collect::<Result<Vec<_>, Error>>()?;
    let mut owners = BTreeMap::new();
    for (part, path) in std::iter::zip(&parts, &request.parts) {
        owners.extend(part.finished()?.into_iter().map(|name| (name, path.as_path())));
    }
    part::same_course(&parts)?;
    for part in &parts {
        part.has_its_own()?;
    }
    let own = SubmissionsNote::name(&());
    let own = [own.as_str()];
    let agreed = Agreed::new(&journals, &own)?;
    journals.iter().try_for_each(check_rounds)?;
    let folder = CourseFolder::create(&request.out)?.for_spreadsheets(request.byte_order_mark);
    let journal = Journal::create(&folder.journal(), workers::fingerprint(), whole)?;
    journal.take_over(&agreed)?;
    let store: &dyn FactStore = &journal;
    store.keep(&(), &SubmissionsNote(owners.keys().cloned().collect()))?;
    write(request, journal, &folder, &owners, events)
}

/// Makes reports, marks and pages from the merged journal.
fn write(
    request: &Request,
    journal: Journal,
    folder: &CourseFolder,
    owners: &BTreeMap<String, &Path>,
    events: &mut dyn Listener,
) -> Result<Outcome, Error> {
    let facts = Facts::read(&journal)?;
    let run = Workers::of_this_program()?.with_jobs(1).run();
    let run = run.with_journal(Arc::new(journal)).stored_only();
    let suite = facts.need::<SuiteNote>(&())?.suite()?;
    let StudentsNote(students) = facts.get(&())?.unwrap_or_default();
    let folder = folder.clone().with_names(&suite, owners.keys().map(String::as_str))?;
    let sheets = reports::sheets(&request.parts)?;
    let findings: Findings = facts.get(&())?.unwrap_or_default();
    let names: Vec<String> = owners.keys().cloned().collect();
    let submitted = Submitted { names: &names, students: &students, findings: &findings };
    let late = course::rulings_of(&facts, submitted, events)?;
    let mut results = Results::new(&suite, &students, &findings, &late);
    for (name, part) in owners {
        let mut graded = course::again(&run, &suite, facts.need(name.as_str())?)?;
        // No journal has the functions that were running when a bot failed.
        course::take_over_traces(&mut graded.report, part, &suite, &folder);
        let reports = course::reports(&suite, &folder, &graded);
        reports::same_reports(part, &reports)?;
        reports::same_marks(part, sheets.get(part), &reports, &graded)?;
        course::keep(&run, &suite, &folder, graded, &mut results)?;
    }
    let memory = course::Memory::none();
    let rounds = course::RoundWriter { run: &run, which: request.pages, memory: &memory };
    course::finish(&rounds, results, &folder, events)
}
