//! API for stored data: the log, exports, erasure and deletion.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use judge_store::AuditEntry;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::types::ApiProblem;
use crate::App;
use crate::pages::{Attendance, data_of, delete_course, delete_suite, erased, known};
use crate::web::{RequestFailure, TokenViewer};

/// Most entries of a reply.
const ENTRIES: u32 = 100;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(own_data))
        .routes(routes!(data))
        .routes(routes!(erase))
        .routes(routes!(whole_log))
        .routes(routes!(log))
        .routes(routes!(suite))
        .routes(routes!(course))
}

/// An entry of the log.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LogEntry {
    /// When it happened, in UTC.
    at: String,
    /// The act, such as `suite_changed`.
    act: String,
    /// Id of the person who did it; null for the operator or the server.
    by: Option<String>,
    /// Their name.
    by_name: Option<String>,
    /// Short name of the course.
    course: Option<String>,
    /// Short name of the suite or arena.
    part: Option<String>,
    /// Name of the person concerned.
    person: Option<String>,
    /// Further details.
    detail: String,
}

impl From<AuditEntry> for LogEntry {
    fn from(entry: AuditEntry) -> LogEntry {
        LogEntry {
            at: entry.at.to_string(),
            act: entry.act.name().to_owned(),
            by: entry.made_by.map(|by| by.to_string()),
            by_name: entry.by,
            course: entry.course,
            part: entry.part,
            person: entry.person,
            detail: entry.detail,
        }
    }
}

/// The entries to show.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct LogPages {
    /// Number of the page, from 1; 100 entries each.
    page: Option<u32>,
}

impl LogPages {
    fn skipped(&self) -> u32 {
        (self.page.unwrap_or(1).clamp(1, 100_000) - 1) * ENTRIES
    }
}

fn administrator(viewer: &crate::web::Viewer) -> Result<(), RequestFailure> {
    if viewer.person.is_administrator { Ok(()) } else { Err(RequestFailure::NotFound) }
}

fn entries(
    found: Result<Vec<AuditEntry>, judge_store::Error>,
) -> Result<Json<Vec<LogEntry>>, RequestFailure> {
    let found = found.map_err(RequestFailure::internal)?;
    Ok(Json(found.into_iter().map(LogEntry::from).collect()))
}

/// Your data as a zip file: account, memberships, submissions, results and rounds.
#[utoipa::path(get, path = "/me/data",
    responses((status = 200, description = "The zip file", content_type = "application/zip"),
        (status = 401, body = ApiProblem)))]
async fn own_data(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
) -> Result<Response, RequestFailure> {
    data_of(&app, &viewer, &viewer.person.id).await
}

/// A person's data as a zip file, for administrators.
#[utoipa::path(get, path = "/people/{person}/data",
    params(("person" = String, Path, description = "The person's id")),
    responses((status = 200, description = "The zip file", content_type = "application/zip"),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem)))]
async fn data(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(person): Path<String>,
) -> Result<Response, RequestFailure> {
    administrator(&viewer)?;
    let person = known(&app, &person).await?;
    data_of(&app, &viewer, &person).await
}

/// Erases a person's data, for administrators. Pairs on ladders stay for the ratings of opponents,
/// without a name.
#[utoipa::path(post, path = "/people/{person}/erase",
    params(("person" = String, Path, description = "The person's id")),
    responses((status = 204, description = "Erased"), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem)))]
async fn erase(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(person): Path<String>,
) -> Result<StatusCode, RequestFailure> {
    erased(&app, &viewer, &person).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The log of the whole server, the newest entries first, for administrators.
#[utoipa::path(get, path = "/log", params(LogPages),
    responses((status = 200, body = Vec<LogEntry>), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem)))]
async fn whole_log(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Query(pages): Query<LogPages>,
) -> Result<Json<Vec<LogEntry>>, RequestFailure> {
    administrator(&viewer)?;
    entries(app.store().whole_log(pages.skipped(), ENTRIES).await)
}

/// The log of a course, the newest entries first, for its instructors.
#[utoipa::path(get, path = "/courses/{course}/log",
    params(("course" = String, Path, description = "The course's short name for URLs"), LogPages),
    responses((status = 200, body = Vec<LogEntry>), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
async fn log(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
    Query(pages): Query<LogPages>,
) -> Result<Json<Vec<LogEntry>>, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.instructor()?;
    entries(app.store().log_of_course(&attendance.course.id, pages.skipped(), ENTRIES).await)
}

/// Deletes a suite with its submissions, results and rounds.
#[utoipa::path(post, path = "/courses/{course}/suites/{suite}/delete",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("suite" = String, Path, description = "The suite's short name for URLs")),
    responses((status = 204, description = "Deleted"), (status = 401, body = ApiProblem),
        (status = 403, body = ApiProblem), (status = 404, body = ApiProblem),
        (status = 409, body = ApiProblem)))]
async fn suite(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<StatusCode, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.instructor()?;
    attendance.open()?;
    delete_suite(&app, &viewer, &attendance, &suite).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes an archived course with all that belongs to it.
#[utoipa::path(post, path = "/courses/{course}/delete",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    responses((status = 204, description = "Deleted"), (status = 401, body = ApiProblem),
        (status = 403, body = ApiProblem), (status = 404, body = ApiProblem),
        (status = 409, body = ApiProblem)))]
async fn course(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
) -> Result<StatusCode, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.instructor()?;
    delete_course(&app, &viewer, &attendance).await?;
    Ok(StatusCode::NO_CONTENT)
}
