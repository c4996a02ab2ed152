//! Versions of the schema, and the migrations between them.

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyPool, SqlSafeStr as _};

use crate::address::Address;
use crate::basics::error::Error;

/// Defines a version of the schema: number, name, and the migrations for SQLite and PostgreSQL.
macro_rules! step {
    ($number:literal, $name:literal, $file:literal) => {
        (
            $number,
            $name,
            [
                include_str!(concat!("../../migrations/sqlite/", $file)),
                include_str!(concat!("../../migrations/postgres/", $file)),
            ],
        )
    };
}

/// Versions of the schema, in order.
const STEPS: &[(i64, &str, [&str; 2])] = &[
    step!(1, "begin", "0001_begin.sql"),
    step!(2, "ladder", "0002_ladder.sql"),
    step!(3, "groups", "0003_groups.sql"),
    step!(4, "lti", "0004_lti.sql"),
    step!(5, "comments", "0005_comments.sql"),
    step!(6, "preview", "0006_preview.sql"),
];

/// The number of the newest version.
pub(super) fn newest() -> i64 {
    STEPS.iter().map(|(version, ..)| *version).max().unwrap_or_default()
}

/// Brings a database to the newest schema.
pub(super) async fn update(pool: &AnyPool, address: &Address) -> Result<(), Error> {
    let kind = match address {
        Address::Sqlite(_) => 0,
        Address::Postgres(_) => 1,
    };
    let steps = STEPS.iter().map(|(version, name, sql)| {
        let sql = sql[kind].into_sql_str();
        Migration::new(*version, (*name).into(), MigrationType::Simple, sql, false)
    });
    let done = Migrator::with_migrations(steps.collect()).run(pool).await;
    done.map_err(|error| match error {
        MigrateError::VersionMissing(_) => Error::Newer { path: address.to_string() },
        error => error.into(),
    })
}
