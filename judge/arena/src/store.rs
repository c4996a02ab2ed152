//! The interfaces to the storage of a run: its rounds, its facts and the cost of its modules, in a
//! journal or a database.

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

/// The rounds of one run. A round counts only after it is stored, and a stored round is not played
/// again. All workers call it at once.
pub trait RoundStore: Debug + Send + Sync {
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

    /// The error for a stored round from which the rules make another one.
    fn contradicted(&self, what: String) -> StoreError;
}

/// The facts of one run. [`Fact`](crate::Fact) gives them types.
pub trait FactStore: Debug + Send + Sync {
    /// Name in messages: a journal's path.
    fn name(&self) -> String;

    /// The facts, ordered by name.
    ///
    /// # Errors
    /// When they cannot be read.
    fn facts(&self) -> Result<Vec<(String, Value)>, StoreError>;

    /// Stores a fact, replacing the one of that name.
    ///
    /// # Errors
    /// When it cannot be stored.
    fn note(&self, name: &str, value: &Value) -> Result<(), StoreError>;
}

/// The processor time of the modules in one run.
pub trait CostStore: Debug + Send + Sync {
    /// Processor time that the module's rounds in the suite took; none if it has none here.
    ///
    /// # Errors
    /// When it cannot be read.
    fn processor_time(
        &self,
        module: &Digest,
        suite: &Suite,
    ) -> Result<Option<Duration>, StoreError>;

    /// Makes later rounds of that module include the time added to the account since the previous
    /// one.
    fn charge(&self, module: Digest, account: &Arc<Account>);
}

impl RoundStore for Journal {
    fn find(&self, spec: &RoundSpec) -> Result<Option<(Transcript, Digest)>, StoreError> {
        Ok(Journal::find(self, spec)?)
    }

    fn add(
        &self,
        spec: &RoundSpec,
        outline: &RoundOutline,
        transcript: &Transcript,
    ) -> Result<(), StoreError> {
        Ok(Journal::add(self, spec, outline, transcript)?)
    }

    fn contradicted(&self, what: String) -> StoreError {
        JournalError::Other { path: self.path().to_owned(), what }.into()
    }
}

impl FactStore for Journal {
    fn name(&self) -> String {
        self.path().display().to_string()
    }

    fn facts(&self) -> Result<Vec<(String, Value)>, StoreError> {
        Ok(Journal::facts(self))
    }

    fn note(&self, name: &str, value: &Value) -> Result<(), StoreError> {
        Ok(Journal::note(self, name, value)?)
    }
}

impl CostStore for Journal {
    fn processor_time(
        &self,
        module: &Digest,
        suite: &Suite,
    ) -> Result<Option<Duration>, StoreError> {
        Ok(Journal::processor_time_on(self, module, suite))
    }

    fn charge(&self, module: Digest, account: &Arc<Account>) {
        Journal::charge(self, module, account);
    }
}
