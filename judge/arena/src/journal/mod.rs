//! The journal of a run. Each round is appended before it counts, so that an interrupted run
//! resumes without loss (`judge/docs/decisions/0007-the-journal.md`).

mod agreement;
mod copy;
mod costs;
mod index;
mod kept;
mod line;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use judge_core::{Digest, Fingerprint, RoundSpec, Transcript};
use judge_grading::Suite;
use judge_referee::RoundOutline;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::bounds::Account;
use crate::failpoint;
pub use agreement::Agreed;
pub use copy::{round_key, round_modules, transcript_from_json, transcript_to_json};
use index::{Index, RoundOffset};
pub use kept::{JournalLine, JournalRound, KeptRound};
use line::{JournalEntry, JournalRecord};

/// Version of the format.
const VERSION: u32 = 3;

/// Name of the fact that replaces the plan in the first line.
pub(crate) const PLAN: &str = "plan";

/// Interval at which lines are synced to disk. A killed process loses nothing; a machine that loses
/// power loses these rounds, which are played again.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Errors of journals.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be created.
    #[error("cannot create the journal `{}`: {source}", path.display())]
    Create {
        /// The journal.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file cannot be read.
    #[error("cannot read the journal `{}`: {source}", path.display())]
    Read {
        /// The journal.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A line cannot be appended, so its round cannot count.
    #[error("cannot write to the journal `{}`: {source}", path.display())]
    Write {
        /// The journal.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Another judge is using it.
    #[error("the journal `{}` is in use by another judge", path.display())]
    Busy {
        /// The journal.
        path: PathBuf,
    },
    /// The journal of another run: another judge, suite or list of players.
    #[error("the journal `{}` belongs to another run: {what}", path.display())]
    Other {
        /// The journal.
        path: PathBuf,
        /// Difference.
        what: String,
    },
    /// An unsupported format version.
    #[error(
        "the journal `{}` is of version `{found}`; this judge reads `{VERSION}`",
        path.display()
    )]
    Version {
        /// The journal.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Two journals of one run contradict each other.
    #[error(
        "the journals `{}` and `{}` contradict each other about {what}",
        first.display(),
        second.display()
    )]
    Contradiction {
        /// One journal.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// The subject on which they differ.
        what: String,
    },
    /// A changed line, or a file that is not a journal.
    #[error("the journal `{}` is damaged in line {line}: {what}", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The first line that does not fit, counted from 1.
        line: u64,
        /// Description of the damage.
        what: String,
    },
}

/// A journal, locked by this process.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// Bytes of an incomplete last line that were cut off.
    cut: u64,
    state: Mutex<JournalState>,
}

#[derive(Debug)]
struct JournalState {
    file: File,
    index: Index,
    synced: Instant,
    /// Accounts of the submissions that are graded, by the module.
    accounts: BTreeMap<Digest, Weak<Account>>,
}

impl Journal {
    /// Creates a journal in a new file.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(
        path: &Path,
        fingerprint: Fingerprint,
        plan: Value,
    ) -> Result<Journal, JournalError> {
        let failed = |source| JournalError::Create { path: path.to_owned(), source };
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        // It may contain the key and the seeds of hidden testcases.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(failed)?;
        lock(path, &file)?;
        let journal = Journal::new(path, file, Index::new(), 0);
        journal.append(JournalEntry::Journal { version: VERSION, fingerprint, plan })?;
        journal.sync()?;
        failpoint::reach("journal-created");
        Ok(journal)
    }

    /// Resumes a journal. An incomplete last line is cut off.
    ///
    /// # Errors
    /// When it belongs to another run, in use, damaged, or cannot be read.
    pub fn resume(
        path: &Path,
        fingerprint: &Fingerprint,
        plan: &Value,
    ) -> Result<Journal, JournalError> {
        Journal::resume_changed(path, fingerprint, plan, &|_| false)
    }

    /// Resumes a journal whose plan may have changed. If `may` allows it for the journal's plan,
    /// the new one is stored and used from then on.
    ///
    /// # Errors
    /// As [`Journal::resume`].
    pub fn resume_changed(
        path: &Path,
        fingerprint: &Fingerprint,
        plan: &Value,
        may: &dyn Fn(&Value) -> bool,
    ) -> Result<Journal, JournalError> {
        let journal = Journal::open(path)?;
        let other = |what: String| JournalError::Other { path: path.to_owned(), what };
        let Some((own, planned)) = journal.header() else {
            // It was killed before the first line was complete.
            journal.cut_unfinished()?;
            let (fingerprint, plan) = (fingerprint.clone(), plan.clone());
            journal.append(JournalEntry::Journal { version: VERSION, fingerprint, plan })?;
            return Ok(journal);
        };
        if own != *fingerprint {
            let of = |one: &Fingerprint| format!("judge `{}`, engine `{}`", one.judge, one.engine);
            return Err(other(format!(
                "it was begun with {}; this is {}",
                of(&own),
                of(fingerprint)
            )));
        }
        match judge_grading::first_difference(&planned, plan) {
            None => {
                journal.cut_unfinished()?;
                Ok(journal)
            }
            Some(_) if may(&planned) => {
                journal.cut_unfinished()?;
                journal.note(PLAN, plan)?;
                Ok(journal)
            }
            Some(difference) => {
                let [there, here] = difference.sides.map(|side| side.unwrap_or("missing".into()));
                let path = difference.path;
                Err(other(format!("`{path}` is {there} in the journal and {here} in this run")))
            }
        }
    }

    /// Opens a journal of any run for reading. An incomplete last line stays in the file.
    ///
    /// # Errors
    /// When it is in use, damaged, or cannot be read.
    pub fn open(path: &Path) -> Result<Journal, JournalError> {
        let failed = |source| JournalError::Read { path: path.to_owned(), source };
        // Reading a pipe would block, and reading a device might never end.
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "it is not a file");
            return Err(failed(error));
        }
        let mut file = File::options().read(true).write(true).open(path).map_err(failed)?;
        lock(path, &file)?;
        let index = Index::read(path, &mut file)?;
        let length = file.metadata().map_err(failed)?.len();
        let cut = length.saturating_sub(index.end);
        Ok(Journal::new(path, file, index, cut))
    }

    /// Cuts off an incomplete last line, after the file is known to be a journal of this run.
    fn cut_unfinished(&self) -> Result<(), JournalError> {
        let state = self.state();
        state.file.set_len(state.index.end).map_err(|source| self.unwritten(source))
    }

    fn new(path: &Path, file: File, index: Index, cut: u64) -> Journal {
        let accounts = BTreeMap::new();
        let state = Mutex::new(JournalState { file, index, synced: Instant::now(), accounts });
        Journal { path: path.to_owned(), cut, state }
    }

    /// The journal's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the incomplete last line at opening.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Number of its rounds.
    pub fn rounds(&self) -> usize {
        self.state().index.rounds.len()
    }

    /// Fingerprint and current plan of the run; none if the journal was killed before its first
    /// line was complete.
    pub fn header(&self) -> Option<(Fingerprint, Value)> {
        self.state().index.header.clone()
    }

    /// Facts of the run, ordered by name.
    pub fn facts(&self) -> Vec<(String, Value)> {
        self.state().index.facts.clone().into_iter().collect()
    }

    /// Stores a fact of the run, unless the same one is already stored.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&self, name: &str, value: &Value) -> Result<(), JournalError> {
        if self.state().index.facts.get(name) == Some(value) {
            return Ok(());
        }
        self.append(JournalEntry::Fact { name: name.to_owned(), value: value.clone() })
    }

    /// Processor time that the rounds of a module took; none if it has none here.
    pub fn processor_time(&self, module: &Digest) -> Option<Duration> {
        self.state().index.costs.all(module)
    }

    /// Processor time of those rounds that belong to the suite.
    pub(crate) fn processor_time_on(&self, module: &Digest, suite: &Suite) -> Option<Duration> {
        self.state().index.costs.on(module, suite)
    }

    /// Makes later lines of that module's rounds include the account's time.
    pub(crate) fn charge(&self, module: Digest, account: &Arc<Account>) {
        self.state().accounts.insert(module, Arc::downgrade(account));
    }

    /// Transcript and record digest of a round that was already played.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn find(&self, spec: &RoundSpec) -> Result<Option<(Transcript, Digest)>, JournalError> {
        let Some(line) = self.line_of(spec) else { return Ok(None) };
        let JournalRound { transcript, outline, .. } = self.round(line)?;
        Ok(Some((transcript, outline.digest)))
    }

    /// The outline of a round that was already played, as its line claims. The links of the lines
    /// reveal damage, but not a forger who computes them again. It is therefore believed where the
    /// journal's owner continues or reads a run; `judge verify` and [`check_rounds`] make the round
    /// again by the rules.
    ///
    /// # Errors
    /// When it cannot be read.
    ///
    /// [`check_rounds`]: crate::check_rounds
    pub fn outline(&self, spec: &RoundSpec) -> Result<Option<RoundOutline>, JournalError> {
        let line = self.line_of(spec);
        line.map(|line| Ok(self.outlined(line)?.1)).transpose()
    }

    fn line_of(&self, spec: &RoundSpec) -> Option<JournalLine> {
        self.state().index.rounds.get(&round_key(spec)).copied().map(JournalLine)
    }

    /// Reads the entry at this position.
    fn entry<T: DeserializeOwned>(
        &self,
        place: RoundOffset,
    ) -> Result<JournalEntry<T>, JournalError> {
        let failed = |source| JournalError::Read { path: self.path.clone(), source };
        let mut line = vec![0; place.length];
        let mut state = self.state();
        state.file.seek(SeekFrom::Start(place.offset)).map_err(failed)?;
        state.file.read_exact(&mut line).map_err(failed)?;
        drop(state);
        let line = std::str::from_utf8(&line).map_err(|error| error.to_string());
        let decoded =
            line.and_then(|line| line::decode(line.trim_end_matches('\n'), place.previous));
        decoded.map(|(entry, _)| entry).map_err(|what| self.damaged(Some(place), what))
    }

    fn damaged(&self, place: Option<RoundOffset>, what: String) -> JournalError {
        let line = place.map_or(0, |place| place.number);
        JournalError::Damaged { path: self.path.clone(), line, what }
    }

    /// Appends a round, unless it is already present.
    ///
    /// # Errors
    /// When it cannot be written. The round must not count then.
    pub fn add(
        &self,
        spec: &RoundSpec,
        outline: &RoundOutline,
        transcript: &Transcript,
    ) -> Result<(), JournalError> {
        failpoint::reach("round-played");
        // Check and write under one lock: two workers may have played the same round.
        let mut state = self.state();
        if !state.index.rounds.contains_key(&round_key(spec)) {
            let told = Box::new(JournalRecord::new(transcript));
            let processor_ms = state.processor_ms(spec);
            let (spec, outline) = (Box::new(spec.clone()), Box::new(outline.clone()));
            self.append_to(&mut state, JournalEntry::Round { spec, outline, told, processor_ms })?;
        }
        drop(state);
        failpoint::reach("round-journalled");
        Ok(())
    }

    /// Copies the facts and missing rounds of other journals. Nothing is checked here: see
    /// [`check_rounds`](crate::check_rounds).
    ///
    /// # Errors
    /// When one cannot be read, or this one cannot be written.
    pub fn take_over(&self, others: &Agreed<'_>) -> Result<(), JournalError> {
        for other in others.journals {
            for (name, value) in others.facts(other) {
                self.note(&name, &value)?;
            }
            let places = other.state().index.rounds.clone();
            for (key, place) in places {
                if !self.state().index.rounds.contains_key(&key) {
                    self.append(other.entry(place)?)?;
                }
            }
        }
        self.sync()
    }

    /// Syncs everything to disk.
    ///
    /// # Errors
    /// When the system fails to do so.
    pub fn sync(&self) -> Result<(), JournalError> {
        let mut state = self.state();
        state.synced = Instant::now();
        state.file.sync_data().map_err(|source| self.unwritten(source))
    }

    fn append(&self, entry: JournalEntry) -> Result<(), JournalError> {
        self.append_to(&mut self.state(), entry)
    }

    fn append_to(&self, state: &mut JournalState, entry: JournalEntry) -> Result<(), JournalError> {
        let (line, link) = line::encode(&entry, state.index.link);
        if let Err(source) = write(state, &line) {
            let end = state.index.end;
            // If this fails too, the next run finds an incomplete line and cuts it.
            let _ = state.file.set_len(end);
            return Err(self.unwritten(source));
        }
        let key = entry.key();
        state.index.take(entry, key, line.len(), link);
        if state.synced.elapsed() >= SYNC_EVERY {
            state.synced = Instant::now();
            state.file.sync_data().map_err(|source| self.unwritten(source))?;
        }
        Ok(())
    }

    fn unwritten(&self, source: io::Error) -> JournalError {
        JournalError::Write { path: self.path.clone(), source }
    }

    /// Even if a thread panicked with the lock, the journal ends with a complete line.
    fn state(&self) -> MutexGuard<'_, JournalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JournalState {
    /// Processor time of a submission since its last line, for the line of a round.
    fn processor_ms(&self, spec: &RoundSpec) -> Option<u64> {
        let account = round_modules(spec).find_map(|module| self.accounts.get(&module)?.upgrade());
        account.map(|account| account.unwritten_ms())
    }
}

/// Writes a line in two steps, so that a test can interrupt it.
fn write(state: &mut JournalState, line: &[u8]) -> io::Result<()> {
    let (begin, rest) = line.split_at(line.len() / 2);
    state.file.seek(SeekFrom::Start(state.index.end))?;
    state.file.write_all(begin)?;
    failpoint::reach("line-half-written");
    state.file.write_all(rest)
}

fn lock(path: &Path, file: &File) -> Result<(), JournalError> {
    match crate::lock(file) {
        true => Ok(()),
        false => Err(JournalError::Busy { path: path.to_owned() }),
    }
}

#[cfg(test)]
mod tests;
