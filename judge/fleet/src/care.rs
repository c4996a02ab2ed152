//! Looks after batches that are waited for: sends hints, gives up what no machine survives, calls in what
//! was told, and keeps the run wanted. Whoever waits does this, so there is no service to run for it.

use std::time::Duration;

use graphile_worker::{JobSpec, WorkerUtils};
use serde_json::json;
use sqlx::{PgPool, Row as _};

use crate::Error;

/// Machines that may be lost with a batch before it is given up.
pub(crate) const MOST_TRIES: i16 = 3;

/// How long a run is wanted without a sign of life.
const WANTED: f64 = 120.0;

const WANT: &str = "INSERT INTO run (id, wanted_until) \
    VALUES ($1, now() + $2::float8 * interval '1 second') \
    ON CONFLICT (id) DO UPDATE SET wanted_until = excluded.wanted_until";
/// Batches that somebody should play by now, and nobody holds.
const IDLE: &str = "SELECT id, priority FROM batch b WHERE id = ANY($1) AND given_up IS NULL \
    AND tries < $2 AND (lease_until IS NULL OR lease_until < now()) \
    AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.batch = b.id)";
const GIVE_UP: &str = "UPDATE batch b SET given_up = $3 WHERE id = ANY($1) AND given_up IS NULL \
    AND tries >= $2 AND (lease_until IS NULL OR lease_until < now()) \
    AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.batch = b.id)";
const NEWS: &str = "SELECT b.id, b.given_up, o.told, o.machine FROM batch b \
    LEFT JOIN outcome o ON o.batch = b.id \
    WHERE b.id = ANY($1) AND (o.batch IS NOT NULL OR b.given_up IS NOT NULL)";
const FORGET: &str = "DELETE FROM run WHERE id = $1";
const SWEEP: &str = "DELETE FROM run WHERE wanted_until < now() - interval '1 hour'";

/// What became of a batch.
#[derive(Debug)]
pub(crate) struct News {
    pub(crate) batch: i64,
    /// What a machine told, with its name; or why it was given up.
    pub(crate) told: Result<(String, String), String>,
}

/// What is waited for stays wanted.
pub(crate) async fn want(db: &PgPool, run: &str) -> Result<(), Error> {
    sqlx::query(WANT).bind(run).bind(WANTED).execute(db).await?;
    Ok(())
}

/// What became of these batches, as far as anything did.
pub(crate) async fn news(db: &PgPool, batches: &[i64]) -> Result<Vec<News>, Error> {
    let rows = sqlx::query(NEWS).bind(batches).fetch_all(db).await?;
    let news = |row: &sqlx::postgres::PgRow| -> Result<News, Error> {
        let told: Option<String> = row.try_get("told")?;
        let told = match told {
            Some(told) => Ok((told, row.try_get("machine")?)),
            None => Err(row.try_get("given_up")?),
        };
        Ok(News { batch: row.try_get("id")?, told })
    };
    rows.iter().map(news).collect()
}

/// Sends a hint for each of these batches that nobody holds, and gives up those that were lost with
/// too many machines.
pub(crate) async fn look_after(
    db: &PgPool,
    utils: &WorkerUtils,
    batches: &[i64],
) -> Result<(), Error> {
    let why = format!("{MOST_TRIES} machines in a row did not come back from it");
    let query = sqlx::query(GIVE_UP).bind(batches).bind(MOST_TRIES).bind(why);
    query.execute(db).await?;
    let idle = sqlx::query(IDLE).bind(batches).bind(MOST_TRIES).fetch_all(db).await?;
    for row in &idle {
        hint(utils, row.try_get("id")?, row.try_get("priority")?).await?;
    }
    Ok(())
}

/// Tells whoever is free of a batch. A second hint takes the place of the first.
pub(crate) async fn hint(utils: &WorkerUtils, batch: i64, priority: i16) -> Result<(), Error> {
    let spec = JobSpec {
        job_key: Some(format!("batch-{batch}")),
        max_attempts: Some(1),
        priority: Some(priority),
        ..JobSpec::default()
    };
    let sent = utils.add_raw_job("judge_batch", json!({ "batch": batch }), spec).await;
    sent.map(|_| ()).map_err(|error| Error::Queue(error.to_string()))
}

/// Forgets a run and all that was played for it; and runs that somebody left behind.
pub(crate) async fn forget(db: &PgPool, run: &str) -> Result<(), Error> {
    sqlx::query(FORGET).bind(run).execute(db).await?;
    sqlx::query(SWEEP).execute(db).await?;
    Ok(())
}

/// How often batches are looked after.
pub(crate) const CARE: Duration = Duration::from_secs(10);

/// How often there may be news.
pub(crate) const NEWS_EVERY: Duration = Duration::from_millis(100);
