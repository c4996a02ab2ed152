//! Storage for rounds before they count: the interface to a journal or a database.

use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use judge_core::{Digest, RoundRecord, RoundSpec, Transcript};
use judge_grading::Suite;
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
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
}

/// The rounds of one run, and its facts. Nothing counts before it is in the store; a stored round
/// is not played again. Called from all workers at once.
pub trait RoundStore: Debug + Send + Sync {
    /// Transcript of a round that was already played, and the digest of its record.
    ///
    /// # Errors
    /// When it cannot be read.
    fn find(&self, spec: &RoundSpec) -> Result<Option<(Transcript, Digest)>, StoreError>;

    /// Adds a round. An existing one is not added again.
    ///
    /// # Errors
    /// When it cannot be kept: then it must not count.
    fn add(&self, record: &RoundRecord, transcript: &Transcript) -> Result<(), StoreError>;

    /// Name in messages: a journal's path.
    fn name(&self) -> String;

    /// Number of its rounds.
    ///
    /// # Errors
    /// When it cannot be read.
    fn rounds(&self) -> Result<usize, StoreError>;

    /// The facts of the run, by name, in the order of the names. [`Fact`](crate::Fact) gives them
    /// types.
    ///
    /// # Errors
    /// When it cannot be read.
    fn facts(&self) -> Result<Vec<(String, Value)>, StoreError>;

    /// Stores a fact of the run, and replaces the one of that name.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn note(&self, name: &str, value: &Value) -> Result<(), StoreError>;

    /// Processor time that the rounds of a module took; none if it has none here.
    ///
    /// # Errors
    /// When it cannot be read.
    fn processor_time(&self, module: &Digest) -> Result<Option<Duration>, StoreError>;

    /// The same for the rounds of a suite: rounds that a changed suite no longer has do not count.
    /// A store of rounds on one suite that never changes may ignore the difference.
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

    /// Rounds of that module are stored with the time added to the account since the last one, from
    /// now on.
    fn charge(&self, module: Digest, account: &Arc<Account>);

    /// Makes sure that everything outlives a machine without power.
    ///
    /// # Errors
    /// When the system cannot.
    fn sync(&self) -> Result<(), StoreError>;

    /// The error for a round that the rules make another one of than the one that is kept.
    fn contradicted(&self, what: String) -> StoreError;
}

impl RoundStore for Journal {
    fn find(&self, spec: &RoundSpec) -> Result<Option<(Transcript, Digest)>, StoreError> {
        Ok(Journal::find(self, spec)?)
    }

    fn add(&self, record: &RoundRecord, transcript: &Transcript) -> Result<(), StoreError> {
        Ok(Journal::add(self, record, transcript)?)
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
