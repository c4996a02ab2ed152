//! Leases: time-limited rights to play a batch, by the database's clock.

use std::convert::Infallible;
use std::sync::Arc;

use sqlx::Row as _;

use super::MachineSession;
use crate::Error;

/// Takes the lease on a batch without a lease or result.
const TAKE: &str = "UPDATE batch SET holder = $2, \
    lease_until = now() + $3::float8 * interval '1 second', tries = tries + 1 \
    WHERE id = $1 AND fingerprint = $4 AND (lease_until IS NULL OR lease_until < now() \
    OR lease_until > now() + interval '2 hours') \
    AND not_for IS DISTINCT FROM $2 \
    AND NOT EXISTS (SELECT 1 FROM outcome o WHERE o.batch = batch.id) \
    AND NOT EXISTS (SELECT 1 FROM machine m WHERE m.name = $2 AND m.distrusted IS NOT NULL) \
    RETURNING rounds, tries";
const RENEW: &str = "UPDATE batch SET lease_until = now() + $4::float8 * interval '1 second' \
    WHERE id = $1 AND holder = $2 AND tries = $3";
/// Hands a batch back, as if it had not been begun if the last parameter is 1.
const LET_GO: &str = "UPDATE batch SET lease_until = NULL, tries = tries - $4 \
    WHERE id = $1 AND holder = $2 AND tries = $3";
/// Writes a result, unless the batch has one or is not needed any more.
const TELL: &str = "INSERT INTO outcome (batch, machine, told) \
    SELECT $1, $2, $3 WHERE EXISTS (SELECT 1 FROM batch WHERE id = $1) \
    ON CONFLICT (batch) DO NOTHING";
/// Writes a late result of a batch that already has one.
const TELL_LATE: &str = "INSERT INTO afterthought (batch, machine, told) \
    SELECT $1, $2, $3 WHERE EXISTS (SELECT 1 FROM batch WHERE id = $1) \
    ON CONFLICT (batch, machine) DO NOTHING";

/// The lease on a batch.
pub(super) struct Lease {
    session: Arc<MachineSession>,
    batch: String,
    tries: i16,
}

impl Lease {
    /// Takes the lease and reads the rounds; none if another machine has the lease, or the batch
    /// has a result.
    pub(super) async fn take(
        session: &Arc<MachineSession>,
        batch: &str,
    ) -> Result<Option<(Lease, String)>, Error> {
        let name = &session.settings.name;
        let query = sqlx::query(TAKE).bind(batch).bind(name);
        let query = query.bind(session.settings.lease.as_secs_f64()).bind(&session.fingerprint);
        let Some(row) = query.fetch_optional(&session.db).await? else { return Ok(None) };
        let lease = Lease {
            session: Arc::clone(session),
            batch: batch.to_owned(),
            tries: row.try_get("tries")?,
        };
        Ok(Some((lease, row.try_get("rounds")?)))
    }

    /// Number of the batch.
    pub(super) fn batch(&self) -> &str {
        &self.batch
    }

    /// True if another machine began it and was lost, or could not play it.
    pub(super) fn was_lost(&self) -> bool {
        self.tries > 1
    }

    /// Renews the lease until this is dropped. Playing continues after a lost lease: the result is
    /// then compared with the other machine's.
    pub(super) async fn keep(&self) -> Infallible {
        let settings = &self.session.settings;
        loop {
            tokio::time::sleep(settings.lease / 4).await;
            let query = sqlx::query(RENEW).bind(&self.batch).bind(&settings.name).bind(self.tries);
            let renewed = query.bind(settings.lease.as_secs_f64()).execute(&self.session.db).await;
            if let Err(error) = renewed {
                tracing::warn!(batch = self.batch, %error, "cannot renew the lease");
            }
        }
    }

    /// Hands the batch back: as if it had not been begun, or as one that could not be played.
    pub(super) async fn let_go(&self, not_begun: bool) {
        let query = sqlx::query(LET_GO).bind(&self.batch).bind(&self.session.settings.name);
        if let Err(error) =
            query.bind(self.tries).bind(i16::from(not_begun)).execute(&self.session.db).await
        {
            tracing::warn!(batch = self.batch, %error, "cannot return the batch");
        }
    }

    /// Writes the result of the batch; false if it already has one, or is not needed any more.
    pub(super) async fn write_results(&self, told: &str) -> Result<bool, Error> {
        let (db, name) = (&self.session.db, &self.session.settings.name);
        let write = |sql| sqlx::query(sql).bind(&self.batch).bind(name).bind(told).execute(db);
        let is_first = write(TELL).await?.rows_affected() > 0;
        if !is_first {
            write(TELL_LATE).await?;
        }
        Ok(is_first)
    }
}
