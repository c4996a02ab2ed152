//! A store of rounds that only collects a machine's results for a batch.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use judge_arena::{RoundOutline, RoundStore, StoreError, round_key};
use judge_core::{Digest, RoundSpec, Transcript};

/// Rounds in memory.
#[derive(Debug, Default)]
pub(crate) struct MemoryStore(Mutex<BTreeMap<Digest, (Transcript, Digest)>>);

impl MemoryStore {
    fn rounds(&self) -> MutexGuard<'_, BTreeMap<Digest, (Transcript, Digest)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The players' part of a round, if it was played.
    pub(crate) fn transcript(&self, spec: &RoundSpec) -> Option<Transcript> {
        self.rounds().get(&round_key(spec)).map(|(transcript, _)| transcript.clone())
    }
}

impl RoundStore for MemoryStore {
    fn find(&self, spec: &RoundSpec) -> Result<Option<(Transcript, Digest)>, StoreError> {
        Ok(self.rounds().get(&round_key(spec)).cloned())
    }

    fn add(
        &self,
        spec: &RoundSpec,
        outline: &RoundOutline,
        transcript: &Transcript,
    ) -> Result<(), StoreError> {
        self.rounds().insert(round_key(spec), (transcript.clone(), outline.digest));
        Ok(())
    }

    fn contradicted(&self, what: String) -> StoreError {
        StoreError::Other { store: "the batch".to_owned(), source: what.into() }
    }
}
