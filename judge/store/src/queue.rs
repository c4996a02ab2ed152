//! The queue of submissions to grade. It is a query for submissions without a result, so there is
//! no list that could lose an entry. Submissions of archived courses are not in it.
//!
//! A student or a group that submits is an account here. Submissions without any result go before those to grade again. The account with the fewest
//! gradings under way goes first. Ties go to an account that did not begin the latest grading, then
//! to the least processor time in the last twenty-four hours, then to the longest wait. The newest
//! submission of an account goes first.
//!
//! An account that holds all lanes of a server gives one back as soon as another account waits
//! without a lane: see [`Store::is_in_the_way`]. Its rounds are kept, so the grading can continue
//! later.

use std::time::Duration;

use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Transaction};

use crate::archive::{self, ChangedPart};
use crate::basics::error::Error;
use crate::basics::time::{DAY, Timestamp};
use crate::results;
use crate::row::Columns as _;
use crate::store::{Store, is_orphan, is_taken};
use crate::submissions::{Submission, submission};
use crate::suites;

/// Most consecutive failed gradings of a submission without a new round.
pub const MOST_TRIES: i64 = 3;

/// Most consecutive gradings of a submission that are cut off without a new round, because the
/// server was killed or the lease ran out. More than [`MOST_TRIES`], because the submission is
/// rarely the cause; bounded, because it must not crash the server forever.
pub const MOST_CUTS: i64 = 10;

/// Most processor time that is counted for one attempt, so that sums do not overflow.
const MOST_MS: i64 = 1 << 40;

// Ends of an attempt, in the column `handed_back`.
const FAILED: i64 = 0;
const HANDED_BACK: i64 = 1;
/// The server was killed, or the lease ran out.
const CUT_OFF: i64 = 2;

/// A submission to grade, leased to the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradingJob {
    /// The submission.
    pub submission: Submission,
    /// The suite's generation to grade it on.
    pub generation: i64,
    /// True if it has a result in an earlier generation.
    pub is_again: bool,
    /// Number of the attempt, from 1.
    pub attempt: i64,
    /// True if the submission is given up when this attempt fails.
    pub is_last: bool,
}

/// The state of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueState {
    /// Submissions without any result, those under way included.
    pub new: u64,
    /// Submissions to grade again, those under way included.
    pub again: u64,
    /// Submissions under way.
    pub running: u64,
    /// Submission time of the one that waits the longest for its first result.
    pub oldest: Option<Timestamp>,
}

/// The query for all submissions to grade. First it finds those without a result, by two indices in
/// the same order (`CROSS JOIN` fixes the order of tables for SQLite), then it joins all data about
/// them. An attempt costs its processor time and a second more, so that one that fails at once is
/// not free.
macro_rules! waiting {
    ($columns:literal, $rest:literal) => {
        concat!(
            "WITH spent AS (SELECT owner, \
             SUM(processor_ms + CASE WHEN handed_back = 1 THEN 0 ELSE 1000 END) AS cost \
             FROM attempt WHERE started_at > $2 GROUP BY owner), \
             busy AS (SELECT owner, COUNT(*) AS lanes FROM attempt \
             WHERE ended_at IS NULL AND lease_until > $1 GROUP BY owner), \
             open AS MATERIALIZED (SELECT s.id, u.generation \
             FROM suite u CROSS JOIN suite_generation g CROSS JOIN submission s \
             WHERE g.suite = u.id AND g.generation = u.generation AND s.suite = u.id \
             AND NOT EXISTS (SELECT 1 FROM course c \
             WHERE c.id = u.course AND c.archived_at IS NOT NULL) \
             AND NOT EXISTS (SELECT 1 FROM result r \
             WHERE r.submission = s.id AND r.generation = u.generation) \
             AND (g.scope = 'all' OR s.generation = u.generation \
             OR EXISTS (SELECT 1 FROM suite_scope l WHERE l.suite = u.id \
             AND l.generation = u.generation AND l.submission = s.id))), \
             waiting AS (SELECT s.*, o.generation AS present, \
             CASE WHEN EXISTS (SELECT 1 FROM result e WHERE e.submission = s.id) \
             THEN 1 ELSE 0 END AS again, \
             CASE WHEN EXISTS (SELECT 1 FROM attempt a WHERE a.ended_at IS NULL \
             AND a.lease_until > $1 AND a.suite = s.suite AND a.module = s.module) \
             THEN 1 ELSE 0 END AS running \
             FROM open o CROSS JOIN submission s CROSS JOIN module m \
             WHERE s.id = o.id AND m.hash = s.module AND m.bytes IS NOT NULL) \
             SELECT ",
            $columns,
            " FROM waiting w LEFT JOIN spent c ON c.owner = w.owner \
             LEFT JOIN busy b ON b.owner = w.owner ",
            $rest
        )
    };
}

const NEXT: &str = waiting!(
    "w.*, MIN(w.received_at) OVER (PARTITION BY w.owner) AS since",
    "WHERE w.running = 0 ORDER BY w.again, COALESCE(b.lanes, 0), \
     CASE WHEN w.owner = (SELECT l.owner FROM attempt l WHERE l.started_at <= $1 \
     ORDER BY l.started_at DESC, l.owner LIMIT 1) THEN 1 ELSE 0 END, \
     COALESCE(c.cost, 0), since, w.owner, w.received_at DESC, w.id LIMIT 1"
);
const STATE: &str = waiting!(
    "CAST(COALESCE(SUM(1 - w.again), 0) AS BIGINT) AS fresh, \
     CAST(COALESCE(SUM(w.again), 0) AS BIGINT) AS again, \
     MIN(CASE WHEN w.again = 0 THEN w.received_at END) AS oldest",
    ""
);
// The account's latest grading on this server gives way, and only if the account has all its lanes.
const IN_THE_WAY: &str = waiting!(
    "COUNT(*) AS many",
    "WHERE w.running = 0 AND w.again <= $3 AND w.owner <> $4 AND b.lanes IS NULL \
     AND $5 <= (SELECT COUNT(*) FROM attempt m WHERE m.ended_at IS NULL AND m.lease_until > $1 \
     AND m.worker = $6 AND m.owner = $4) \
     AND $7 = (SELECT m.submission FROM attempt m WHERE m.ended_at IS NULL \
     AND m.lease_until > $1 AND m.worker = $6 AND m.owner = $4 \
     ORDER BY m.started_at DESC, m.submission LIMIT 1)"
);
const RUNNING: &str =
    "SELECT COUNT(*) AS many FROM attempt WHERE ended_at IS NULL AND lease_until > $1";
const ROUNDS: &str = "SELECT COUNT(*) AS many FROM round o JOIN run n ON n.id = o.run \
    WHERE n.suite = $1 AND n.generation = $2 AND n.module = $3";
// `handed_back` is 0 for failed and 2 for cut off; an attempt without an end has lost its lease.
const TRIES: &str = "SELECT COUNT(*) AS begun, \
    CAST(COALESCE(SUM(CASE WHEN handed_back = 0 AND ended_at IS NOT NULL \
    AND rounds_before >= $3 THEN 1 ELSE 0 END), 0) AS BIGINT) AS vain, \
    CAST(COALESCE(SUM(CASE WHEN (handed_back = 2 OR ended_at IS NULL) \
    AND rounds_before >= $3 THEN 1 ELSE 0 END), 0) AS BIGINT) AS cut FROM attempt \
    WHERE submission = $1 AND generation = $2";
const LEASE: &str = "INSERT INTO attempt (submission, generation, number, suite, person, module, \
    worker, started_at, lease_until, rounds_before, handed_back, owner) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11)";
const OVER: &str = "UPDATE attempt SET ended_at = $3, handed_back = $4 \
    WHERE submission = $1 AND generation = $2 AND ended_at IS NULL";
const RENEW: &str = "UPDATE attempt SET lease_until = $4 \
    WHERE submission = $1 AND generation = $2 AND number = $3 AND ended_at IS NULL";
const COST: &str = "UPDATE attempt SET processor_ms = $4 \
    WHERE submission = $1 AND generation = $2 AND number = $3";
const END: &str = "UPDATE attempt SET ended_at = $4, handed_back = $5 \
    WHERE submission = $1 AND generation = $2 AND number = $3 AND ended_at IS NULL";
const END_ALL: &str =
    "UPDATE attempt SET ended_at = $2, handed_back = $3 WHERE worker = $1 AND ended_at IS NULL";

impl Store {
    /// The next submission to grade, leased to `worker` for that long; none if the queue is empty.
    /// A submission that failed three times gets the result *Judge error* instead.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next_job(
        &self,
        worker: &str,
        lease: Duration,
        now: Timestamp,
    ) -> Result<Option<GradingJob>, Error> {
        loop {
            let mut transaction = self.begin().await?;
            let query = sqlx::query(NEXT).bind(now.millis()).bind(now.before(DAY).millis());
            let Some(row) = query.fetch_optional(&mut *transaction).await? else {
                return Ok(None);
            };
            match begin(transaction, &row, worker, lease, now).await {
                Ok(Some(job)) => return Ok(Some(job)),
                Ok(None) => {}
                // Another server has just begun it.
                Err(Error::Database(error)) if is_taken(&error) => {}
                // It has just been erased, or deleted with its suite.
                Err(Error::Database(error)) if is_orphan(&error) => {}
                // Its course has just been archived.
                Err(Error::Archived) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Extends a lease to that long from now; false if it has expired.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn renew(
        &self,
        job: &GradingJob,
        lease: Duration,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let query = of_job(RENEW, job).bind(now.after(lease).millis());
        Ok(query.execute(&self.pool).await?.rows_affected() > 0)
    }

    /// Records the processor time that a grading has taken so far.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_cost(&self, job: &GradingJob, spent: Duration) -> Result<(), Error> {
        let ms = i64::try_from(spent.as_millis()).unwrap_or(i64::MAX).min(MOST_MS);
        of_job(COST, job).bind(ms).execute(&self.pool).await?;
        Ok(())
    }

    /// True if this grading should be handed back: its account has all `lanes` of that worker,
    /// another account waits without a lane, and no grading of the account began later.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_in_the_way(
        &self,
        job: &GradingJob,
        worker: &str,
        lanes: usize,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let query = sqlx::query(IN_THE_WAY).bind(now.millis()).bind(now.before(DAY).millis());
        let query = query.bind(i64::from(job.is_again)).bind(job.submission.owner.to_string());
        let query = query.bind(i64::try_from(lanes).unwrap_or(i64::MAX)).bind(worker);
        let query = query.bind(job.submission.id.to_string());
        Ok(query.fetch_one(&self.pool).await?.number("many")? > 0)
    }

    /// Ends a failed grading. It counts as one of three if it has added no round.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn job_failed(&self, job: &GradingJob, now: Timestamp) -> Result<(), Error> {
        of_job(END, job).bind(now.millis()).bind(FAILED).execute(&self.pool).await?;
        Ok(())
    }

    /// Ends a grading that was stopped from outside, for example because the server stops.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hand_back(&self, job: &GradingJob, now: Timestamp) -> Result<(), Error> {
        of_job(END, job).bind(now.millis()).bind(HANDED_BACK).execute(&self.pool).await?;
        Ok(())
    }

    /// Ends all leases of a worker. The worker has just started, so it cannot be grading.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end_leases(&self, worker: &str, now: Timestamp) -> Result<(), Error> {
        let query = sqlx::query(END_ALL).bind(worker).bind(now.millis()).bind(CUT_OFF);
        query.execute(&self.pool).await?;
        Ok(())
    }

    /// The state of the queue.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn queue_state(&self, now: Timestamp) -> Result<QueueState, Error> {
        let query = sqlx::query(STATE).bind(now.millis()).bind(now.before(DAY).millis());
        let row = query.fetch_one(&self.pool).await?;
        let running = sqlx::query(RUNNING).bind(now.millis()).fetch_one(&self.pool).await?;
        Ok(QueueState {
            new: row.count("fresh")?,
            again: row.count("again")?,
            running: running.count("many")?,
            oldest: row.maybe_time("oldest")?,
        })
    }
}

/// Leases a submission, or gives it up.
async fn begin(
    mut transaction: Transaction<'static, Any>,
    row: &AnyRow,
    worker: &str,
    lease: Duration,
    now: Timestamp,
) -> Result<Option<GradingJob>, Error> {
    let (submission, generation) = (submission(row)?, row.number("present")?);
    let is_again = row.flag("again")?;
    archive::share_open(&mut transaction, ChangedPart::Suite(&submission.suite)).await?;
    let rounds = rounds(&mut transaction, &submission, generation).await?;
    let query = sqlx::query(TRIES).bind(submission.id.as_str()).bind(generation).bind(rounds);
    let tries = query.fetch_one(&mut *transaction).await?;
    let (begun, vain) = (tries.number("begun")?, tries.number("vain")?);
    if vain >= MOST_TRIES || tries.number("cut")? >= MOST_CUTS {
        results::give_up(&mut transaction, &submission, generation, now).await?;
        suites::advance(&mut transaction, &submission.suite).await?;
        transaction.commit().await?;
        return Ok(None);
    }
    let query = sqlx::query(OVER).bind(submission.id.as_str()).bind(generation);
    query.bind(now.millis()).bind(CUT_OFF).execute(&mut *transaction).await?;
    let is_last = vain + 1 >= MOST_TRIES;
    let job = GradingJob { submission, generation, is_again, attempt: begun + 1, is_last };
    let query = of_job(LEASE, &job).bind(job.submission.suite.to_string());
    let query = query.bind(job.submission.person.to_string());
    let query = query.bind(job.submission.module.to_string()).bind(worker);
    let query = query.bind(now.millis()).bind(now.after(lease).millis()).bind(rounds);
    let query = query.bind(job.submission.owner.to_string());
    query.execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(Some(job))
}

/// Number of stored rounds of a submission's module.
async fn rounds(
    connection: &mut AnyConnection,
    submission: &Submission,
    generation: i64,
) -> Result<i64, Error> {
    let query = sqlx::query(ROUNDS).bind(submission.suite.as_str()).bind(generation);
    let query = query.bind(submission.module.to_string());
    Ok(query.fetch_one(connection).await?.number("many")?)
}

/// A statement about one attempt.
fn of_job(
    sql: &'static str,
    job: &GradingJob,
) -> sqlx::query::Query<'static, Any, sqlx::any::AnyArguments> {
    let submission = job.submission.id.to_string();
    sqlx::query(sql).bind(submission).bind(job.generation).bind(job.attempt)
}
