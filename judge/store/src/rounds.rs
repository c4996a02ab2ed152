//! Rounds of a run in the database. A stored round is not played again.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use judge_arena::{
    Account, CostStore, FactStore, KeptRound, RoundOutline, RoundStore, StoreError, round_key,
    round_modules, transcript_from_json, transcript_to_json,
};
use judge_core::{Digest, FUEL_PER_MS, Fingerprint, RoundSpec, Transcript};
use judge_grading::Suite;
use serde_json::Value;
use sqlx::any::AnyRow;
use tokio::runtime::Handle;

use crate::basics::error::Error;
use crate::basics::id::{self, SuiteId};
use crate::basics::time::Timestamp;
use crate::row::{Columns as _, UnknownWord, unreadable};
use crate::store::Store;
use crate::submissions::digest_in;

/// The key of a run. All submissions of a module to a generation of a suite share its rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunKey {
    /// The suite.
    pub suite: SuiteId,
    /// Its generation.
    pub generation: i64,
    /// SHA-256 of the module.
    pub module: Digest,
}

/// The rounds of one run by one version of the judge. Its methods block on the database, so they
/// must be called outside the runtime's threads, for example in a worker's thread or in
/// `spawn_blocking`.
#[derive(Debug)]
pub struct DatabaseRounds {
    store: Store,
    run: String,
    name: String,
    runtime: Handle,
    /// Accounts of the submissions under way, by module. Locked while a round is added, because two
    /// workers may have played the same round.
    accounts: Mutex<BTreeMap<Digest, Arc<Account>>>,
    /// Rounds added so far.
    added: AtomicU64,
}

const BEGIN: &str = "INSERT INTO run (id, suite, generation, module, fingerprint, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (suite, generation, module, fingerprint) \
    DO NOTHING";
const RUN: &str = "SELECT id FROM run \
    WHERE suite = $1 AND generation = $2 AND module = $3 AND fingerprint = $4";
const FIND: &str = "SELECT transcript, digest FROM round WHERE run = $1 AND spec_key = $2";
const ADD: &str = "INSERT INTO round (run, number, spec_key, spec, transcript, digest) \
    VALUES ($1, (SELECT COALESCE(MAX(number), 0) + 1 FROM round WHERE run = $1), \
    $2, $3, $4, $5) ON CONFLICT (run, spec_key) DO NOTHING";
const ADD_COST: &str =
    "INSERT INTO round_cost (run, spec_key, module, processor_ms) VALUES ($1, $2, $3, $4)";
const COUNT: &str = "SELECT COUNT(*) AS many FROM round WHERE run = $1";
const COST: &str = "SELECT CAST(SUM(processor_ms) AS BIGINT) AS cost FROM round_cost \
    WHERE run = $1 AND module = $2";
const FACTS: &str = "SELECT name, value FROM fact WHERE run = $1";
const NOTE: &str = "INSERT INTO fact (run, name, value) VALUES ($1, $2, $3) \
    ON CONFLICT (run, name) DO UPDATE SET value = excluded.value";
const ALL: &str = "SELECT o.spec, o.transcript, o.digest, \
    (SELECT CAST(SUM(c.processor_ms) AS BIGINT) FROM round_cost c \
    WHERE c.run = o.run AND c.spec_key = o.spec_key) AS cost \
    FROM round o WHERE o.run = $1 AND o.number > $2 ORDER BY o.number LIMIT 100";

impl Store {
    /// The rounds of a run, for [`judge_arena::Run`]. Must be awaited on the runtime that uses the
    /// database.
    ///
    /// # Errors
    /// When the suite does not exist, or the database fails.
    pub async fn rounds(
        &self,
        key: &RunKey,
        fingerprint: &Fingerprint,
        now: Timestamp,
    ) -> Result<DatabaseRounds, Error> {
        let fingerprint = serde_json::to_string(fingerprint).expect("a fingerprint is valid JSON");
        let query = sqlx::query(BEGIN).bind(id::random(10)?).bind(key.suite.as_str());
        let query = query.bind(key.generation).bind(key.module.to_string()).bind(&fingerprint);
        query.bind(now.millis()).execute(&self.pool).await?;
        let query = sqlx::query(RUN).bind(key.suite.as_str()).bind(key.generation);
        let query = query.bind(key.module.to_string()).bind(&fingerprint);
        let run = query.fetch_one(&self.pool).await?.text("id")?;
        Ok(DatabaseRounds {
            store: self.clone(),
            run,
            name: format!("the database's run of `{}`", key.module.short()),
            runtime: Handle::current(),
            accounts: Mutex::default(),
            added: AtomicU64::new(0),
        })
    }
}

impl DatabaseRounds {
    async fn find(&self, spec: &RoundSpec) -> Result<Option<(Transcript, Digest)>, Error> {
        let query = sqlx::query(FIND).bind(&self.run).bind(round_key(spec).to_string());
        let row = query.fetch_optional(&self.store.pool).await?;
        Ok(row.as_ref().map(played).transpose()?)
    }

    /// Adds a round with its processor time. `cost` is called only if the round is new.
    pub(crate) async fn add(
        &self,
        spec: &RoundSpec,
        transcript: &Transcript,
        digest: Digest,
        cost: &mut (dyn FnMut() -> u64 + Send),
    ) -> Result<(), Error> {
        let key = round_key(spec).to_string();
        let spec_json = serde_json::to_string(spec).expect("specs hold nothing that JSON cannot");
        let mut transaction = self.store.begin().await?;
        let query = sqlx::query(ADD).bind(&self.run).bind(&key).bind(spec_json);
        let query = query.bind(transcript_to_json(transcript)).bind(digest.to_string());
        if query.execute(&mut *transaction).await?.rows_affected() == 0 {
            return Ok(());
        }
        let cost = i64::try_from(cost()).unwrap_or(i64::MAX);
        for module in round_modules(spec) {
            let query = sqlx::query(ADD_COST).bind(&self.run).bind(&key);
            query.bind(module.to_string()).bind(cost).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        self.added.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Number of rounds added, without those found in the database.
    pub fn added(&self) -> u64 {
        self.added.load(Ordering::Relaxed)
    }

    /// Processor time spent on these rounds by this grading, start-up and compiling included.
    pub fn spent(&self) -> Duration {
        self.accounts().values().map(|account| account.spent()).sum()
    }

    /// Number of its rounds.
    ///
    /// # Errors
    /// When the database fails.
    pub fn rounds(&self) -> Result<usize, StoreError> {
        let count = async {
            let row = sqlx::query(COUNT).bind(&self.run).fetch_one(&self.store.pool).await?;
            Ok(usize::try_from(row.number("many")?).unwrap_or_default())
        };
        self.runtime.block_on(count).map_err(|error: Error| self.failed(error))
    }

    /// Processor time that the rounds of a module took; none if it has none here.
    ///
    /// # Errors
    /// When the database fails.
    pub fn processor_time(&self, module: &Digest) -> Result<Option<Duration>, StoreError> {
        let cost = async {
            let query = sqlx::query(COST).bind(&self.run).bind(module.to_string());
            let cost = query.fetch_one(&self.store.pool).await?.maybe_number("cost")?;
            Ok(cost.and_then(|cost| u64::try_from(cost).ok()).map(Duration::from_millis))
        };
        self.runtime.block_on(cost).map_err(|error: Error| self.failed(error))
    }

    pub(crate) async fn facts(&self) -> Result<Vec<(String, Value)>, Error> {
        let rows = sqlx::query(FACTS).bind(&self.run).fetch_all(&self.store.pool).await?;
        let fact = |row: &AnyRow| {
            let value = serde_json::from_str(&row.text("value")?);
            Ok((row.text("name")?, value.map_err(|error| unreadable("value", error))?))
        };
        let facts = rows.iter().map(fact).collect::<Result<BTreeMap<_, _>, sqlx::Error>>()?;
        Ok(facts.into_iter().collect())
    }

    /// Stores a fact under a name, and replaces the previous one.
    pub(crate) async fn keep_fact(&self, name: &str, value: &Value) -> Result<(), Error> {
        let query = sqlx::query(NOTE).bind(&self.run).bind(name).bind(value.to_string());
        query.execute(&self.store.pool).await?;
        Ok(())
    }

    /// Calls `each` with every round and its processor time, in the order in which they were added.
    pub(crate) async fn each<F>(&self, mut each: F) -> Result<(), Error>
    where
        F: FnMut(KeptRound, Option<Duration>) -> Result<(), Error>,
    {
        let mut after = 0;
        loop {
            let query = sqlx::query(ALL).bind(&self.run).bind(after);
            let rows = query.fetch_all(&self.store.pool).await?;
            for row in &rows {
                let (transcript, digest) = played(row)?;
                let spec = serde_json::from_str(&row.text("spec")?);
                let spec = spec.map_err(|error| unreadable("spec", error))?;
                let cost = row.maybe_number("cost")?.and_then(|cost| u64::try_from(cost).ok());
                each(KeptRound { spec, transcript, digest }, cost.map(Duration::from_millis))?;
            }
            if rows.is_empty() {
                return Ok(());
            }
            after += rows.len() as i64;
        }
    }

    fn accounts(&self) -> MutexGuard<'_, BTreeMap<Digest, Arc<Account>>> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, source: Error) -> StoreError {
        StoreError::Other { store: self.name.clone(), source: Box::new(source) }
    }
}

impl RoundStore for DatabaseRounds {
    fn find(&self, spec: &RoundSpec) -> Result<Option<(Transcript, Digest)>, StoreError> {
        self.runtime.block_on(self.find(spec)).map_err(|error| self.failed(error))
    }

    fn add(
        &self,
        spec: &RoundSpec,
        outline: &RoundOutline,
        transcript: &Transcript,
    ) -> Result<(), StoreError> {
        // Not locked while this waits for the database: `spent` would block the thread that receives
        // the answer.
        let account = {
            let accounts = self.accounts();
            round_modules(spec).find_map(|module| accounts.get(&module).map(Arc::clone))
        };
        let mut cost = || {
            let used = account.as_ref().map(|account| account.unwritten_ms());
            used.unwrap_or_else(|| fuel(transcript) / FUEL_PER_MS)
        };
        let added = self.add(spec, transcript, outline.digest, &mut cost);
        self.runtime.block_on(added).map_err(|error| self.failed(error))
    }

    fn contradicted(&self, what: String) -> StoreError {
        StoreError::Other { store: self.name.clone(), source: what.into() }
    }
}

impl FactStore for DatabaseRounds {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn facts(&self) -> Result<Vec<(String, Value)>, StoreError> {
        self.runtime.block_on(self.facts()).map_err(|error| self.failed(error))
    }

    fn note(&self, name: &str, value: &Value) -> Result<(), StoreError> {
        self.runtime.block_on(self.keep_fact(name, value)).map_err(|error| self.failed(error))
    }
}

impl CostStore for DatabaseRounds {
    /// A run belongs to one generation of a suite, so all its rounds count.
    fn processor_time(&self, module: &Digest, _: &Suite) -> Result<Option<Duration>, StoreError> {
        DatabaseRounds::processor_time(self, module)
    }

    fn charge(&self, module: Digest, account: &Arc<Account>) {
        self.accounts().insert(module, Arc::clone(account));
    }
}

/// Transcript and digest in a row.
fn played(row: &AnyRow) -> Result<(Transcript, Digest), sqlx::Error> {
    let transcript = transcript_from_json(&row.text("transcript")?);
    let transcript = transcript.map_err(|what| unreadable("transcript", UnknownWord(what)))?;
    Ok((transcript, digest_in(row, "digest")?))
}

/// Fuel that the bots spent.
fn fuel(transcript: &Transcript) -> u64 {
    let calls = transcript.seats.iter().flat_map(|seat| &seat.fuel);
    calls.copied().fold(0, u64::saturating_add)
}
