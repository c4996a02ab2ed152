//! Ends sessions that hold locks for too long. PostgreSQL lets a role that may change a table lock
//! it, and any role take advisory locks, without a time limit. So the dispatching run ends such
//! sessions.

use std::convert::Infallible;
use std::time::Duration;

use sqlx::PgPool;

use crate::Error;

/// Interval at which blocking sessions are searched while a statement is slow.
const EVERY: Duration = Duration::from_secs(5);

/// Ends sessions of machines' roles that block another session for longer than any honest machine
/// holds a lock: the blocked session has waited that long, or the lock is that old, because a
/// blocked session may give up and start again. A blocking session may itself be blocked, but not by
/// a session of the judge.
const END: &str = "SELECT COUNT(pg_terminate_backend(a.pid))::int8 \
    FROM pg_stat_activity a JOIN pg_roles r ON r.oid = a.usesysid \
    WHERE a.usename <> current_user AND NOT r.rolsuper \
    AND to_regnamespace('judge_fleet') IS NOT NULL \
    AND has_schema_privilege(r.oid, to_regnamespace('judge_fleet')::oid, 'USAGE') \
    AND pg_has_role(r.oid, 'USAGE') \
    AND NOT EXISTS (SELECT 1 FROM pg_stat_activity o WHERE o.usename = current_user \
    AND o.pid = ANY(pg_blocking_pids(a.pid))) \
    AND EXISTS (SELECT 1 FROM pg_stat_activity w WHERE w.datname = current_database() \
    AND w.wait_event_type = 'Lock' AND a.pid = ANY(pg_blocking_pids(w.pid)) \
    AND LEAST(w.query_start, COALESCE(a.xact_start, a.state_change)) \
    < now() - interval '10 seconds')";

/// True if the current role may end sessions of the given one.
const MAY_END: &str = "SELECT pg_has_role($1::name, 'USAGE')";

/// Ends sessions that keep others waiting.
pub(crate) async fn end_blockers(db: &PgPool) -> Result<(), Error> {
    let ended: i64 = sqlx::query_scalar(END).fetch_one(db).await?;
    if ended > 0 {
        tracing::warn!(ended, "sessions of machines held locks for too long and were ended");
    }
    Ok(())
}

/// Runs database work, and meanwhile ends sessions that block it.
pub(crate) async fn unblocked<T>(
    db: &PgPool,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    tokio::select! {
        biased;
        done = work => done,
        never = watch(db) => match never {},
    }
}

async fn watch(db: &PgPool) -> Infallible {
    loop {
        tokio::time::sleep(EVERY).await;
        if let Err(error) = end_blockers(db).await {
            tracing::warn!(%error, "locks of machines cannot be ended");
        }
    }
}

/// True if the current role can end sessions of another one.
pub(crate) async fn may_end(db: &PgPool, role: &str) -> Result<bool, Error> {
    Ok(sqlx::query_scalar(MAY_END).bind(role).fetch_one(db).await?)
}
