//! A machine that plays: takes leases on batches that it is hinted at, plays them in worker processes of
//! its own, and tells what the players did.

mod blobs;
mod play;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use graphile_worker::{IntoTaskHandlerResult, TaskHandler, WorkerContext, WorkerContextExt as _, WorkerOptions};
use judge_arena::{Pool, Told};
use judge_core::MatchSpec;
use judge_runner::workers::Workers;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, Row as _};

use self::blobs::Blobs;
use crate::batch::{digest_of, rounds_from_json, told_to_json};
use crate::schema::{connect, fingerprint_text, queue_schema};
use crate::Error;

/// Takes the lease on a batch that nobody holds and that has no result.
const TAKE: &str = "UPDATE batch SET holder = $2, lease_until = now() + $3::float8 * interval '1 second', \
    tries = tries + 1 \
    WHERE id = $1 AND fingerprint = $4 AND given_up IS NULL \
    AND (lease_until IS NULL OR lease_until < now()) AND tries < 3 \
    AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.batch = batch.id) \
    AND NOT EXISTS (SELECT 1 FROM machine m WHERE m.name = $2 AND m.distrusted IS NOT NULL) \
    AND (audit_of IS NULL OR NOT EXISTS \
    (SELECT 1 FROM outcome f WHERE f.batch = audit_of AND f.machine = $2)) \
    RETURNING rounds, tries";
const RENEW: &str = "UPDATE batch SET lease_until = now() + $3::float8 * interval '1 second' \
    WHERE id = $1 AND holder = $2";
const LET_GO: &str = "UPDATE batch SET lease_until = NULL \
    WHERE id = $1 AND holder = $2 AND tries = $3";
const TELL: &str = "INSERT INTO outcome (batch, machine, told, digest) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (batch) DO NOTHING";
const TOLD: &str = "SELECT o.machine, o.told, o.digest, b.rounds FROM outcome o \
    JOIN batch b ON b.id = o.batch WHERE o.batch = $1";
const ALARM: &str = "INSERT INTO alarm (rounds, one, one_told, other, other_told) \
    VALUES ($1, $2, $3, $4, $5)";
const ENTER: &str = "INSERT INTO machine (name, fingerprint) VALUES ($1, $2) \
    ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint, seen_at = now() \
    RETURNING distrusted";

/// Settings of a machine.
#[derive(Debug, Clone)]
pub struct MachineSettings {
    /// Its name in the database, the same at each start.
    pub name: String,
    /// Batches that it plays at a time: one worker process each.
    pub jobs: usize,
    /// How long a batch is its own without a sign of life.
    pub lease: Duration,
    /// Folder where modules and tables are kept.
    pub cache: PathBuf,
    /// How long batches under way may go on when it is asked to stop. They are handed back then.
    pub grace: Duration,
}

/// A machine that plays.
#[derive(Debug)]
pub struct Machine {
    db: PgPool,
    pool: Pool,
    blobs: Blobs,
    settings: MachineSettings,
}

/// A hint at a batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Hint {
    /// Number of the batch.
    pub(crate) batch: i64,
}

impl TaskHandler for Hint {
    const IDENTIFIER: &'static str = "judge_batch";

    async fn run(self, context: WorkerContext) -> impl IntoTaskHandlerResult {
        let Some(machine) = context.get_ext::<Arc<Machine>>() else {
            return Err("no machine is there to play".to_owned());
        };
        machine.follow(self.batch).await.map_err(|error| {
            tracing::error!(batch = self.batch, %error, "a batch cannot be played");
            error.to_string()
        })
    }
}

impl Machine {
    /// Enters the machine.
    ///
    /// # Errors
    /// When the database cannot be used, or the machine is not trusted any more.
    pub async fn connect(
        url: &str,
        workers: &Workers,
        settings: MachineSettings,
    ) -> Result<Machine, Error> {
        let db = connect(url).await?;
        let pool = workers.clone().with_jobs(1).pool();
        let query = sqlx::query(ENTER).bind(&settings.name);
        let row = query.bind(fingerprint_text(&pool.fingerprint)).fetch_one(&db).await?;
        if let Some(why) = row.try_get::<Option<String>, _>("distrusted")? {
            return Err(Error::Distrusted { name: settings.name, why });
        }
        let blobs = Blobs::new(db.clone(), &settings.cache);
        Ok(Machine { db, pool, blobs, settings })
    }

    /// Plays until `stop` is done.
    ///
    /// # Errors
    /// When the queue cannot be used.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), Error> {
        let told = |error: &dyn std::fmt::Display| Error::Queue(error.to_string());
        let options = WorkerOptions::default()
            .schema(queue_schema(&self.pool.fingerprint))
            .concurrency(self.settings.jobs.max(1))
            .pg_pool(self.db.clone())
            .listen_os_shutdown_signals(false)
            .shutdown_signal(stop)
            .shutdown_grace_period(self.settings.grace)
            .define_job::<Hint>()
            .add_extension(Arc::new(self));
        let worker = options.init().await.map_err(|error| told(&error))?;
        worker.run().await.map_err(|error| told(&error))
    }

    /// Plays a batch, unless somebody else does or has done so.
    async fn follow(&self, batch: i64) -> Result<(), Error> {
        let name = &self.settings.name;
        let query = sqlx::query(TAKE).bind(batch).bind(name);
        let query = query.bind(self.settings.lease.as_secs_f64());
        let query = query.bind(fingerprint_text(&self.pool.fingerprint));
        let Some(row) = query.fetch_optional(&self.db).await? else { return Ok(()) };
        let (rounds, tries): (String, i16) = (row.try_get("rounds")?, row.try_get("tries")?);
        let rounds = rounds_from_json(batch, &rounds)?;
        let told = tokio::select! {
            told = play::batch(&self.pool, &self.blobs, &rounds) => told,
            error = self.stay_alive(batch) => Err(error),
        };
        match told {
            Ok(told) => self.tell(batch, &rounds, &told).await,
            Err(error) => {
                let _ = sqlx::query(LET_GO).bind(batch).bind(name).bind(tries).execute(&self.db).await;
                Err(error)
            }
        }
    }

    /// Renews the lease for ever. A lease that is lost is no reason to stop: what is told then is
    /// compared with what another machine tells.
    async fn stay_alive(&self, batch: i64) -> Error {
        loop {
            tokio::time::sleep(self.settings.lease / 4).await;
            let query = sqlx::query(RENEW).bind(batch).bind(&self.settings.name);
            let renewed = query.bind(self.settings.lease.as_secs_f64()).execute(&self.db).await;
            if let Err(error) = renewed {
                tracing::warn!(batch, %error, "the lease cannot be renewed");
            }
        }
    }

    /// Tells what the players did. If somebody has done so before, the two must agree.
    async fn tell(&self, batch: i64, rounds: &[MatchSpec], told: &[Told]) -> Result<(), Error> {
        let (json, digest) = (told_to_json(told), digest_of(told).to_string());
        let query = sqlx::query(TELL).bind(batch).bind(&self.settings.name);
        let written = query.bind(&json).bind(&digest).execute(&self.db).await?;
        if written.rows_affected() > 0 {
            tracing::info!(batch, rounds = rounds.len(), "played");
            return Ok(());
        }
        let Some(row) = sqlx::query(TOLD).bind(batch).fetch_optional(&self.db).await? else {
            return Ok(());
        };
        if row.try_get::<String, _>("digest")? != digest {
            tracing::error!(batch, "another machine tells something else of the same rounds");
            let query = sqlx::query(ALARM).bind(row.try_get::<String, _>("rounds")?);
            let query = query.bind(row.try_get::<String, _>("machine")?);
            let query = query.bind(row.try_get::<String, _>("told")?);
            query.bind(&self.settings.name).bind(&json).execute(&self.db).await?;
        }
        Ok(())
    }
}
