//! Errors between machines and the database.

use std::borrow::Cow;

use graphile_worker::DbError;

/// Errors of a fleet.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database fails or cannot be reached.
    #[error("the fleet's database fails: {0}")]
    Database(#[from] sqlx::Error),
    /// The schema cannot be brought up to date.
    #[error("cannot create the fleet's tables: {0}")]
    Schema(#[from] sqlx::migrate::MigrateError),
    /// The queue fails.
    #[error("the fleet's queue fails: {what}")]
    Queue {
        /// The error's text.
        what: String,
        /// The database's code, if it was the database.
        code: Option<String>,
    },
    /// The address is not that of a PostgreSQL database.
    #[error(
        "`{0}` is not the address of a PostgreSQL database; \
         hint: `postgres://user:password@host/database`"
    )]
    Address(String),
    /// A row is not a valid batch.
    #[error("batch `{batch}` cannot be read: {what}")]
    Unreadable {
        /// Number of the batch.
        batch: String,
        /// The error.
        what: String,
    },
    /// A module or table that a batch needs is not there.
    #[error("`{0}` is not in the database")]
    NoBytes(String),
    /// Rounds cannot be played here.
    #[error("cannot play rounds: {0}")]
    Play(String),
    /// The name of a role would need quotes.
    #[error("`{0}` is not a valid role name; hint: use lower-case letters, digits and `_`")]
    Role(String),
    /// The machine is unknown.
    #[error("no machine is named `{0}`; hint: `judge-worker status` lists them")]
    NoMachine(String),
    /// The machine reported a false result.
    #[error(
        "this machine, `{name}`, is not trusted any more: {why}; hint: find out why, then \
         `judge-worker trust {name}`"
    )]
    Distrusted {
        /// Name of the machine.
        name: String,
        /// The reason.
        why: String,
    },
}

impl Error {
    /// True if the database cannot be used for the moment and a later attempt may succeed.
    pub fn is_outage(&self) -> bool {
        match (self, self.code()) {
            (_, Some(code)) => is_passing(&code),
            (Error::Queue { .. }, None) => true,
            (Error::Database(error), None) => matches!(
                error,
                sqlx::Error::Io(_)
                    | sqlx::Error::PoolTimedOut
                    | sqlx::Error::WorkerCrashed
                    | sqlx::Error::Protocol(_)
                    | sqlx::Error::Tls(_)
            ),
            _ => false,
        }
    }

    /// True if tables or queue are not there yet (42P01, 3F000), or the role has no rights on them
    /// yet (42501), as before the first run or before `judge-worker setup`.
    pub(crate) fn is_of_missing_tables(&self) -> bool {
        self.code().is_some_and(|code| matches!(&*code, "42P01" | "3F000" | "42501"))
    }

    /// PostgreSQL's code of the failure.
    fn code(&self) -> Option<Cow<'_, str>> {
        match self {
            Error::Database(sqlx::Error::Database(error)) => error.code(),
            Error::Queue { code, .. } => code.as_deref().map(Cow::Borrowed),
            _ => None,
        }
    }
}

impl Error {
    /// True if a row refers to another one that the database does not have (any more).
    pub(crate) fn is_of_lost_rows(&self) -> bool {
        let Error::Database(sqlx::Error::Database(error)) = self else { return false };
        error.is_foreign_key_violation()
    }
}

/// The text of the queue's error, with the database's code from its sources.
pub(crate) fn queue_error(error: &(dyn std::error::Error + 'static)) -> Error {
    let reasons = std::iter::successors(Some(error), |error| error.source());
    let code = reasons.filter_map(|reason| reason.downcast_ref::<DbError>()?.code()).next();
    Error::Queue { what: error.to_string(), code: code.map(str::to_owned) }
}

/// True if a PostgreSQL error with that code is temporary: connections (08), another transaction
/// (40), resources (53: disk full, too many connections), an operator's action (57: shutdown or
/// start), the system (58), a lock time-out (55P03), and a database that only reads (25006), such
/// as a standby during a failover.
fn is_passing(code: &str) -> bool {
    matches!(code.get(..2), Some("08" | "40" | "53" | "57" | "58"))
        || matches!(code, "25006" | "55P03")
}
