//! The interface to the storage of rounds: a journal or a database.

use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use judge_core::{Digest, RoundSpec, Transcript};
use judge_grading::Suite;
use judge_referee::RoundOutline;
use serde_json::Value;

use crate::bounds::Account;
use crate::journal::{Journal, JournalError};

/// Errors of a store of rounds.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The journal of a run cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Another store cannot be used.
    #[error("`{store}` cannot be used: {source}")]
    Other {
        /// Name of the store.
        store: String,
        /// The store's own error.
        source: Box<dyn Error + Send + Sync>,
    },
}

/// The rounds and facts of one run. A round counts only after it is stored, and a stored round is
/// not played again. All workers call it at once.
pub trait RoundStore: Debug + Send + Sync {
    /// Outline of a round that was already played; none if it was not, or if the store keeps only
    /// transcripts, from which the rules make the round again.
    ///
    /// # Errors
    /// When it cannot be read.
    fn outline(&self, _spec: &RoundSpec) -> Result<Option<RoundOutline>, StoreError> {
        Ok(None)
    }

    /// Transcript and record digest of a round that was already played.
    ///
    /// # Errors
    /// When it cannot be read.
    fn find(&self, spec: &RoundSpec) -> Result<Option<(Transcript, Digest)>, StoreError>;

    /// Adds a round with the outline of its record, unless it is already present.
    ///
    /// # Errors
    /// When it cannot be stored. The round must not count then.
    fn add(
        &self,
        spec: &RoundSpec,
        outline: &RoundOutline,
        transcript: &Transcript,
    ) -> Result<(), StoreError>;

    /// Name in messages: a journal's path.
    fn name(&self) -> String;

    /// Number of its rounds.
    ///
    /// # Errors
    /// When it cannot be read.
    fn rounds(&self) -> Result<usize, StoreError>;

    /// The facts of the run, ordered by name. [`Fact`](crate::Fact) gives them types.
    ///
    /// # Errors
    /// When it cannot be read.
    fn facts(&self) -> Result<Vec<(String, Value)>, StoreError>;

    /// Stores a fact of the run, replacing the one of that name.
    ///
    /// # Errors
    /// When it cannot be stored.
    fn note(&self, name: &str, value: &Value) -> Result<(), StoreError>;

    /// Processor time that the rounds of a module took; none if it has none here.
    ///
    /// # Errors
    /// When it cannot be read.
    fn processor_time(&self, module: &Digest) -> Result<Option<Duration>, StoreError>;

    /// Processor time of the rounds that belong to the suite. A store of rounds on one suite that
    /// never changes may ignore the difference.
    ///
    /// # Errors
    /// When it cannot be read.
    fn processor_time_on(
        &self,
        module: &Digest,
        _suite: &Suite,
    ) -> Result<Option<Duration>, StoreError> {
        self.processor_time(module)
    }

    /// Makes later rounds of that module include the time added to the account since the previous
    /// one.
    fn charge(&self, module: Digest, account: &Arc<Account>);

    /// Makes everything survive a loss of power.
    ///
    /// # Errors
    /// When the system fails to do so.
    fn sync(&self) -> Result<(), StoreError>;

    /// The error for a stored round from which the rules make another one.
    fn contradicted(&self, what: String) -> StoreError;
}

impl RoundStore for Journal {
    fn find(&self, spec: &RoundSpec) -> Result<Option<(Transcript, Digest)>, StoreError> {
        Ok(Journal::find(self, spec)?)
    }

    fn outline(&self, spec: &RoundSpec) -> Result<Option<RoundOutline>, StoreError> {
        Ok(Journal::outline(self, spec)?)
    }

    fn add(
        &self,
        spec: &RoundSpec,
        outline: &RoundOutline,
        transcript: &Transcript,
    ) -> Result<(), StoreError> {
        Ok(Journal::add(self, spec, outline, transcript)?)
    }

    fn name(&self) -> String {
        self.path().display().to_string()
    }

    fn rounds(&self) -> Result<usize, StoreError> {
        Ok(Journal::rounds(self))
    }

    fn facts(&self) -> Result<Vec<(String, Value)>, StoreError> {
        Ok(Journal::facts(self))
    }

    fn note(&self, name: &str, value: &Value) -> Result<(), StoreError> {
        Ok(Journal::note(self, name, value)?)
    }

    fn processor_time(&self, module: &Digest) -> Result<Option<Duration>, StoreError> {
        Ok(Journal::processor_time(self, module))
    }

    fn processor_time_on(
        &self,
        module: &Digest,
        suite: &Suite,
    ) -> Result<Option<Duration>, StoreError> {
        Ok(Journal::processor_time_on(self, module, suite))
    }

    fn charge(&self, module: Digest, account: &Arc<Account>) {
        Journal::charge(self, module, account);
    }

    fn sync(&self) -> Result<(), StoreError> {
        Ok(Journal::sync(self)?)
    }

    fn contradicted(&self, what: String) -> StoreError {
        JournalError::Other { path: self.path().to_owned(), what }.into()
    }
}
