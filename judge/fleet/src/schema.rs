//! The database of a fleet: its own tables, and the queue that hints are sent through.

use std::str::FromStr as _;
use std::time::Duration;

use graphile_worker::WorkerUtils;
use judge_core::{Fingerprint, digest};
use sqlx::PgPool;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, SqlSafeStr as _};

use crate::Error;
use crate::error::queue_error;
use crate::locks::unblocked;

/// The schema of our tables.
pub(crate) const SCHEMA: &str = "judge_fleet";

/// Versions of the tables, in order.
const STEPS: &[(i64, &str, &str)] = &[(1, "begin", include_str!("../migrations/0001_begin.sql"))];

/// Time to wait for a connection. After that, the caller tries again.
const CONNECT: Duration = Duration::from_secs(5);

/// Connects, with this many connections at most. Creates nothing.
pub(crate) async fn connect(url: &str, connections: u32) -> Result<PgPool, Error> {
    if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
        return Err(Error::Address(without_password(url)));
    }
    let options = PgConnectOptions::from_str(url)?.options([
        ("search_path", SCHEMA),
        // A machine that freezes in the middle of a transaction must not block others.
        ("lock_timeout", "20s"),
        ("statement_timeout", "60s"),
        ("idle_in_transaction_session_timeout", "60s"),
    ]);
    let options = options.application_name("judge");
    let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(CONNECT);
    Ok(pool.connect_with(options).await?)
}

/// Creates missing tables.
async fn make(pool: &PgPool) -> Result<(), Error> {
    sqlx::raw_sql("CREATE SCHEMA IF NOT EXISTS judge_fleet").execute(pool).await?;
    let steps = STEPS.iter().map(|(version, name, sql)| {
        Migration::new(
            *version,
            (*name).into(),
            MigrationType::Simple,
            (*sql).into_sql_str(),
            false,
        )
    });
    Migrator::with_migrations(steps.collect()).run(pool).await?;
    Ok(())
}

/// Schema of the queue for a version of the judge; each version has a separate one.
pub(crate) fn queue_schema(fingerprint: &Fingerprint) -> String {
    let text = fingerprint_text(fingerprint);
    format!("judge_queue_{}", &digest(text.as_bytes()).to_string()[..12])
}

/// A fingerprint as stored in rows.
pub(crate) fn fingerprint_text(fingerprint: &Fingerprint) -> String {
    serde_json::to_string(fingerprint).expect("a fingerprint is valid JSON")
}

/// The queue of that version, created if it is missing.
async fn queue(pool: &PgPool, fingerprint: &Fingerprint) -> Result<WorkerUtils, Error> {
    let utils = WorkerUtils::new(pool.clone(), queue_schema(fingerprint));
    utils.migrate().await.map_err(|error| queue_error(&error))?;
    Ok(utils)
}

/// Creates missing tables, and the queue of that version, even if a session of a machine's role
/// holds a lock on them.
pub(crate) async fn ready(pool: &PgPool, fingerprint: &Fingerprint) -> Result<WorkerUtils, Error> {
    let both = async {
        make(pool).await?;
        queue(pool, fingerprint).await
    };
    unblocked(pool, both).await
}

/// Runs other work on the database at that address, and meanwhile ends sessions that block it.
///
/// # Errors
/// When the database cannot be reached.
pub async fn while_unblocked<T>(url: &str, work: impl Future<Output = T>) -> Result<T, Error> {
    let db = connect(url, 1).await?;
    let done = unblocked(&db, async { Ok(work.await) }).await;
    db.close().await;
    done
}

/// A statement with a schema name from this crate.
pub(crate) fn about(sql: String) -> sqlx::RawSql {
    sqlx::raw_sql(AssertSqlSafe(sql))
}

/// An address without its password, for messages.
fn without_password(url: &str) -> String {
    match url.rsplit_once('@') {
        Some((_, rest)) => format!("…@{rest}"),
        None => url.to_owned(),
    }
}
