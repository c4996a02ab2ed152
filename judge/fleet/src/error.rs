//! What can go wrong between machines and the database.

/// Errors of a fleet.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database fails or cannot be reached.
    #[error("the database of the fleet fails: {0}")]
    Database(#[from] sqlx::Error),
    /// The schema cannot be brought up to date.
    #[error("the schema of the fleet cannot be made: {0}")]
    Schema(#[from] sqlx::migrate::MigrateError),
    /// The queue fails.
    #[error("the queue of the fleet fails: {0}")]
    Queue(String),
    /// What stands in the database is no batch.
    #[error("batch `{batch}` cannot be read: {what}")]
    Unreadable {
        /// Number of the batch.
        batch: i64,
        /// What is wrong with it.
        what: String,
    },
    /// A module or table that a batch needs is not there.
    #[error("`{0}` is not in the database")]
    NoBytes(String),
    /// A role has a name that would need quotes.
    #[error("`{0}` is no plain name of a role; hint: lower-case letters, digits and `_`")]
    Role(String),
    /// The machine has told something that another one contradicts.
    #[error("this machine, `{name}`, is not trusted any more: {why}; hint: `judge-worker trust`")]
    Distrusted {
        /// Name of the machine.
        name: String,
        /// Why.
        why: String,
    },
}
