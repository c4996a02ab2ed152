//! The zip file of what the server knows about a person.

use std::io::{Cursor, Write as _};

use judge_core::GradeReport;
use judge_store::{PersonId, Store, Submission, Timestamp};
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Name of the zip file.
pub const FILE: &str = "data.zip";

/// A failed export.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The database fails.
    #[error(transparent)]
    Store(#[from] judge_store::Error),
    /// The zip file cannot be made.
    #[error("cannot pack the data: {0}")]
    Zip(#[from] zip::result::ZipError),
    /// The zip file cannot be written.
    #[error("cannot pack the data: {0}")]
    Write(#[from] std::io::Error),
    /// A stored report cannot be read.
    #[error("cannot read a report: {0}")]
    Report(#[from] judge_core::ReportError),
}

/// A person's data as a zip file: `account.json`, results and reports as far as the person may see
/// them at that moment, the module of each submission, and the rounds that they played. It is built
/// in memory.
///
/// # Errors
/// When the database fails or has something that cannot be read.
pub async fn pack(
    store: &Store,
    person: &PersonId,
    now: Timestamp,
) -> Result<Vec<u8>, ExportError> {
    let data = store.own_data(person).await?;
    let mut zip = Zip::default();
    let mut results = Vec::new();
    for row in data["submissions"].as_array().into_iter().flatten() {
        let id = row["id"].as_str().and_then(|id| id.parse().ok());
        let Some(id) = id else { continue };
        let Some(submission) = store.submission(&id).await? else { continue };
        results.extend(result(store, &submission, now, &mut zip).await?);
        if let Some(module) = store.module(&submission.module).await? {
            zip.add(&format!("submissions/{id}.wasm"), &module)?;
        }
    }
    for round in store.human_rounds_of(person).await? {
        if let Some((round, replay)) = store.human_round(&round.id, person).await? {
            zip.add(&format!("rounds/{}.jsonl", round.id), replay.as_bytes())?;
        }
    }
    let mut account = Value::Object(data);
    account["results"] = Value::Array(results);
    zip.add("account.json", &serde_json::to_vec_pretty(&account).unwrap_or_default())?;
    zip.finish()
}

/// The result of a submission, with its report in the zip file; none while its author may not see
/// it.
async fn result(
    store: &Store,
    submission: &Submission,
    now: Timestamp,
    zip: &mut Zip,
) -> Result<Option<Value>, ExportError> {
    let suite = store.suite(&submission.suite).await?;
    let row = store.result(&submission.id).await?;
    let Some((suite, row)) = suite.zip(row) else { return Ok(None) };
    if suite.told_later(submission, now).is_some() {
        return Ok(None);
    }
    let row = suite.row_for_student(row, now);
    if let Some(whole) = store.whole_report(&submission.id, row.generation).await? {
        let report = suite.report_for_student(&GradeReport::from_json(&whole)?, now);
        zip.add(&format!("reports/{}.json", submission.id), report.to_json().as_bytes())?;
    }
    Ok(Some(json!({
        "submission": submission.id.to_string(),
        "state": row.state.name(),
        "points": row.points.to_string(),
        "max_points": row.max_points.to_string(),
        "graded_at": row.graded_at.to_string(),
    })))
}

/// A zip file in memory.
#[derive(Default)]
struct Zip(Option<ZipWriter<Cursor<Vec<u8>>>>);

impl Zip {
    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), ExportError> {
        let writer = self.0.get_or_insert_with(|| ZipWriter::new(Cursor::default()));
        writer.start_file(name, SimpleFileOptions::default())?;
        Ok(writer.write_all(bytes)?)
    }

    fn finish(self) -> Result<Vec<u8>, ExportError> {
        Ok(self.0.map(ZipWriter::finish).transpose()?.unwrap_or_default().into_inner())
    }
}
