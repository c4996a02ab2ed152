//! Merges the parts of a course that were graded separately. (For the parts of a tournament see
//! `tournament::merge`.)

mod part;
mod reports;
mod several;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_arena::{Agreed, Fact, FactStore, Facts, Journal, SuiteNote, check_rounds};
use judge_core::Listener;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::part::AssignmentPart;
use crate::Error;
pub use crate::base::shards::refuse_repeated;
use crate::base::shards::whole_plan;
use crate::base::workers::{self, Workers};
use crate::bots::submitted::Findings;
use crate::course::part::CoursePart;
use crate::course::{
    self, AssignmentOutcome, Outcome, Overall, PagedRounds, Results, StudentsNote, SubmissionsNote,
    Submitted,
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
    if request.parts.iter().any(|part| CoursePart::is_in(part)) {
        return several::run(request, events);
    }
    let parts = Parts::read(&request.parts)?;
    let outcome = parts.merge(request, &request.out, events)?;
    Ok(Outcome { assignments: vec![outcome], overall: Overall::OneAssignment })
}

/// The parts of an assignment.
struct Parts {
    folders: Vec<PathBuf>,
    journals: Vec<Journal>,
    /// The plan of the whole.
    plan: Value,
    /// The folder of each submission, by name.
    owners: BTreeMap<String, PathBuf>,
}

impl Parts {
    /// Reads the parts, and checks that they are all parts of one assignment and finished.
    fn read(folders: &[PathBuf]) -> Result<Parts, Error> {
        let mut journals = Vec::new();
        for path in folders {
            journals.push(Journal::open(&CourseFolder::existing(path)?.journal())?);
        }
        let plan = whole_plan(&journals, "course")?;
        let parts = journals.iter().map(AssignmentPart::new).collect::<Result<Vec<_>, Error>>()?;
        let mut owners = BTreeMap::new();
        for (part, path) in std::iter::zip(&parts, folders) {
            owners.extend(part.finished()?.into_iter().map(|name| (name, path.clone())));
        }
        part::same_course(&parts)?;
        for part in &parts {
            part.has_its_own()?;
        }
        Ok(Parts { folders: folders.to_vec(), journals, plan, owners })
    }

    /// Copies the rounds into one journal in the folder, and makes the results from it.
    fn merge(
        &self,
        request: &Request,
        out: &Path,
        events: &mut dyn Listener,
    ) -> Result<AssignmentOutcome, Error> {
        let own = SubmissionsNote::name(&());
        let own = [own.as_str()];
        let agreed = Agreed::new(&self.journals, &own)?;
        self.journals.iter().try_for_each(check_rounds)?;
        let folder = CourseFolder::create(out)?.for_spreadsheets(request.byte_order_mark);
        let plan = self.plan.clone();
        let journal = Journal::create(&folder.journal(), workers::fingerprint(), plan)?;
        journal.take_over(&agreed)?;
        let store: &dyn FactStore = &journal;
        store.keep(&(), &SubmissionsNote(self.owners.keys().cloned().collect()))?;
        self.write(journal, &folder, request.pages, events)
    }

    /// Makes reports, marks and pages from the merged journal.
    fn write(
        &self,
        journal: Journal,
        folder: &CourseFolder,
        pages: PagedRounds,
        events: &mut dyn Listener,
    ) -> Result<AssignmentOutcome, Error> {
        let facts = Facts::read(&journal)?;
        let run = Workers::of_this_program()?.with_jobs(1).run();
        let run = run.with_journal(Arc::new(journal)).stored_only();
        let suite = facts.need::<SuiteNote>(&())?.suite()?;
        let StudentsNote(students) = facts.get(&())?.unwrap_or_default();
        let folder = folder.clone().with_names(&suite, self.owners.keys().map(String::as_str))?;
        let sheets = reports::sheets(&self.folders)?;
        let findings: Findings = facts.get(&())?.unwrap_or_default();
        let names: Vec<String> = self.owners.keys().cloned().collect();
        let submitted = Submitted { names: &names, students: &students, findings: &findings };
        let late = course::rulings_of(&facts, submitted, events)?;
        let mut results = Results::new(&suite, &students, &findings, &late);
        for (name, part) in &self.owners {
            let mut graded = course::again(&run, &suite, facts.need(name.as_str())?)?;
            // No journal has the functions that were running when a bot failed.
            course::take_over_traces(&mut graded.report, part, &suite, &folder);
            let reports = course::reports(&suite, &folder, &graded);
            reports::same_reports(part, &reports)?;
            reports::same_marks(part, sheets.get(part.as_path()), &reports, &graded)?;
            course::keep(&run, &suite, &folder, graded, &mut results)?;
        }
        let memory = course::Memory::none();
        let rounds = course::RoundWriter { run: &run, which: pages, memory: &memory };
        course::finish(&rounds, results, &folder, events)
    }
}
