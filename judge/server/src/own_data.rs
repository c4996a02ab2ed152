//! The zip file of what the server knows about a person.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io::{Cursor, Write as _};

use axum::body::{Body, Bytes};
use futures_util::stream::unfold;
use judge_core::GradeReport;
use judge_store::{PersonId, Store, Submission, Timestamp};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::turns::AccountTurn;

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
    /// The thread that makes the zip file ended.
    #[error("cannot pack the data: the thread for it ended")]
    Thread,
    /// A stored report cannot be read.
    #[error("cannot read a report: {0}")]
    Report(#[from] judge_core::ReportError),
}

/// Bytes of a zip file that are sent at a time.
const PART: usize = 64 << 10;

/// A person's data as a zip file: `account.json`, results and reports as far as the person may see
/// them at that moment, the modules of the submissions, each once, the sources that the server
/// built, and the rounds that they played. It is built in memory, in a separate thread.
///
/// # Errors
/// When the database fails or has something that cannot be read.
pub async fn pack(
    store: &Store,
    person: &PersonId,
    now: Timestamp,
) -> Result<Vec<u8>, ExportError> {
    let (files, waiting) = mpsc::channel(1);
    let packing = tokio::task::spawn_blocking(move || packed(waiting));
    let collected = collect(store, person, now, PackedFiles(files)).await;
    let bytes = packing.await.map_err(|_| ExportError::Thread)??;
    collected.map(|()| bytes)
}

/// A body with these bytes. The account can begin another export only when the body has ended.
pub fn body(bytes: Vec<u8>, turn: AccountTurn) -> Body {
    Body::from_stream(unfold((bytes, 0, turn), |(bytes, at, turn)| async move {
        let part = bytes.get(at..bytes.len().min(at + PART)).filter(|part| !part.is_empty())?;
        // A copy, so that a slow client keeps no more than this part after the turn.
        let part = Bytes::copy_from_slice(part);
        let at = at + part.len();
        Some((Ok::<_, Infallible>(part), (bytes, at, turn)))
    }))
}

/// Reads a person's data, one file after the other.
async fn collect(
    store: &Store,
    person: &PersonId,
    now: Timestamp,
    files: PackedFiles,
) -> Result<(), ExportError> {
    let data = store.own_data(person).await?;
    let (mut results, mut modules) = (Vec::new(), BTreeSet::new());
    for row in data["submissions"].as_array().into_iter().flatten() {
        let id = row["id"].as_str().and_then(|id| id.parse().ok());
        let Some(id) = id else { continue };
        let Some(submission) = store.submission(&id).await? else { continue };
        results.extend(result(store, &submission, now, &files).await?);
        if modules.insert(submission.module.to_string())
            && let Some(module) = store.module(&submission.module).await?
        {
            files.add(format!("modules/{}.wasm", submission.module), module).await?;
        }
        if let Some(hash) = submission.source
            && let Some(source) = store.module(&hash).await?
        {
            files.add(format!("sources/{id}.txt"), source).await?;
        }
    }
    for round in store.human_rounds_of(person).await? {
        if let Some((round, replay)) = store.human_round(&round.id, person).await? {
            files.add(format!("rounds/{}.jsonl", round.id), replay.into_bytes()).await?;
        }
    }
    let mut account = Value::Object(data);
    account["results"] = Value::Array(results);
    let account = serde_json::to_vec_pretty(&account).unwrap_or_default();
    files.add("account.json".to_owned(), account).await
}

/// The result of a submission, with its report in the zip file; none while its author may not see
/// it.
async fn result(
    store: &Store,
    submission: &Submission,
    now: Timestamp,
    files: &PackedFiles,
) -> Result<Option<Value>, ExportError> {
    let suite = store.suite(&submission.suite).await?;
    let row = store.result(&submission.id).await?;
    let Some((suite, row)) = suite.zip(row) else { return Ok(None) };
    if suite.visible_from(submission, now).is_some() {
        return Ok(None);
    }
    let row = suite.row_for_student(row, now);
    if let Some(whole) = store.whole_report(&submission.id, row.generation).await? {
        let report = suite.report_for_student(&GradeReport::from_json(&whole)?, now);
        let name = format!("reports/{}.json", submission.id);
        files.add(name, report.to_json().into_bytes()).await?;
    }
    let shows_points = !suite.keeps_hidden(now);
    let adjustments = store.adjustments_of(&submission.id).await?.into_iter().map(|one| {
        let points = one.points.filter(|_| shows_points).map(|points| points.to_string());
        json!({ "points": points, "reason": one.reason, "made_at": one.at.to_string() })
    });
    let adjustments: Vec<Value> = adjustments.collect();
    let comments = store.comments_on(&submission.id).await?.into_iter();
    let comments = comments
        .map(|one| json!({ "line": one.line, "text": one.text, "made_at": one.at.to_string() }));
    let comments: Vec<Value> = comments.collect();
    Ok(Some(json!({
        "adjustments": adjustments,
        "comments": comments,
        "submission": submission.id.to_string(),
        "state": row.state.name(),
        "points": row.points.to_string(),
        "max_points": row.max_points.to_string(),
        "graded_at": row.graded_at.to_string(),
    })))
}

/// The sender to the thread that packs files.
struct PackedFiles(mpsc::Sender<(String, Vec<u8>)>);

impl PackedFiles {
    async fn add(&self, name: String, bytes: Vec<u8>) -> Result<(), ExportError> {
        self.0.send((name, bytes)).await.map_err(|_| ExportError::Thread)
    }
}

/// Packs files until there are no more.
fn packed(mut files: mpsc::Receiver<(String, Vec<u8>)>) -> Result<Vec<u8>, ExportError> {
    zipped(std::iter::from_fn(|| files.blocking_recv()))
}

/// A zip file of these files, by their names.
///
/// # Errors
/// When two files have the same name.
pub fn zipped(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Result<Vec<u8>, ExportError> {
    let mut zip = ZipWriter::new(Cursor::default());
    for (name, bytes) in files {
        zip.start_file(name, SimpleFileOptions::default())?;
        zip.write_all(&bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
