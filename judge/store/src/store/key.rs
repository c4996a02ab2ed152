//! The private key of the server's signatures. It is in the database, so that every copy of the
//! database contains it. No other file reads or writes its table.

use sqlx::{AnyPool, Row as _};

use super::Store;
use crate::basics::error::Error;

const READ: &str = "SELECT secret FROM signing_key";
const KEEP: &str =
    "INSERT INTO signing_key (id, secret) VALUES (1, $1) ON CONFLICT (id) DO NOTHING";
/// A row if the database has people or a key.
const IN_USE: &str = "SELECT 1 FROM person UNION ALL SELECT 1 FROM signing_key LIMIT 1";

impl Store {
    /// The private key of signatures. It is missing if the database lost it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn signing_key(&self) -> Result<Option<[u8; 32]>, Error> {
        let row = sqlx::query(READ).fetch_optional(&self.pool).await?;
        let Some(row) = row else { return Ok(None) };
        let secret: Vec<u8> = row.try_get("secret")?;
        // Both schemas enforce this length.
        Ok(secret.try_into().ok())
    }

    /// Creates a key if the database has none; true if it did.
    ///
    /// # Errors
    /// When the database or the system's random numbers fail.
    pub async fn new_signing_key(&self) -> Result<bool, Error> {
        make(&self.pool).await
    }
}

/// Creates the key of a database without people. A database with people had a key: a new one would
/// hide that the old one is missing.
pub(super) async fn begin(pool: &AnyPool) -> Result<(), Error> {
    if sqlx::query(IN_USE).fetch_optional(pool).await?.is_none() {
        make(pool).await?;
    }
    Ok(())
}

async fn make(pool: &AnyPool) -> Result<bool, Error> {
    let mut secret = vec![0; 32];
    getrandom::fill(&mut secret).map_err(|error| Error::Random(error.to_string()))?;
    let made = sqlx::query(KEEP).bind(secret).execute(pool).await?;
    Ok(made.rows_affected() > 0)
}
