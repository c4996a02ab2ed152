//! Databases for tests. Each test has a separate one, in SQLite or in a PostgreSQL server that is
//! started here and ends with the test program.

pub(crate) mod conformance;

use std::path::{Path, PathBuf};

use judge_store::{Address, Store};
use judge_test_support::postgres;
pub(crate) use judge_test_support::run;
use tempfile::TempDir;

/// An empty database.
pub(crate) struct EmptyDatabase {
    pub(crate) address: Address,
    folder: TempDir,
}

impl EmptyDatabase {
    /// A file that does not exist yet.
    pub(crate) fn sqlite() -> EmptyDatabase {
        let folder = tempfile::tempdir().unwrap();
        EmptyDatabase { address: Address::Sqlite(folder.path().join("judge.db")), folder }
    }

    /// A database in a PostgreSQL server; none if that is not installed.
    pub(crate) fn postgres() -> Option<EmptyDatabase> {
        let address = postgres::database()?.parse().unwrap();
        Some(EmptyDatabase { address, folder: tempfile::tempdir().unwrap() })
    }

    /// Opens the database. SQLite allows only one open store at a time.
    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.address).await.unwrap()
    }

    /// A folder next to it.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The file, only for tests of SQLite.
    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("judge.db")
    }
}

/// Runs a test on SQLite.
pub(crate) fn on_sqlite(test: impl AsyncFnOnce(EmptyDatabase)) {
    run(test(EmptyDatabase::sqlite()));
}

/// Runs a test on PostgreSQL, if that is installed.
pub(crate) fn on_postgres(test: impl AsyncFnOnce(EmptyDatabase)) {
    let Some(place) = EmptyDatabase::postgres() else {
        println!("skipped: PostgreSQL is not installed (`apt-get install postgresql`)");
        return;
    };
    run(test(place));
}

/// Defines a test of each function for SQLite, and one for PostgreSQL.
#[macro_export]
macro_rules! on_both {
    ($($name:ident)*) => {
        mod sqlite {
            $(#[test] fn $name() { $crate::support::on_sqlite(super::$name); })*
        }
        mod postgres {
            $(#[test] fn $name() { $crate::support::on_postgres(super::$name); })*
        }
    };
}
