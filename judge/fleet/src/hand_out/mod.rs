//! The side that has rounds played: cuts them into batches, a few ahead of what is waited for.

mod audit;
mod out;
mod state;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use graphile_worker::WorkerUtils;
use judge_arena::{ArenaError, Pool, RemotePool, RemoteRun};
use judge_core::{Fingerprint, RoundSpec};
use sqlx::PgPool;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::Error;
use crate::schema::{connect, fingerprint_text, ready};

/// Connections of a process that hands out rounds.
const CONNECTIONS: u32 = 8;

/// How rounds are handed out.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// What goes first: the smaller number.
    pub priority: i16,
    /// Time that a batch should take.
    pub batch: Duration,
    /// Batches that are handed out at a time; none for twice as many as machines can play.
    pub ahead: Option<usize>,
    /// The part of the batches that two machines play, which must agree: from 0 to 1.
    pub audit: f64,
    /// How long an audited batch waits for a second machine before its rounds are played here.
    pub patience: Duration,
}

impl Default for Terms {
    fn default() -> Terms {
        let (batch, patience) = (Duration::from_secs(10), Duration::from_secs(60));
        Terms { priority: 0, batch, ahead: None, audit: 0.01, patience }
    }
}

/// The way to machines that play.
#[derive(Clone)]
pub struct Fleet {
    db: PgPool,
    utils: WorkerUtils,
    fingerprint: String,
    runtime: Handle,
    /// Where the database is used, if that is nobody else's.
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
    /// Opens the way, and makes what is missing in the database. To be awaited on the runtime that the
    /// database is used on.
    ///
    /// # Errors
    /// When the database cannot be used.
    pub async fn open(url: &str, fingerprint: &Fingerprint) -> Result<Fleet, Error> {
        let db = connect(url, CONNECTIONS).await?;
        let utils = ready(&db, fingerprint).await?;
        let (fingerprint, runtime) = (fingerprint_text(fingerprint), Handle::current());
        Ok(Fleet { db, utils, fingerprint, runtime, own: None })
    }

    /// The same for a program that is not asynchronous.
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

    /// Has rounds played on these terms. `purpose` says in words what for.
    pub fn hand_out(&self, purpose: &str, terms: Terms) -> HandOut {
        HandOut { fleet: self.clone(), purpose: purpose.to_owned(), terms }
    }
}

/// Has rounds played by the machines of a fleet.
#[derive(Debug)]
pub struct HandOut {
    fleet: Fleet,
    purpose: String,
    terms: Terms,
}

impl RemotePool for HandOut {
    fn hand_out<'a>(
        &'a self,
        pool: &'a Pool,
        rounds: Vec<RoundSpec>,
        modules: &'a [&'a [u8]],
    ) -> Result<Box<dyn RemoteRun + 'a>, ArenaError> {
        Ok(Box::new(out::Out::new(self, pool, rounds, modules)))
    }
}

/// A number that no other run has.
fn run_number() -> String {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let mut random = [0; 8];
    // Without random numbers, the process and the number of the run have to do.
    if getrandom::fill(&mut random).is_err() {
        random = u64::from(std::process::id()).to_le_bytes();
    }
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    format!("{:016x}-{run}", u64::from_le_bytes(random))
}

/// True once in so many times, which nobody can foresee.
fn by_chance(part: f64) -> bool {
    let mut random = [0; 4];
    let drawn = getrandom::fill(&mut random).map(|()| f64::from(u32::from_le_bytes(random)));
    part > 0.0 && drawn.is_ok_and(|drawn| drawn <= part * f64::from(u32::MAX))
}
