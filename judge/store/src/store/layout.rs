//! Compares the tables of a file with those that the migrations make. A trigger, or a view with
//! another text, would change what the program reads and writes, whatever the rows are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, AnyPool, Connection as _};

use super::schema;
use crate::address::{Address, sqlite_url};
use crate::basics::error::Error;
use crate::row::Columns as _;

/// The definitions in a file, without SQLite's own tables and the indices of constraints.
const DEFINITIONS: &str = "SELECT type AS kind, name, sql FROM sqlite_schema \
    WHERE sql IS NOT NULL AND NOT (type = 'table' AND name LIKE 'sqlite\\_%' ESCAPE '\\') \
    ORDER BY type, name";

/// The newest version of the schema that a file has.
const VERSION: &str = "SELECT MAX(version) FROM _sqlx_migrations";

/// The names of tables, views and indices next to the table of versions, in PostgreSQL.
const RELATIONS: &str = "SELECT CAST(relname AS TEXT) AS name FROM pg_class \
    WHERE relnamespace = (SELECT relnamespace FROM pg_class \
        WHERE oid = CAST('_sqlx_migrations' AS regclass))";

/// Definitions by kind and name.
type Definitions = BTreeMap<(String, String), String>;

/// The first difference between a file and the newest schema, if there is one. Additional tables,
/// views and indices are none, because the program does not use them; a trigger or an index that
/// refuses rows is one.
pub(crate) async fn difference(path: &Path) -> Result<Option<String>, Error> {
    let found = definitions(&mut AnyConnection::connect(&sqlite_url(path, false)).await?).await?;
    let wanted = wanted().await?;
    let wrong = wanted.iter().find_map(|((kind, name), text)| {
        match found.get(&(kind.clone(), name.clone())) {
            None => Some(format!("the {kind} `{name}` is missing")),
            Some(other) if other != text => Some(format!("the {kind} `{name}` was changed")),
            Some(_) => None,
        }
    });
    let added = found.iter().filter(|(key, _)| !wanted.contains_key(*key));
    let mut added = added.filter(|((kind, _), text)| kind == "trigger" || is_unique(text));
    let added = || added.next().map(|((kind, name), _)| format!("the {kind} `{name}` was added"));
    Ok(wrong.or_else(added))
}

/// The same for a file that another version of the program may have written: without a difference
/// if its schema is not the newest one.
pub(crate) async fn difference_if_newest(path: &Path) -> Result<Option<String>, Error> {
    let mut connection = AnyConnection::connect(&sqlite_url(path, false)).await?;
    let version: Option<i64> = sqlx::query_scalar(VERSION).fetch_one(&mut connection).await?;
    connection.close().await?;
    match version == Some(schema::newest()) {
        true => difference(path).await,
        false => Ok(None),
    }
}

/// The first table, view or index that a database in PostgreSQL lacks, for example because
/// `pg_restore` continued after an error. The names are the same in both kinds of databases.
pub(super) async fn missing(pool: &AnyPool) -> Result<Option<String>, Error> {
    let rows = sqlx::query(RELATIONS).fetch_all(pool).await?;
    let names = rows.iter().map(|row| row.text("name"));
    let names: BTreeSet<String> = names.collect::<Result<_, sqlx::Error>>()?;
    let wanted = wanted().await?;
    let missing = wanted.into_keys().find(|(_, name)| !names.contains(name));
    Ok(missing.map(|(kind, name)| format!("the {kind} `{name}` is missing")))
}

/// The definitions that the migrations make in an empty database in memory.
async fn wanted() -> Result<Definitions, Error> {
    // Each connection would have a database of its own.
    let pool = AnyPoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    schema::update(&pool, &Address::Sqlite(":memory:".into())).await?;
    let wanted = definitions(&mut *pool.acquire().await?).await;
    pool.close().await;
    wanted
}

async fn definitions(connection: &mut AnyConnection) -> Result<Definitions, Error> {
    let rows = sqlx::query(DEFINITIONS).fetch_all(connection).await?;
    let rows = rows.iter().map(|row| {
        let key = (row.text("kind")?, judge_core::printable(&row.text("name")?, 100));
        Ok((key, row.text("sql")?))
    });
    Ok(rows.collect::<Result<_, sqlx::Error>>()?)
}

/// True for the text of an index that refuses equal rows.
fn is_unique(text: &str) -> bool {
    let mut words = text.split_whitespace().map(str::to_ascii_lowercase);
    words.next().as_deref() == Some("create") && words.next().as_deref() == Some("unique")
}
