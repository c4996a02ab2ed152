//! Versions of the schema, and the way from each to the next.

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyPool, SqlSafeStr as _};

use crate::address::Address;
use crate::basics::error::Error;

/// Versions of the schema: number, name, and the steps to it for SQLite and for PostgreSQL.
const STEPS: &[(i64, &str, [&str; 2])] = &[
    (
        1,
        "begin",
        [
            include_str!("../../migrations/sqlite/0001_begin.sql"),
            include_str!("../../migrations/postgres/0001_begin.sql"),
        ],
    ),
    (
        3,
        "people",
        [
            include_str!("../../migrations/sqlite/0003_people.sql"),
            include_str!("../../migrations/postgres/0003_people.sql"),
        ],
    ),
];

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
