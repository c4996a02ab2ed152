//! The files of a submission, to download: its module, the source that it was built from, and the suite
//! that it was graded with.

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use judge_core::printable;
use judge_store::Submission;

use super::{Access, access};
use crate::App;
use crate::own_data::zipped;
use crate::web::{RequestFailure, Viewer};

/// Most bytes of a source that a page shows.
const LONGEST_SHOWN: usize = 64 << 10;

/// `/submissions/{id}/module`.
pub(super) async fn module(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Response, RequestFailure> {
    module_file(&app, &access(&app, &viewer, &id).await?).await
}

/// `/submissions/{id}/source`.
pub(super) async fn source(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Response, RequestFailure> {
    source_file(&app, &access(&app, &viewer, &id).await?).await
}

/// `/submissions/{id}/suite.zip`: a folder with the files of the suite that the shown result is of,
/// without hidden testcases, for `judge grade`.
pub(super) async fn suite(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Response, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    let (generation, _) = access.shown(&app).await?.ok_or(RequestFailure::NotFound)?;
    let files = app.store().grading_suite(&access.suite.id, generation).await;
    let open = judge_runner::suites::page::open_part(&files.map_err(RequestFailure::internal)?);
    let open = open.map_err(|_| RequestFailure::NotFound)?;
    let folder = open.name;
    let file = |(name, text): (String, String)| (format!("{folder}/{name}"), text.into_bytes());
    let zip = zipped(open.files.into_iter().map(file)).map_err(RequestFailure::internal)?;
    Ok(download(&access.suite.slug, "zip", "application/zip", zip))
}

/// The module of a submission.
///
/// # Errors
/// When the database does not have it, or fails.
pub async fn module_file(app: &App, access: &Access) -> Result<Response, RequestFailure> {
    let module = app.store().module(&access.submission.module).await;
    let module = module.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
    Ok(download(&access.submission.id.to_string(), "wasm", "application/wasm", module))
}

/// The source of a submission that the server built.
///
/// # Errors
/// When a module was submitted, or the database fails.
pub async fn source_file(app: &App, access: &Access) -> Result<Response, RequestFailure> {
    let hash = access.submission.source.ok_or(RequestFailure::NotFound)?;
    let source = app.store().module(&hash).await;
    let source = source.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
    // Text that a browser must not take for a page.
    let kind = "application/octet-stream";
    Ok(download(&access.submission.id.to_string(), &ending(&access.submission), kind, source))
}

/// The ending of a submission's source.
pub(super) fn ending(submission: &Submission) -> String {
    let ending = submission.file_name.rsplit('.').next().unwrap_or_default();
    ending.chars().filter(char::is_ascii_alphanumeric).take(8).collect()
}

/// The source of a submission for a page, with escapes and spaces for tabs; none for a module, and
/// for a source that is long or not text.
pub(super) async fn shown_source(
    app: &App,
    submission: &Submission,
) -> Result<Option<String>, RequestFailure> {
    Ok(short_source(app, submission).await?.map(|text| shown_text(&text)))
}

/// The source of a submission as it was submitted; none for a module, and for a source that is long
/// or not text.
pub(super) async fn short_source(
    app: &App,
    submission: &Submission,
) -> Result<Option<String>, RequestFailure> {
    let Some(hash) = submission.source else { return Ok(None) };
    let source = app.store().module(&hash).await.map_err(RequestFailure::internal)?;
    let source = source.filter(|source| source.len() <= LONGEST_SHOWN);
    Ok(source.and_then(|source| String::from_utf8(source).ok()))
}

/// Lines of text with escapes for characters that reorder or hide others.
fn shown_text(text: &str) -> String {
    let line = |line: &str| printable(&line.replace('\t', "    "), LONGEST_SHOWN);
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A file with this id or short name as its name: names that students chose stay out of headers.
fn download(id: &str, ending: &str, kind: &'static str, bytes: Vec<u8>) -> Response {
    let name = format!("attachment; filename=\"{id}.{ending}\"");
    ([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, name)], bytes).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_source_hides_nothing() {
        assert_eq!(shown_text("if a:\r\n\tb\n"), "if a:\n    b");
        assert_eq!(shown_text("a\u{202e}b\u{1b}[2J"), "a\\u{202e}b\\u{1b}[2J");
    }
}
