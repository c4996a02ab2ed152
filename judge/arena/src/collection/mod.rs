//! The rounds of a finished or interrupted run, read from its journal. Each has its number, row and
//! record, in an order that does not depend on the number of workers (`judge/docs/rounds.md`).

mod note;
mod order;
mod retrace;
mod row;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge_core::{Fingerprint, Refused, RoundRecord, RoundRow, RoundSpec, Seat};
use judge_grading::Suite;
use judge_referee::{RoundOutline, SetupError};
use rayon::prelude::*;
use serde_json::Value;

use crate::facts::Facts;
use crate::grade;
use crate::journal::{Journal, JournalError};
use crate::pairs::PairRound;
use crate::submission_note::SubmissionNote;
use crate::suite_note::SuiteNote;
pub use note::{MeetingNote, PlayedNote, identity};
use order::{GradedRound, OrderEntry, Scheduled, SubmissionNames};
use retrace::CheckedRound;
pub use retrace::check_rounds;
pub use row::{RowPlace, round, row};

/// Number of records in memory while all rounds are made again.
const AT_ONCE: usize = 1024;

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
        "the journal `{}`, line {line}: replayed by this judge, it differs from the recorded \
         round (written by judge `{judge}`)",
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
    /// A line claims a result, length or cost that its round does not have.
    #[error(
        "the journal `{}`, line {line}: its `{field}` does not follow from its moves",
        path.display()
    )]
    FalseOutline {
        /// The journal.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The first part of the outline that differs.
        field: String,
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

/// A round of a collection, made again by the rules.
#[derive(Debug, Clone)]
pub struct StoredRound {
    /// Its row.
    pub row: RoundRow,
    /// Its full record.
    pub record: RoundRecord,
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
            let (spec, _) = self.journal.outlined(line)?;
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
            let taken = scheduled.take(line, &self.journal.outlined(line)?.0);
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

    /// The rows of all rounds in their order, read one by one. Their results are those that the
    /// lines claim.
    pub fn rows(&self) -> impl Iterator<Item = Result<RoundRow, CollectionError>> {
        self.entries.iter().map(|entry| {
            let (spec, outline) = self.journal.outlined(entry.line)?;
            self.row(entry, &self.named(entry, spec), &outline)
        })
    }

    /// Makes the round of that number again.
    ///
    /// # Errors
    /// When there is none, it cannot be read, or its line claims another one.
    pub fn round(&self, number: u64) -> Result<StoredRound, CollectionError> {
        match self.entries.binary_search_by_key(&number, |entry| entry.round) {
            Ok(at) => self.retraced(&self.entries[at]),
            Err(_) => Err(CollectionError::NoRound {
                path: self.journal.path().to_owned(),
                number,
                count: self.len(),
                last: self.entries.last().map_or(0, |entry| entry.round),
            }),
        }
    }

    /// Makes all rounds again on all processors, and passes each with the result of `check` to
    /// `listen`, in their order. A round that cannot be read, or whose line claims another one, is
    /// passed as an error.
    ///
    /// # Errors
    /// When `listen` fails.
    pub fn check_each<C: Send, E>(
        &self,
        check: impl Fn(&RoundRecord) -> C + Sync,
        listen: &mut dyn FnMut(Result<(StoredRound, C), CollectionError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let make = |entry: &OrderEntry| {
            let round = self.retraced(entry)?;
            let checked = check(&round.record);
            Ok((round, checked))
        };
        for entries in self.entries.chunks(AT_ONCE) {
            let made: Vec<_> = entries.par_iter().map(make).collect();
            made.into_iter().try_for_each(&mut *listen)?;
        }
        Ok(())
    }

    fn retraced(&self, entry: &OrderEntry) -> Result<StoredRound, CollectionError> {
        let CheckedRound { mut record, outline } = retrace::retrace(&self.journal, entry.line)?;
        record.header.spec = self.named(entry, record.header.spec);
        let row = self.row(entry, &record.header.spec, &outline)?;
        Ok(StoredRound { row, record })
    }

    /// The spec with the names that its run has for the players.
    fn named(&self, entry: &OrderEntry, spec: RoundSpec) -> RoundSpec {
        self.turned(entry, order::renamed(spec, self.names_in(entry)))
    }

    fn row(
        &self,
        entry: &OrderEntry,
        spec: &RoundSpec,
        outline: &RoundOutline,
    ) -> Result<RoundRow, CollectionError> {
        let place = RowPlace {
            round: entry.round,
            meeting: entry.meeting as u64 + 1,
            pair: entry.pair.map(|pair| pair + 1),
            opening: judge_referee::opening(spec)?,
            counts: entry.counts,
        };
        Ok(row(place, spec, &PairRound::new(entry.seat, outline)))
    }

    /// The names in seats 1 and 2, if a note or fact has better ones than the round.
    fn names_in(&self, entry: &OrderEntry) -> [Option<&str>; 2] {
        match &self.note {
            Some(note) => order::names(note, entry.meeting, entry.seat),
            None => [None; 2],
        }
    }

    /// In a course, replaces the bot's name by the first name under which its module was submitted.
    fn turned(&self, entry: &OrderEntry, spec: RoundSpec) -> RoundSpec {
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
