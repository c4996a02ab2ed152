//! A store of rounds that only collects a machine's results for a batch.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use judge_arena::{Account, RoundOutline, RoundStore, StoreError, round_key};
use judge_core::{Digest, RoundSpec, Transcript};
use serde_json::Value;

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

    fn name(&self) -> String {
        "the batch".to_owned()
    }

    fn rounds(&self) -> Result<usize, StoreError> {
        Ok(MemoryStore::rounds(self).len())
    }

    fn facts(&self) -> Result<Vec<(String, Value)>, StoreError> {
        Ok(Vec::new())
    }

    fn note(&self, _name: &str, _value: &Value) -> Result<(), StoreError> {
        Ok(())
    }

    fn processor_time(&self, _module: &Digest) -> Result<Option<Duration>, StoreError> {
        Ok(None)
    }

    fn charge(&self, _module: Digest, _account: &Arc<Account>) {}

    fn sync(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn contradicted(&self, what: String) -> StoreError {
        StoreError::Other { store: self.name(), source: what.into() }
    }
}
