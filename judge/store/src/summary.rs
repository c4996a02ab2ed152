//! The content of a database in numbers, for messages about copies.

use std::path::Path;

use sqlx::{AnyConnection, Connection as _};

use crate::address::sqlite_url;
use crate::basics::error::Error;
use crate::basics::time::Timestamp;
use crate::row::Columns as _;

const COUNT: &str = "SELECT (SELECT COUNT(*) FROM person) AS people, \
    (SELECT COUNT(*) FROM submission) AS submissions, \
    (SELECT MAX(received_at) FROM submission) AS latest, \
    (SELECT COUNT(*) FROM signing_key) AS keys";

/// The content of a copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Number of people.
    pub people: u64,
    /// Number of submissions.
    pub submissions: u64,
    /// Moment of the latest submission.
    pub latest: Option<Timestamp>,
    /// True if the copy contains the key of the server's signatures.
    pub has_key: bool,
}

/// Counts the content of an SQLite file.
pub(crate) async fn count(path: &Path) -> Result<Summary, Error> {
    let mut connection = AnyConnection::connect(&sqlite_url(path, false)).await?;
    let row = sqlx::query(COUNT).fetch_one(&mut connection).await?;
    let summary = Summary {
        people: row.count("people")?,
        submissions: row.count("submissions")?,
        latest: row.maybe_time("latest")?,
        has_key: row.flag("keys")?,
    };
    connection.close().await?;
    Ok(summary)
}
