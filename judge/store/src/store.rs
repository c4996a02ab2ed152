//! Opens a database: checks it, brings its schema up to date, and refuses unknown databases.

pub(crate) mod check;
mod key;
pub(crate) mod layout;
mod schema;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sqlx::any::AnyPoolOptions;
use sqlx::error::DatabaseError;
use sqlx::{Any, AnyPool, Connection as _, SqlSafeStr as _, Transaction};

use crate::address::{Address, sqlite_url};
use crate::basics::error::Error;
use crate::basics::id::PersonId;
use crate::basics::time::Timestamp;

/// Connections to one database at most: more only wait for each other.
const CONNECTIONS: u32 = 8;

/// Settings of each connection to SQLite. A commit is on the disk when it returns, and deleted
/// data is overwritten.
const PRAGMAS: &str = "PRAGMA busy_timeout = 20000; PRAGMA journal_mode = WAL; \
                       PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
                       PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; \
                       PRAGMA secure_delete = ON";

/// Settings of each connection to PostgreSQL. A timeout is needed because other roles can lock: a
/// machine's role can take any advisory lock.
const TIME_OUTS: &str = "SET lock_timeout = '20s'; SET idle_in_transaction_session_timeout = '60s'";

/// Moves all changes into the database's file, and empties the log.
const EMPTY_LOG: &str = "PRAGMA wal_checkpoint(TRUNCATE)";
/// Begins a transaction as a writer, because a transaction that has to wait for a lock later fails.
const BEGIN_SQLITE: &str = "BEGIN IMMEDIATE";

/// The person who acts, and the moment; without a person, the operator.
#[derive(Debug, Clone)]
pub(crate) struct Actor {
    pub(crate) by: Option<PersonId>,
    pub(crate) at: Timestamp,
}

/// An open database.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) pool: AnyPool,
    address: Address,
    /// True while the use of a token is being noted.
    pub(crate) notes: Arc<AtomicBool>,
    /// The person to whom the log attributes acts.
    pub(crate) actor: Option<Actor>,
    /// Held while the database of a file is open.
    _lock: Option<Arc<File>>,
}

impl Store {
    /// Opens a database. A missing file is created; an older schema is brought up to date.
    ///
    /// # Errors
    /// When it cannot be reached, is in use by another process, damaged, of another program, or of
    /// a later version. It is then unchanged.
    pub async fn open(address: &Address) -> Result<Store, Error> {
        sqlx::any::install_default_drivers();
        match address {
            Address::Sqlite(path) => Store::open_file(address, path).await,
            Address::Postgres(url) => {
                let options = options().after_connect(|connection, _| {
                    Box::pin(async move {
                        sqlx::raw_sql(TIME_OUTS).execute(connection).await.map(|_| ())
                    })
                });
                let pool = options.connect(url).await?;
                let store = Store::new(pool, address, None);
                schema::update(&store.pool, address).await?;
                if let Some(what) = layout::missing(&store.pool).await? {
                    return Err(Error::Damaged { path: address.to_string(), what });
                }
                key::begin(&store.pool).await?;
                Ok(store)
            }
        }
    }

    async fn open_file(address: &Address, path: &Path) -> Result<Store, Error> {
        let lock = Some(Arc::new(lock(path)?));
        if !path.exists() {
            // Only the owner can read it, because it will contain names and the keys of hidden
            // testcases.
            crate::file::create(path)?;
        }
        check::file(path).await?;
        // A file does not go away like a server, so connections need no test before each use.
        let options = options().test_before_acquire(false).after_connect(|connection, _| {
            Box::pin(async move { sqlx::raw_sql(PRAGMAS).execute(connection).await.map(|_| ()) })
        });
        let pool = options.connect(&sqlite_url(path, true)).await;
        let pool = pool.map_err(|error| check::with_damage(path, error))?;
        schema::update(&pool, address).await?;
        key::begin(&pool).await?;
        Ok(Store::new(pool, address, lock))
    }

    fn new(pool: AnyPool, address: &Address, lock: Option<Arc<File>>) -> Store {
        let (notes, actor) = (Arc::default(), None);
        Store { pool, address: address.clone(), notes, actor, _lock: lock }
    }

    /// The address of the database.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), Error> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    /// Waits for the queries under way and closes the database. The last connection to a file
    /// writes the log of changes into it and removes the log, so that the file is complete.
    pub async fn close(self) {
        self.pool.close().await;
    }

    /// Empties the log of changes next to an SQLite database, which still has deleted data. A reader
    /// that is under way can keep parts of it until the next time.
    pub(crate) async fn empty_log(&self) -> Result<(), Error> {
        if let Address::Sqlite(_) = self.address {
            sqlx::query(EMPTY_LOG).fetch_all(&self.pool).await?;
        }
        Ok(())
    }

    /// Begins a transaction that writes.
    pub(crate) async fn begin(&self) -> Result<Transaction<'static, Any>, Error> {
        Ok(match self.address {
            Address::Sqlite(_) => self.pool.begin_with(BEGIN_SQLITE.into_sql_str()).await?,
            Address::Postgres(_) => self.pool.begin().await?,
        })
    }
}

/// Settings of the connection pool. A connection that a failure left inside a transaction is not
/// reused: after a rollback by SQLite itself, as on a full disk, the driver still believes in the
/// transaction, and every further write on that connection would fail.
fn options() -> AnyPoolOptions {
    let options = AnyPoolOptions::new().max_connections(CONNECTIONS);
    options.before_acquire(|connection, _| {
        Box::pin(async move { Ok(!connection.is_in_transaction()) })
    })
}

/// Locks the database in that file for this process, even if it is named by a link. The lock is on
/// a separate file, because SQLite locks the database's file itself. The system releases it when
/// the process ends, even if it is killed.
pub(crate) fn lock(path: &Path) -> Result<File, Error> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = crate::file::with_suffix(&real, ".lock");
    let file = File::options().write(true).create(true).truncate(false).open(&name);
    let file = file.map_err(|source| Error::File { path: name, source })?;
    match judge_arena::lock(&file) {
        true => Ok(file),
        false => Err(Error::Busy { path: path.to_owned() }),
    }
}

/// True if a row refers to one that has just been deleted.
pub(crate) fn is_orphan(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(DatabaseError::is_foreign_key_violation)
}

/// True if a row violated a uniqueness constraint.
pub(crate) fn is_taken(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(DatabaseError::is_unique_violation)
}
