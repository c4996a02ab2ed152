//! Looks after the batches of a waiting run: writes them, sends hints, collects results, and keeps
//! the run alive. The waiting run does this itself, so a fleet needs no central service.

use std::time::Duration;

use graphile_worker::{JobKeyMode, JobSpec, WorkerUtils};
use serde_json::json;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row as _};

use crate::Error;
use crate::error::queue_error;

/// Time after which a run without a heartbeat counts as dead.
const WANTED: Duration = Duration::from_secs(120);

/// Time between two looks at the batches.
pub(crate) const CARE: Duration = Duration::from_secs(5);

/// Time between two looks for results.
pub(crate) const NEWS_EVERY: Duration = Duration::from_millis(100);

const WANT: &str = "INSERT INTO run (id, purpose, wanted_until) \
    VALUES ($1, $2, now() + $3::float8 * interval '1 second') \
    ON CONFLICT (id) DO UPDATE SET wanted_until = excluded.wanted_until";
const KEEP: &str = "INSERT INTO blob (hash, bytes) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING";
const TOUCH: &str = "UPDATE blob SET used_at = now() WHERE hash = $1";
const WRITE: &str = "INSERT INTO batch (id, run, fingerprint, priority, rounds, not_for, tries) \
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING";
const THERE: &str = "SELECT id FROM batch WHERE id = ANY($1)";
/// Batches that are due and have no lease.
const IDLE: &str = "SELECT id, priority, tries, not_for FROM batch b WHERE id = ANY($1) \
    AND (lease_until IS NULL OR lease_until < now() OR lease_until > now() + interval '2 hours') \
    AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.batch = b.id)";
const NEWS: &str = "SELECT batch, machine, told, EXISTS (SELECT 1 FROM machine m \
    WHERE m.name = o.machine AND m.distrusted IS NOT NULL) AS distrusted \
    FROM outcome o WHERE batch = ANY($1)";
/// Only a few at a time, because each may have to be played here.
const AFTERTHOUGHTS: &str = "SELECT batch, machine, told, false AS distrusted \
    FROM afterthought WHERE batch = ANY($1) LIMIT 4";
const FORGET_AFTERTHOUGHT: &str = "DELETE FROM afterthought WHERE batch = $1 AND machine = $2";
const DROP: &str = "DELETE FROM batch WHERE id = ANY($1)";
const FORGET: &str = "DELETE FROM run WHERE id = $1";
const TAKE_PART: &str = "INSERT INTO part (machine, purpose) VALUES ($1, $2) \
    ON CONFLICT (machine, purpose) DO UPDATE SET last_at = now()";
const SWEEP: &str = "DELETE FROM run WHERE wanted_until < now() - interval '1 hour'";
const SWEEP_BLOBS: &str = "DELETE FROM blob WHERE used_at < now() - interval '7 days'";
const SWEEP_MACHINES: &str = "DELETE FROM machine \
    WHERE (seen_at < now() - interval '30 days' OR seen_at > now() + interval '1 day') \
    AND distrusted IS NULL";
const SWEEP_PARTS: &str = "DELETE FROM part WHERE last_at < now() - interval '90 days'";
const SLOTS: &str = "SELECT COALESCE(SUM(slots), 0)::int8 FROM machine \
    WHERE fingerprint = $1 AND distrusted IS NULL \
    AND seen_at BETWEEN now() - interval '2 minutes' AND now() + interval '2 minutes'";

/// A batch to write.
#[derive(Debug)]
pub(crate) struct NewBatch<'a> {
    pub(crate) id: &'a str,
    pub(crate) run: &'a str,
    pub(crate) fingerprint: &'a str,
    pub(crate) priority: i16,
    pub(crate) rounds: &'a str,
    pub(crate) not_for: Option<&'a str>,
    /// Machines that were already lost with its rounds.
    pub(crate) tries: i16,
}

/// A machine's result for a batch.
#[derive(Debug)]
pub(crate) struct BatchReport {
    pub(crate) batch: String,
    pub(crate) machine: String,
    pub(crate) told: String,
    /// True if the machine is no longer trusted.
    pub(crate) distrusted: bool,
}

/// A batch without a lease.
#[derive(Debug)]
pub(crate) struct Idle {
    pub(crate) batch: String,
    pub(crate) priority: i16,
    /// Machines that began it.
    pub(crate) tries: i16,
    pub(crate) not_for: Option<String>,
}

/// Writes the run's heartbeat.
pub(crate) async fn want(db: &PgPool, run: &str, purpose: &str) -> Result<(), Error> {
    let query = sqlx::query(WANT).bind(run).bind(purpose).bind(WANTED.as_secs_f64());
    query.execute(db).await?;
    Ok(())
}

/// Stores the bytes of a module or table. They are sent only if the database lacks them.
pub(crate) async fn keep(db: &PgPool, hash: &str, bytes: &[u8]) -> Result<(), Error> {
    let touched = sqlx::query(TOUCH).bind(hash).execute(db).await?;
    if touched.rows_affected() == 0 {
        sqlx::query(KEEP).bind(hash).bind(bytes).execute(db).await?;
    }
    Ok(())
}

/// Writes a missing batch, and hints at it to free machines.
pub(crate) async fn write(
    db: &PgPool,
    utils: &WorkerUtils,
    batch: &NewBatch<'_>,
) -> Result<(), Error> {
    let query = sqlx::query(WRITE).bind(batch.id).bind(batch.run).bind(batch.fingerprint);
    let query = query.bind(batch.priority).bind(batch.rounds).bind(batch.not_for);
    query.bind(batch.tries).execute(db).await?;
    hint(utils, batch.id, batch.priority, batch.not_for).await
}

/// The given batches that are in the database.
pub(crate) async fn there(db: &PgPool, batches: &[String]) -> Result<Vec<String>, Error> {
    Ok(sqlx::query_scalar(THERE).bind(batches).fetch_all(db).await?)
}

/// The available results of these batches.
pub(crate) async fn news(db: &PgPool, batches: &[String]) -> Result<Vec<BatchReport>, Error> {
    let rows = sqlx::query(NEWS).bind(batches).fetch_all(db).await?;
    rows.iter().map(report).collect()
}

/// Records that a machine played for a purpose, in case it is distrusted later.
pub(crate) async fn take_part(db: &PgPool, machine: &str, purpose: &str) -> Result<(), Error> {
    sqlx::query(TAKE_PART).bind(machine).bind(purpose).execute(db).await?;
    Ok(())
}

/// Deletes a late result that was checked.
pub(crate) async fn forget_afterthought(db: &PgPool, late: &BatchReport) -> Result<(), Error> {
    sqlx::query(FORGET_AFTERTHOUGHT).bind(&late.batch).bind(&late.machine).execute(db).await?;
    Ok(())
}

/// Late results of batches that already had one.
pub(crate) async fn afterthoughts(
    db: &PgPool,
    batches: &[String],
) -> Result<Vec<BatchReport>, Error> {
    let rows = sqlx::query(AFTERTHOUGHTS).bind(batches).fetch_all(db).await?;
    rows.iter().map(report).collect()
}

fn report(row: &PgRow) -> Result<BatchReport, Error> {
    Ok(BatchReport {
        batch: row.try_get("batch")?,
        machine: row.try_get("machine")?,
        told: row.try_get("told")?,
        distrusted: row.try_get("distrusted")?,
    })
}

/// The batches without a lease or a result.
pub(crate) async fn idle(db: &PgPool, batches: &[String]) -> Result<Vec<Idle>, Error> {
    let rows = sqlx::query(IDLE).bind(batches).fetch_all(db).await?;
    let idle = |row: &PgRow| -> Result<Idle, Error> {
        Ok(Idle {
            batch: row.try_get("id")?,
            priority: row.try_get("priority")?,
            tries: row.try_get("tries")?,
            not_for: row.try_get("not_for")?,
        })
    };
    rows.iter().map(idle).collect()
}

/// Hints at a batch to free machines, except for one that has played it before. A second hint
/// replaces the first.
pub(crate) async fn hint(
    utils: &WorkerUtils,
    batch: &str,
    priority: i16,
    not_for: Option<&str>,
) -> Result<(), Error> {
    let spec = JobSpec {
        job_key: Some(key(batch)),
        // A repeated hint keeps its position in the queue.
        job_key_mode: Some(JobKeyMode::PreserveRunAt),
        max_attempts: Some(1),
        priority: Some(priority),
        flags: not_for.map(|machine| vec![flag(machine)]),
        ..JobSpec::default()
    };
    let sent = utils.add_raw_job("judge_batch", json!({ "batch": batch }), spec).await;
    sent.map(|_| ()).map_err(|error| queue_error(&error))
}

/// Removes the hint at a batch, unless a machine has followed it.
pub(crate) async fn take_back(utils: &WorkerUtils, batch: &str) -> Result<(), Error> {
    utils.remove_job(&key(batch)).await.map_err(|error| queue_error(&error))
}

/// The queue's key for the hint at a batch.
fn key(batch: &str) -> String {
    format!("batch-{batch}")
}

/// The flag of hints that a machine must not follow.
pub(crate) fn flag(machine: &str) -> String {
    format!("not-{machine}")
}

/// Batches that machines of this fingerprint play at a time.
pub(crate) async fn slots(db: &PgPool, fingerprint: &str) -> Result<usize, Error> {
    let slots: i64 = sqlx::query_scalar(SLOTS).bind(fingerprint).fetch_one(db).await?;
    Ok(usize::try_from(slots).unwrap_or(0))
}

/// Drops batches with their results.
pub(crate) async fn drop_batches(db: &PgPool, batches: &[String]) -> Result<(), Error> {
    sqlx::query(DROP).bind(batches).execute(db).await?;
    Ok(())
}

/// Drops a run with all its batches, and old leftovers of other runs.
pub(crate) async fn forget(db: &PgPool, run: &str) -> Result<(), Error> {
    sqlx::query(FORGET).bind(run).execute(db).await?;
    for sweep in [SWEEP, SWEEP_BLOBS, SWEEP_MACHINES, SWEEP_PARTS] {
        sqlx::query(sweep).execute(db).await?;
    }
    Ok(())
}
