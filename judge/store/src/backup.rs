//! Copies the database while it is in use.

use std::fs::File;
use std::io;
use std::path::Path;

use sqlx::{AnyConnection, Connection as _};

use crate::address::{Address, sqlite_url};
use crate::basics::error::Error;
use crate::checksum;
use crate::file;
use crate::store::{check, layout};
use crate::summary::{Summary, count};

/// Writes a copy of the current database into a new file that only its owner can read, checks it, and
/// writes its checksum next to it. A server can use the database meanwhile. The copy contains the signing key.
///
/// # Errors
/// When the file exists or cannot be written, the database cannot be read, or it is in PostgreSQL,
/// which has programs for this.
pub async fn backup(address: &Address, to: &Path) -> Result<Summary, Error> {
    sqlx::any::install_default_drivers();
    let Address::Sqlite(from) = address else {
        let hint = "`pg_dump --format=custom` copies a PostgreSQL database while it is in use, with \
                    the signing key";
        return Err(Error::Unsupported { what: "`backup` copies only SQLite databases", hint });
    };
    let unusable = |path: &Path, source| Error::File { path: path.to_owned(), source };
    std::fs::metadata(from).map_err(|source| unusable(from, source))?;
    for new in [to.to_owned(), checksum::checksum_file(to)] {
        if new.symlink_metadata().is_ok() {
            return Err(unusable(&new, io::ErrorKind::AlreadyExists.into()));
        }
    }
    // The copy gets its name when it is complete, so that half a copy never passes for a backup.
    let folder = file::folder(to);
    let place = tempfile::Builder::new().prefix(".judge-backup-").tempfile_in(folder);
    let place = place.map_err(|source| unusable(to, source))?;
    copy(from, place.path()).await?;
    // What `restore` would refuse must not pass for a backup.
    let fault = match check::copy(place.path()).await? {
        None => layout::difference_if_newest(place.path()).await?,
        fault => fault,
    };
    if let Some(what) = fault {
        return Err(Error::Damaged { path: from.display().to_string(), what });
    }
    let summary = count(place.path()).await?;
    // SQLite wrote through another handle, and a sync of any handle covers the file.
    place.as_file().sync_all().map_err(|source| unusable(to, source))?;
    let placed: io::Result<File> = place.persist_noclobber(to).map_err(|error| error.error);
    placed.and_then(|_| checksum::write(to)).map_err(|source| unusable(to, source))?;
    file::sync_folder(folder).map_err(|source| unusable(to, source))?;
    Ok(summary)
}

async fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let mut connection = AnyConnection::connect(&sqlite_url(from, false)).await?;
    let path = to.to_string_lossy().into_owned();
    sqlx::query("VACUUM INTO $1").bind(path).execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}
