//! The files of a submission, to download: its module, and the source that it was built from.

use axum::extract::{Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};

use super::{Access, access};
use crate::App;
use crate::web::{RequestFailure, Viewer};

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
    let ending = access.submission.file_name.rsplit('.').next().unwrap_or_default();
    let ending: String = ending.chars().filter(char::is_ascii_alphanumeric).take(8).collect();
    // Text that a browser must not take for a page.
    let kind = "application/octet-stream";
    Ok(download(&access.submission.id.to_string(), &ending, kind, source))
}

/// A file with the submission's id as its name: names that students chose stay out of headers.
fn download(id: &str, ending: &str, kind: &'static str, bytes: Vec<u8>) -> Response {
    let name = format!("attachment; filename=\"{id}.{ending}\"");
    ([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, name)], bytes).into_response()
}
