//! A copy of the database while it is in use.

use std::path::Path;

use sqlx::{AnyConnection, Connection as _};

use crate::address::{Address, sqlite_url};
use crate::basics::error::Error;

/// Writes a copy of the database as it is at this moment into a new file. The server that uses the
/// database goes on; it need not be the one that asks.
///
/// # Errors
/// When the file exists or cannot be written, the database cannot be read, or it is PostgreSQL's,
/// which has a program of its own for this.
pub async fn backup(address: &Address, to: &Path) -> Result<(), Error> {
    sqlx::any::install_default_drivers();
    let Address::Sqlite(from) = address else {
        let hint = "`pg_dump --format=custom` copies a database of PostgreSQL's while it is in use";
        return Err(Error::Unsupported { what: "only SQLite's databases are copied here", hint });
    };
    // It must not overwrite anything, and what holds people's names is nobody else's to read.
    drop(crate::file::create(to)?);
    let copied = copy(from, to).await;
    if copied.is_err() {
        // Half a copy would pass for a backup.
        let _ = std::fs::remove_file(to);
    }
    copied
}

async fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let mut connection = AnyConnection::connect(&sqlite_url(from, false)).await?;
    let path = to.to_string_lossy().into_owned();
    sqlx::query("VACUUM INTO $1").bind(path).execute(&mut connection).await?;
    connection.close().await?;
    let file = std::fs::File::options().write(true).open(to);
    let synced = file.and_then(|file| file.sync_all());
    synced.map_err(|source| Error::File { path: to.to_owned(), source })
}
