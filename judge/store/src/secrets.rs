//! Hidden testcases and their keys. Only this file accesses their table, and no page for students
//! uses it.

use judge_grading::Secrets;
use sqlx::AnyConnection;

use crate::basics::error::Error;
use crate::basics::id::SuiteId;
use crate::row::{Columns as _, unreadable};

const INSERT: &str = "INSERT INTO suite_secret (suite, generation, document) VALUES ($1, $2, $3)";
const DELETE: &str = "DELETE FROM suite_secret WHERE suite = $1";
const READ: &str = "SELECT document FROM suite_secret WHERE suite = $1 AND generation = $2";

/// Stores the secret part of a suite.
pub(crate) async fn keep(
    connection: &mut AnyConnection,
    suite: &SuiteId,
    generation: i64,
    secrets: &Secrets,
) -> Result<(), Error> {
    let document = serde_json::to_string(secrets).expect("keys and texts are valid JSON");
    let query = sqlx::query(INSERT).bind(suite.as_str()).bind(generation).bind(document);
    query.execute(connection).await?;
    Ok(())
}

/// Reads the secret part of a suite.
pub(crate) async fn read(
    connection: &mut AnyConnection,
    suite: &SuiteId,
    generation: i64,
) -> Result<Secrets, Error> {
    let query = sqlx::query(READ).bind(suite.as_str()).bind(generation);
    let Some(row) = query.fetch_optional(connection).await? else { return Ok(Secrets::default()) };
    let document = row.text("document")?;
    Ok(serde_json::from_str(&document).map_err(|error| unreadable("document", error))?)
}

/// Deletes the secret parts of a suite, of all generations.
pub(crate) async fn delete(connection: &mut AnyConnection, suite: &SuiteId) -> Result<(), Error> {
    sqlx::query(DELETE).bind(suite.as_str()).execute(connection).await?;
    Ok(())
}
