//! The rounds of a finished or interrupted run, read from its journal. Each has its number, row and
//! record, in an order that does not depend on the number of workers (`judge/docs/rounds.md`).

mod note;
mod order;
mod row;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_core::{Fingerprint, Refused, RoundRecord, RoundRow, Seat};
use judge_grading::Suite;
use judge_referee::SetupError;
use serde_json::Value;

use crate::facts::Facts;
use crate::grade;
use crate::journal::{Journal, JournalError};
use crate::pairs::PairRound;
use crate::submission_note::SubmissionNote;
use crate::suite_note::SuiteNote;
pub use note::{MeetingNote, PlayedNote, identity};
use order::{GradedRound, OrderEntry, Scheduled, SubmissionNames};
pub use row::{RowPlace, round, row};

/// An error of opening a collection, or of reading a round.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// This judge cannot begin a round: the journal is of another judge.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The run was killed before the first line was complete.
    #[error("the journal `{}` is empty: its run was stopped before anything was played", .0.display())]
    Empty(PathBuf),
    /// A journal of an unknown kind of run.
    #[error("the journal `{}` is of a run that this judge does not know: `{what}`", path.display())]
    Unknown {
        /// The journal.
        path: PathBuf,
        /// Name of the run in its first line.
        what: String,
    },
    /// A number without a round.
    #[error(
        "round `{number}` does not exist: `{}` has {count} rounds, the last is `{last}`",
        path.display()
    )]
    NoRound {
        /// The journal.
        path: PathBuf,
        /// The requested number.
        number: u64,
        /// Number of rounds.
        count: usize,
        /// The largest number.
        last: u64,
    },
    /// The rules of this judge give a different round.
    #[error(
        "the journal `{}`, line {line}: by the rules of this judge this differs from the round \
         that was written (by judge `{judge}`)",
        path.display()
    )]
    OtherRules {
        /// The journal.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The judge that wrote it.
        judge: String,
    },
}

/// The kind of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunKind {
    /// Two players in pairs of rounds.
    Match,
    /// Many players in pairs of rounds.
    Tournament,
    /// Submissions on the testcases of a suite.
    Grading,
}

/// A round of a collection.
#[derive(Debug, Clone)]
pub struct StoredRound {
    /// Its row.
    pub row: RoundRow,
    /// Its full record.
    pub record: RoundRecord,
    /// Its result and cost.
    pub round: PairRound,
}

/// The rounds of a run. Only their positions are in memory; their lines stay in the journal.
#[derive(Debug)]
pub struct Collection {
    journal: Journal,
    kind: RunKind,
    fingerprint: Fingerprint,
    plan: Value,
    note: Option<PlayedNote>,
    meetings: Vec<MeetingNote>,
    names: SubmissionNames,
    entries: Vec<OrderEntry>,
}

impl Collection {
    /// Opens the journal of a run.
    ///
    /// # Errors
    /// When it is not a journal, in use, damaged, or of an unknown kind of run.
    pub fn open(path: &Path) -> Result<Collection, CollectionError> {
        let journal = Journal::open(path)?;
        let Some((fingerprint, plan)) = journal.header() else {
            return Err(CollectionError::Empty(path.to_owned()));
        };
        let kind = kind(&plan).ok_or_else(|| unknown(path, &plan))?;
        let facts = Facts::new(journal.path().display().to_string(), journal.facts());
        let note = facts.get::<PlayedNote>(&()).unwrap_or_default();
        let names = SubmissionNames::new(&facts);
        let mut collection = Collection {
            journal,
            kind,
            fingerprint,
            plan,
            note,
            meetings: Vec::new(),
            names,
            entries: Vec::new(),
        };
        match kind {
            RunKind::Grading => collection.order_graded()?,
            RunKind::Match | RunKind::Tournament => collection.order_scheduled()?,
        }
        Ok(collection)
    }

    fn order_graded(&mut self) -> Result<(), CollectionError> {
        let mut graded = GradedRound::default();
        let suite = self.suite();
        for line in self.journal.lines() {
            let spec = self.journal.round(line)?.spec;
            // Rounds that the changed suite no longer has.
            if suite.as_ref().is_none_or(|suite| suite.has_round(&spec)) {
                graded.take(line, &spec, &self.names);
            }
        }
        self.entries = graded.entries();
        Ok(())
    }

    /// The suite of the last grading, if the journal has it.
    fn suite(&self) -> Option<Suite> {
        let journal = &self.journal;
        let facts = Facts::new(journal.path().display().to_string(), journal.facts());
        facts.get::<SuiteNote>(&()).ok().flatten()?.suite().ok()
    }

    fn order_scheduled(&mut self) -> Result<(), CollectionError> {
        let path = self.journal.path().to_owned();
        let mut scheduled = Scheduled::new(&self.plan).ok_or_else(|| unknown(&path, &self.plan))?;
        for line in self.journal.lines() {
            let taken = scheduled.take(line, &self.journal.round(line)?.spec);
            taken.map_err(|what| self.journal.complaint(line, what))?;
        }
        self.meetings = match &self.note {
            Some(note) => note.meetings.clone(),
            None => scheduled.meetings(),
        };
        self.entries = scheduled.entries(&self.meetings);
        Ok(())
    }

    /// Kind of the run.
    pub fn kind(&self) -> RunKind {
        self.kind
    }

    /// The journal.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Judge and engine that played the rounds.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// Description of the run, as its caller gave it.
    pub fn plan(&self) -> &Value {
        &self.plan
    }

    /// Note at the end of a match or tournament; none for an unfinished one.
    pub fn note(&self) -> Option<&PlayedNote> {
        self.note.as_ref()
    }

    /// The meetings of a match or tournament, in their order.
    pub fn meetings(&self) -> &[MeetingNote] {
        &self.meetings
    }

    /// Number of rounds.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Number of rounds in the journal that do not belong to the run: those beyond its end, or on
    /// testcases that the suite no longer has.
    pub fn uncounted(&self) -> usize {
        let lines = self.entries.iter().map(|entry| entry.line.number());
        let counted = lines.collect::<std::collections::BTreeSet<u64>>().len();
        self.journal.lines().len() - counted
    }

    /// The names of submissions that were refused because they exceeded their bounds, with the
    /// refusals. The rounds do not show this, because it depends on measured time.
    pub fn beyond_bounds(&self) -> Vec<(String, Refused)> {
        let facts = self.journal.facts();
        let mut refused: BTreeMap<_, _> = grade::late_refusals(&facts).into_iter().collect();
        let facts = Facts::new(self.journal.path().display().to_string(), facts);
        for name in SubmissionNote::names(&facts) {
            // The latest note counts: with other bounds the submission may have finished.
            if let Ok(Some(note)) = facts.get::<SubmissionNote>(name) {
                refused.remove(name);
                refused.extend(note.refused.map(|why| (name.to_owned(), why)));
            }
        }
        refused.into_iter().filter(|(_, refused)| refused.is_beyond_bounds()).collect()
    }

    /// True if it has no rounds.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All rounds in their order, read one by one.
    pub fn rounds(&self) -> impl Iterator<Item = Result<StoredRound, CollectionError>> {
        self.entries.iter().map(|entry| self.read(entry))
    }

    /// Reads the round of that number.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn round(&self, number: u64) -> Result<StoredRound, CollectionError> {
        match self.entries.binary_search_by_key(&number, |entry| entry.round) {
            Ok(at) => self.read(&self.entries[at]),
            Err(_) => Err(CollectionError::NoRound {
                path: self.journal.path().to_owned(),
                number,
                count: self.len(),
                last: self.entries.last().map_or(0, |entry| entry.round),
            }),
        }
    }

    fn read(&self, entry: &OrderEntry) -> Result<StoredRound, CollectionError> {
        let kept = self.journal.round(entry.line)?;
        let spec = order::renamed(kept.spec, self.names_in(entry));
        let spec = self.turned(entry, spec);
        let record = judge_referee::record(&spec, self.fingerprint.clone(), &kept.transcript)?;
        if record.digest() != kept.digest {
            return Err(CollectionError::OtherRules {
                path: self.journal.path().to_owned(),
                line: entry.line.number(),
                judge: self.fingerprint.judge.clone(),
            });
        }
        let place = RowPlace {
            round: entry.round,
            meeting: entry.meeting as u64 + 1,
            pair: entry.pair.map(|pair| pair + 1),
            opening: judge_referee::opening(&spec)?,
            counts: entry.counts,
        };
        let round = PairRound::new(entry.seat, record.clone());
        Ok(StoredRound { row: row(place, &spec, &round), record, round })
    }

    /// The names in seats 1 and 2, if a note or fact has better ones than the round.
    fn names_in(&self, entry: &OrderEntry) -> [Option<&str>; 2] {
        match &self.note {
            Some(note) => order::names(note, entry.meeting, entry.seat),
            None => [None; 2],
        }
    }

    /// In a course, replaces the bot's name by the first name under which its module was submitted.
    fn turned(&self, entry: &OrderEntry, spec: judge_core::RoundSpec) -> judge_core::RoundSpec {
        let name = self.names.find(spec.seat(entry.seat)).map(str::to_owned);
        let mut names = [None, None];
        names[entry.seat.index()] = name.as_deref();
        order::renamed(spec, names)
    }

    /// Seat of A in the round of that number, if there is one.
    pub fn seat(&self, number: u64) -> Option<Seat> {
        let at = self.entries.binary_search_by_key(&number, |entry| entry.round).ok()?;
        Some(self.entries[at].seat)
    }
}

fn kind(plan: &Value) -> Option<RunKind> {
    match plan["command"].as_str()? {
        "match" => Some(RunKind::Match),
        "tournament" => Some(RunKind::Tournament),
        "grade" | "course" => Some(RunKind::Grading),
        _ => None,
    }
}

fn unknown(path: &Path, plan: &Value) -> CollectionError {
    let what = plan["command"].as_str().unwrap_or("nothing").to_owned();
    CollectionError::Unknown { path: path.to_owned(), what }
}

#[cfg(test)]
mod tests;
