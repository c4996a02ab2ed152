//! A machine that plays: takes leases on batches when it gets hints, plays them in worker
//! processes, and reports the players' answers.

mod blobs;
mod lease;
mod play;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use graphile_worker::{IntoTaskHandlerResult, TaskHandler, WorkerContext, WorkerOptions};
use judge_arena::{Pool, RemoteResult};
use judge_runner::base::workers::Workers;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, Row as _};
use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock, Semaphore, watch};

use self::blobs::Blobs;
use self::lease::Lease;
use crate::Error;
use crate::batch::{results_to_json, rounds_from_json};
use crate::batch_table::flag;
use crate::error::queue_error;
use crate::schema::{connect, fingerprint_text, queue_schema};

/// Connections for hints, in addition to one that listens.
const HINTS: u32 = 2;

/// Connections for leases and results, separate so that requests for work never delay them.
const RESULTS: u32 = 4;

/// Time between two looks for hints without a notification.
const POLL: Duration = Duration::from_millis(500);

/// The first pause before a database that fails is tried again, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// Longest time between two heartbeats.
const SIGN_OF_LIFE: Duration = Duration::from_secs(30);

/// Time for which a result that cannot be written is kept.
const PATIENCE: Duration = Duration::from_secs(600);

/// Time to hand back batches under way when the machine stops.
const HAND_BACK: Duration = Duration::from_secs(5);

const ENTER: &str = "INSERT INTO machine (name, fingerprint, slots, lease) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint, \
    slots = excluded.slots, lease = excluded.lease, seen_at = now() RETURNING distrusted";

/// Settings of a machine.
#[derive(Debug, Clone)]
pub struct MachineSettings {
    /// Its unique name in the database, the same at each start.
    pub name: String,
    /// Batches that it plays at a time: one worker process each.
    pub jobs: usize,
    /// Time for which its lease on a batch holds without a renewal.
    pub lease: Duration,
    /// Cache folder for modules and tables.
    pub cache: PathBuf,
    /// Time for batches under way after a stop request. Then they are handed back.
    pub grace: Duration,
}

/// A machine that plays batches.
#[derive(Debug)]
pub struct Machine {
    url: String,
    pool: Pool,
    settings: MachineSettings,
}

/// The state of a machine while the database answers.
#[derive(Debug)]
struct MachineSession {
    db: PgPool,
    pool: Pool,
    blobs: Blobs,
    settings: MachineSettings,
    fingerprint: String,
    stop: watch::Receiver<bool>,
    /// Consecutive batches without a single played round.
    failed: AtomicU32,
    /// Permits to report a batch.
    telling: Arc<Semaphore>,
    /// Held from a batch's start until its report; exclusively by a batch that already lost a
    /// machine.
    beside: Arc<RwLock<()>>,
}

/// A batch that was begun.
struct Begun {
    lease: Lease,
    rounds: String,
    room: Room,
}

/// The permission for other batches while this is held.
enum Room {
    Shared { _held: OwnedRwLockReadGuard<()> },
    Alone { _held: OwnedRwLockWriteGuard<()> },
}

/// A hint at a batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Hint {
    /// Number of the batch.
    batch: String,
}

impl TaskHandler for Hint {
    const IDENTIFIER: &'static str = "judge_batch";

    async fn run(self, context: WorkerContext) -> impl IntoTaskHandlerResult {
        let Some(session) = context.get_ext::<Arc<MachineSession>>() else {
            return Err("no machine is available to play".to_owned());
        };
        session.follow(&self.batch).await.map_err(|error| {
            tracing::error!(batch = self.batch, %error, "cannot play a batch");
            error.to_string()
        })
    }
}

impl Machine {
    /// Creates a machine that plays in these worker processes for the runs in that database.
    pub fn new(url: &str, workers: &Workers, settings: MachineSettings) -> Machine {
        Machine { url: url.to_owned(), pool: workers.clone().with_jobs(1).pool(), settings }
    }

    /// Plays until `stop` is true. A database that fails is tried again with growing pauses, which
    /// differ between machines so that they do not reconnect all at once.
    ///
    /// # Errors
    /// When the machine is no longer trusted, or the database cannot be used at all.
    pub async fn run(self, stop: watch::Receiver<bool>) -> Result<(), Error> {
        let mut pause = PAUSES.0;
        loop {
            let begun = Instant::now();
            let ended = self.session(stop.clone()).await;
            if begun.elapsed() > PAUSES.1 {
                pause = PAUSES.0;
            }
            if *stop.borrow() {
                return Ok(());
            }
            match ended {
                Ok(()) => pause = PAUSES.0,
                Err(error) if error.is_outage() || error.is_of_missing_tables() => {
                    let why = if error.is_outage() {
                        "the database does not answer; retrying soon"
                    } else {
                        "tables or rights are missing: start the program that distributes rounds, \
                         or run `judge-worker setup`; retrying soon"
                    };
                    tracing::warn!(%error, "{why}");
                    let mut stop = stop.clone();
                    tokio::select! {
                        () = tokio::time::sleep(scattered(pause)) => {}
                        _ = stop.wait_for(|stopped| *stopped) => return Ok(()),
                    }
                    pause = (pause * 2).min(PAUSES.1);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Plays while the database answers.
    async fn session(&self, mut stop: watch::Receiver<bool>) -> Result<(), Error> {
        let db = connect(&self.url, RESULTS).await?;
        let hints = connect(&self.url, HINTS + 1).await?;
        let blobs = Blobs::new(db.clone(), &self.settings.cache);
        let (pool, settings) = (self.pool.clone(), self.settings.clone());
        let fingerprint = fingerprint_text(pool.fingerprint());
        let session = MachineSession {
            db,
            pool,
            blobs,
            settings,
            fingerprint,
            stop: stop.clone(),
            failed: AtomicU32::new(0),
            telling: Arc::new(Semaphore::new(self.settings.jobs.max(1))),
            beside: Arc::new(RwLock::new(())),
        };
        let session = Arc::new(session);
        session.enter().await?;
        let (name, jobs) = (&self.settings.name, self.settings.jobs);
        tracing::info!(name, jobs, "waiting for batches");
        let until = async move { _ = stop.wait_for(|stopped| *stopped).await };
        let options = WorkerOptions::default()
            .schema(queue_schema(self.pool.fingerprint()))
            .concurrency(jobs.max(1))
            .poll_interval(scattered(POLL))
            .pg_pool(hints)
            .listen_os_shutdown_signals(false)
            .shutdown_signal(until)
            .shutdown_grace_period(self.settings.grace + HAND_BACK)
            .add_forbidden_flag(&flag(&self.settings.name))
            .define_job::<Hint>()
            .add_extension(Arc::clone(&session));
        let worker = options.init().await.map_err(|error| queue_error(&error))?;
        let ended = tokio::select! {
            ended = worker.run() => ended.map_err(|error| queue_error(&error)),
            error = session.stay_known() => Err(error),
        };
        session.all_results_sent().await;
        ended
    }
}

impl MachineSession {
    /// Registers the machine in the database.
    async fn enter(&self) -> Result<(), Error> {
        let slots = i32::try_from(self.settings.jobs).unwrap_or(i32::MAX);
        let query = sqlx::query(ENTER).bind(&self.settings.name).bind(&self.fingerprint);
        let query = query.bind(slots).bind(self.settings.lease.as_secs_f64());
        let row = query.fetch_one(&self.db).await?;
        match row.try_get("distrusted")? {
            Some(why) => Err(Error::Distrusted { name: self.settings.name.clone(), why }),
            None => Ok(()),
        }
    }

    /// Registers the machine repeatedly until it is no longer trusted. An outage does not interrupt
    /// the batches under way.
    async fn stay_known(&self) -> Error {
        loop {
            tokio::time::sleep(scattered((self.settings.lease / 3).min(SIGN_OF_LIFE))).await;
            match self.enter().await {
                Err(error @ Error::Distrusted { .. }) => return error,
                Err(error) => tracing::warn!(%error, "cannot send a heartbeat"),
                Ok(()) => {}
            }
        }
    }

    /// Takes a batch, unless another machine has it or it has a result. A batch that lost a machine
    /// waits until nothing else is under way here, so that only this batch can cause a second
    /// crash.
    async fn begin(self: &Arc<Self>, batch: &str) -> Result<Option<Begun>, Error> {
        let shared = Arc::clone(&self.beside).read_owned().await;
        let Some((lease, rounds)) = Lease::take(self, batch).await? else { return Ok(None) };
        if !lease.was_lost() {
            return Ok(Some(Begun { lease, rounds, room: Room::Shared { _held: shared } }));
        }
        // Handed back as not begun, so that a crash while it waits is not blamed on it.
        lease.let_go(true).await;
        drop(shared);
        let alone = tokio::select! {
            alone = Arc::clone(&self.beside).write_owned() => alone,
            () = self.out_of_time() => return Ok(None),
        };
        let taken = Lease::take(self, batch).await?;
        Ok(taken.map(|(lease, rounds)| Begun { lease, rounds, room: Room::Alone { _held: alone } }))
    }

    /// Plays a batch, unless another machine plays or has played it.
    async fn follow(self: &Arc<Self>, batch: &str) -> Result<(), Error> {
        let Some(Begun { lease, rounds, room }) = self.begin(batch).await? else { return Ok(()) };
        let play = async {
            let rounds = rounds_from_json(batch, &rounds)?;
            play::batch(&self.pool, &self.blobs, &rounds).await
        };
        let played = tokio::select! {
            told = play => told.map(Some),
            () = self.out_of_time() => Ok(None),
            never = lease.keep() => match never {},
        };
        let failed = match played {
            Ok(Some(told)) if told.iter().any(|round| round.played.is_ok()) => {
                self.failed.store(0, Ordering::Relaxed);
                self.tell_beside(lease, told, room).await;
                return Ok(());
            }
            Ok(None) => {
                tracing::info!(batch, "handed back");
                lease.let_go(true).await;
                return Ok(());
            }
            Ok(Some(told)) => {
                let why = told.into_iter().find_map(|round| round.played.err());
                Error::Play(why.unwrap_or_default())
            }
            Err(error) => error,
        };
        lease.let_go(false).await;
        self.pause_after_failure().await;
        Err(failed)
    }

    /// Pauses after failures, so that a machine that cannot play leaves batches to others.
    async fn pause_after_failure(&self) {
        let failed = self.failed.fetch_add(1, Ordering::Relaxed).min(5);
        let mut stop = self.stop.clone();
        tokio::select! {
            () = tokio::time::sleep(scattered(Duration::from_secs(2 << failed))) => {}
            _ = stop.wait_for(|stopped| *stopped) => {}
        }
    }

    /// Completes after a stop request, when batches under way have had their time.
    async fn out_of_time(&self) {
        let mut stop = self.stop.clone();
        let _ = stop.wait_for(|stopped| *stopped).await;
        tokio::time::sleep(self.settings.grace).await;
    }

    /// Reports the players' answers, while the next batch is played if that is allowed. At most as
    /// many results as batches wait to be reported at a time.
    async fn tell_beside(self: &Arc<Self>, lease: Lease, told: Vec<RemoteResult>, room: Room) {
        // The semaphore is never closed.
        let Ok(turn) = Arc::clone(&self.telling).acquire_owned().await else { return };
        tokio::spawn(async move {
            if let Err(error) = send_results(&lease, &told).await {
                tracing::error!(batch = lease.batch(), %error, "cannot report a result");
            }
            drop((turn, room));
        });
    }

    /// Waits for reports under way, up to a limit.
    async fn all_results_sent(&self) {
        let turns = u32::try_from(self.settings.jobs.max(1)).unwrap_or(1);
        if tokio::time::timeout(HAND_BACK, self.telling.acquire_many(turns)).await.is_err() {
            tracing::warn!("some results were not reported: other machines play them again");
        }
    }
}

/// Reports the players' answers. A database that fails is tried again for a while: a report by
/// another machine in the meantime does no harm.
async fn send_results(lease: &Lease, told: &[RemoteResult]) -> Result<(), Error> {
    let (json, mut pause, begun) = (results_to_json(told), PAUSES.0, Instant::now());
    loop {
        match lease.write_results(&json).await {
            Ok(true) => tracing::info!(batch = lease.batch(), rounds = told.len(), "played"),
            Ok(false) => {
                tracing::info!(
                    batch = lease.batch(),
                    "it already has a result, or is no longer needed"
                );
            }
            Err(error) if error.is_outage() && begun.elapsed() < PATIENCE => {
                tracing::warn!(batch = lease.batch(), %error, "cannot write a result yet");
                tokio::time::sleep(scattered(pause)).await;
                pause = (pause * 2).min(PAUSES.1);
                continue;
            }
            Err(error) => return Err(error),
        }
        return Ok(());
    }
}

/// A random time between three quarters and five quarters of `time`.
fn scattered(time: Duration) -> Duration {
    let mut random = [0; 2];
    match getrandom::fill(&mut random) {
        Ok(()) => time * 3 / 4 + time * u32::from(u16::from_le_bytes(random)) / 131_072,
        Err(_) => time,
    }
}
