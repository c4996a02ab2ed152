//! Looks at a file before anything is written to it.

use std::path::Path;

use sqlx::error::DatabaseError;
use sqlx::{AnyConnection, Connection as _};

use crate::address::sqlite_url;
use crate::basics::error::Error;

/// `judg`, which every database of ours has in its header.
const APPLICATION: i64 = 0x6a75_6467;

/// SQLite's primary codes for a damaged file, and for one that is no database.
const DAMAGED: [i64; 2] = [11, 26];

/// Refuses a file that is damaged or another program's. One that is not there or empty is fine.
pub(super) async fn file(path: &Path) -> Result<(), Error> {
    match std::fs::metadata(path) {
        Ok(found) if found.len() > 0 => {}
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(Error::File { path: path.to_owned(), source }),
    }
    let checked = async {
        let mut connection = AnyConnection::connect(&sqlite_url(path, false)).await?;
        let found = look(&mut connection).await;
        connection.close().await?;
        found
    };
    match checked.await.map_err(|error| told(path, error))? {
        Found::Ours => Ok(()),
        Found::Foreign => Err(Error::Foreign { path: path.display().to_string() }),
        Found::Damage(what) => Err(Error::Damaged { path: path.display().to_string(), what }),
    }
}

enum Found {
    Ours,
    Foreign,
    Damage(String),
}

async fn look(connection: &mut AnyConnection) -> Result<Found, sqlx::Error> {
    let application: i64 =
        sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await?;
    let tables: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_schema")
        .fetch_one(&mut *connection)
        .await?;
    if application != APPLICATION && tables > 0 {
        return Ok(Found::Foreign);
    }
    let what: String =
        sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(&mut *connection).await?;
    Ok(if what == "ok" { Found::Ours } else { Found::Damage(what) })
}

/// An error of the database, as damage if it is that.
pub(super) fn told(path: &Path, error: sqlx::Error) -> Error {
    let code = error.as_database_error().and_then(DatabaseError::code);
    let code = code.and_then(|code| code.parse::<i64>().ok());
    match code {
        Some(code) if DAMAGED.contains(&(code & 0xff)) => {
            Error::Damaged { path: path.display().to_string(), what: error.to_string() }
        }
        _ => error.into(),
    }
}
