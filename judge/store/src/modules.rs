//! Modules by their hash. The bytes of each are stored once.

use judge_core::{Digest, digest};
use sqlx::{AnyConnection, Row as _};

use crate::basics::error::Error;
use crate::basics::time::Timestamp;
use crate::row::Columns as _;
use crate::store::Store;

const INSERT: &str = "INSERT INTO module (hash, size, bytes, received_at) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (hash) DO UPDATE SET size = excluded.size, bytes = excluded.bytes \
    WHERE module.bytes IS NULL";
const INSERT_UNKNOWN: &str = "INSERT INTO module (hash, size, received_at) VALUES ($1, 0, $2) \
    ON CONFLICT (hash) DO NOTHING";
const KNOWN: &str = "SELECT CASE WHEN bytes IS NULL THEN 0 ELSE 1 END AS known FROM module \
    WHERE hash = $1";
const READ: &str = "SELECT bytes FROM module WHERE hash = $1";

impl Store {
    /// The bytes of a module; none if the database does not have them.
    ///
    /// # Errors
    /// [`Error::Damaged`] when these are other bytes than those that were stored; when the database
    /// fails.
    pub async fn module(&self, hash: &Digest) -> Result<Option<Vec<u8>>, Error> {
        let query = sqlx::query(READ).bind(hash.to_string());
        let Some(row) = query.fetch_optional(&self.pool).await? else { return Ok(None) };
        let bytes: Option<Vec<u8>> = row.try_get("bytes")?;
        match bytes.as_deref().is_none_or(|bytes| digest(bytes) == *hash) {
            true => Ok(bytes),
            false => {
                let path = self.address().to_string();
                Err(Error::Damaged { path, what: format!("module `{hash}` was changed") })
            }
        }
    }
}

/// Stores a module.
pub(crate) async fn keep(
    connection: &mut AnyConnection,
    bytes: &[u8],
    now: Timestamp,
) -> Result<Digest, Error> {
    let hash = digest(bytes);
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let query = sqlx::query(INSERT).bind(hash.to_string()).bind(size).bind(bytes.to_vec());
    query.bind(now.millis()).execute(connection).await?;
    Ok(hash)
}

/// Records a module of which only the hash is known; true if the database has its bytes already.
pub(crate) async fn note(
    connection: &mut AnyConnection,
    hash: &Digest,
    now: Timestamp,
) -> Result<bool, Error> {
    let query = sqlx::query(INSERT_UNKNOWN).bind(hash.to_string()).bind(now.millis());
    query.execute(&mut *connection).await?;
    let known = sqlx::query(KNOWN).bind(hash.to_string()).fetch_one(connection).await?;
    Ok(known.flag("known")?)
}
