//! Checks a file before anything is written to it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use sqlx::error::DatabaseError;
use sqlx::{AnyConnection, Connection as _, Row as _};

use judge_core::digest;

use crate::address::sqlite_url;
use crate::basics::error::Error;
use crate::row::Columns as _;

/// `judg`, the application id in the header of our databases.
const APPLICATION: i64 = 0x6a75_6467;

/// SQLite's primary codes for a damaged file, and for one that is not a database.
const DAMAGED: [i64; 2] = [11, 26];

/// Refuses a file that is damaged or another program's. A missing or empty file is accepted.
pub(super) async fn file(path: &Path) -> Result<(), Error> {
    match std::fs::metadata(path) {
        Ok(found) if found.len() > 0 => {}
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(Error::File { path: path.to_owned(), source }),
    }
    match found(path, QUICK).await? {
        FileContent::Foreign => Err(Error::Foreign { path: path.display().to_string() }),
        FileContent::Damage(what) => Err(Error::Damaged { path: path.display().to_string(), what }),
        FileContent::Ours | FileContent::Empty => Ok(()),
    }
}

/// Checks every page, index, reference and module of a copy. The result names the fault, if there is one.
pub(crate) async fn copy(path: &Path) -> Result<Option<String>, Error> {
    let unreadable = |source| Error::File { path: path.to_owned(), source };
    if ends_within_a_page(path).map_err(unreadable)? {
        return Ok(Some("it is damaged or incomplete: its last page is cut off".to_owned()));
    }
    Ok(match found(path, WHOLE).await {
        Ok(FileContent::Ours) => None,
        Ok(FileContent::Empty) => Some("it contains no database".to_owned()),
        Ok(FileContent::Foreign) => Some("it is a database of another program".to_owned()),
        Ok(FileContent::Damage(what)) | Err(Error::Damaged { what, .. }) => {
            Some(format!("it is damaged or incomplete: {what}"))
        }
        Err(error) => return Err(error),
    })
}

/// True for a file that is longer than the header of a database and ends within a page. SQLite
/// reads the missing bytes of the last page as zeros.
fn ends_within_a_page(path: &Path) -> io::Result<bool> {
    let mut header = [0; 18];
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    if length < 100 || file.read_exact(&mut header).is_err() || !header.starts_with(b"SQLite") {
        return Ok(false);
    }
    // The number 1 stands for 65,536.
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    Ok(page == 0 || length % page != 0)
}

/// Finds damage in the order of pages and records.
const QUICK: &str = "PRAGMA quick_check(1)";

/// Finds damage in indices too.
const WHOLE: &str = "PRAGMA integrity_check(1)";

/// Finds the table of modules.
const MODULES: &str = "SELECT 1 FROM sqlite_schema WHERE name = 'module'";

const STORED: &str = "SELECT hash FROM module WHERE bytes IS NOT NULL ORDER BY hash";
const MODULE: &str = "SELECT bytes FROM module WHERE hash = $1";

/// Finds a module without its bytes. One that was never stored has no size either.
const LOST: &str = "SELECT hash FROM module WHERE bytes IS NULL AND size > 0 ORDER BY hash LIMIT 1";

/// The content of a file.
enum FileContent {
    Ours,
    Empty,
    Foreign,
    Damage(String),
}

async fn found(path: &Path, check: &'static str) -> Result<FileContent, Error> {
    let checked = async {
        let mut connection = AnyConnection::connect(&sqlite_url(path, false)).await?;
        let found = look(&mut connection, check).await;
        connection.close().await?;
        found
    };
    checked.await.map_err(|error| with_damage(path, error))
}

async fn look(
    connection: &mut AnyConnection,
    check: &'static str,
) -> Result<FileContent, sqlx::Error> {
    let application: i64 =
        sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await?;
    let tables: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_schema")
        .fetch_one(&mut *connection)
        .await?;
    match (application == APPLICATION, tables) {
        (true, 1..) => {}
        (false, 1..) => return Ok(FileContent::Foreign),
        _ => return Ok(FileContent::Empty),
    }
    let what: String = sqlx::query_scalar(check).fetch_one(&mut *connection).await?;
    if what != "ok" {
        return Ok(FileContent::Damage(what));
    }
    if check == WHOLE {
        let lost = sqlx::query("PRAGMA foreign_key_check").fetch_optional(&mut *connection).await?;
        if lost.is_some() {
            return Ok(FileContent::Damage("rows refer to missing rows".to_owned()));
        }
        // A copy of an earlier version may have no such table.
        let known = sqlx::query(MODULES).fetch_optional(&mut *connection).await?;
        if known.is_some()
            && let Some(what) = module_fault(connection).await?
        {
            return Ok(FileContent::Damage(what));
        }
    }
    Ok(FileContent::Ours)
}

/// The first module whose bytes are missing, or others than those that were stored; none if all are
/// intact.
async fn module_fault(connection: &mut AnyConnection) -> Result<Option<String>, sqlx::Error> {
    let lost: Option<String> = sqlx::query_scalar(LOST).fetch_optional(&mut *connection).await?;
    if let Some(hash) = lost {
        return Ok(Some(format!("module `{hash}` is missing")));
    }
    for row in sqlx::query(STORED).fetch_all(&mut *connection).await? {
        let hash = row.text("hash")?;
        let read = sqlx::query(MODULE).bind(hash.clone()).fetch_one(&mut *connection).await?;
        let bytes: Option<Vec<u8>> = read.try_get("bytes")?;
        if bytes.is_some_and(|bytes| digest(&bytes).to_string() != hash) {
            return Ok(Some(format!("module `{hash}` was changed")));
        }
    }
    Ok(None)
}

/// Converts an error of the database, with damage as [`Error::Damaged`].
pub(super) fn with_damage(path: &Path, error: sqlx::Error) -> Error {
    let code = error.as_database_error().and_then(DatabaseError::code);
    let code = code.and_then(|code| code.parse::<i64>().ok());
    match code {
        Some(code) if DAMAGED.contains(&(code & 0xff)) => {
            Error::Damaged { path: path.display().to_string(), what: error.to_string() }
        }
        _ => error.into(),
    }
}
