//! Dispatch of rounds in batches, a few ahead of the round for which the run waits.

mod audit;
mod run;
mod state;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use graphile_worker::WorkerUtils;
use judge_arena::{ArenaError, RemotePool, RemoteRun, Run};
use judge_core::{Fingerprint, RoundSpec};
use sqlx::PgPool;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::Error;
use crate::schema::{connect, fingerprint_text, ready};

/// Connections of a process that dispatches rounds.
const CONNECTIONS: u32 = 8;

/// The terms of a dispatch.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// Priority; smaller numbers go first.
    pub priority: i16,
    /// Time that a batch should take.
    pub batch: Duration,
    /// Maximum number of open batches; none for twice as many as machines can play.
    pub ahead: Option<usize>,
    /// Share of the batches that two machines play, which must agree: from 0 to 1.
    pub audit: f64,
    /// Time that an audited batch waits for a second machine before its rounds are played here.
    pub patience: Duration,
}

impl Default for Terms {
    fn default() -> Terms {
        let (batch, patience) = (Duration::from_secs(10), Duration::from_secs(60));
        Terms { priority: 0, batch, ahead: None, audit: 0.01, patience }
    }
}

/// A connection to the machines of a fleet.
#[derive(Clone)]
pub struct Fleet {
    db: PgPool,
    utils: WorkerUtils,
    fingerprint: String,
    runtime: Handle,
    /// The runtime that the database is used on, if it is only for this fleet.
    own: Option<Arc<Runtime>>,
}

impl fmt::Debug for Fleet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Fleet");
        shown
            .field("fingerprint", &self.fingerprint)
            .field("own", &self.own)
            .finish_non_exhaustive()
    }
}

impl Fleet {
    /// Connects, and creates missing tables. Must be awaited on the runtime that uses the database.
    ///
    /// # Errors
    /// When the database cannot be used.
    pub async fn open(url: &str, fingerprint: &Fingerprint) -> Result<Fleet, Error> {
        let db = connect(url, CONNECTIONS).await?;
        let utils = ready(&db, fingerprint).await?;
        let (fingerprint, runtime) = (fingerprint_text(fingerprint), Handle::current());
        Ok(Fleet { db, utils, fingerprint, runtime, own: None })
    }

    /// Connects on a separate runtime, for programs that are not asynchronous.
    ///
    /// # Errors
    /// When the database cannot be used.
    pub fn open_and_wait(url: &str, fingerprint: &Fingerprint) -> Result<Fleet, Error> {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| Error::Play(error.to_string()))?;
        let fleet = runtime.block_on(Fleet::open(url, fingerprint))?;
        Ok(Fleet { own: Some(Arc::new(runtime)), ..fleet })
    }

    pub(crate) fn db(&self) -> &PgPool {
        &self.db
    }

    pub(crate) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Returns a pool that plays rounds on these terms. `purpose` describes the run in words.
    pub fn dispatch(&self, purpose: &str, terms: Terms) -> Dispatcher {
        Dispatcher { fleet: self.clone(), purpose: purpose.to_owned(), terms }
    }
}

/// A pool that plays rounds on the machines of a fleet.
#[derive(Debug)]
pub struct Dispatcher {
    fleet: Fleet,
    purpose: String,
    terms: Terms,
}

impl RemotePool for Dispatcher {
    fn dispatch<'a>(
        &'a self,
        run: &'a Run,
        rounds: Vec<RoundSpec>,
        modules: &'a [&'a [u8]],
    ) -> Result<Box<dyn RemoteRun + 'a>, ArenaError> {
        Ok(Box::new(run::RunDispatch::new(self, run, rounds, modules)))
    }
}

/// A unique number of a run.
fn run_number() -> String {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let mut random = [0; 8];
    // Without random numbers, the process and the number of the run must suffice.
    if getrandom::fill(&mut random).is_err() {
        random = u64::from(std::process::id()).to_le_bytes();
    }
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    format!("{:016x}-{run}", u64::from_le_bytes(random))
}

/// True with probability `part`, unpredictably for machines.
fn by_chance(part: f64) -> bool {
    let mut random = [0; 4];
    let drawn = getrandom::fill(&mut random).map(|()| f64::from(u32::from_le_bytes(random)));
    part > 0.0 && drawn.is_ok_and(|drawn| drawn <= part * f64::from(u32::MAX))
}
