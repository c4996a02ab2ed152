//! API of a suite's marks in the gradebooks of campus systems, and of its sources.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::types::ApiProblem;
use crate::App;
use crate::pages::{Attendance, SentColumn, send_marks, sources_of};
use crate::web::{RequestFailure, TokenViewer};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(send)).routes(routes!(sources))
}

/// The sources of the submissions to a suite that count, as a zip file. Only for staff.
#[utoipa::path(get, path = "/courses/{course}/suites/{suite}/sources",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("suite" = String, Path, description = "The suite's short name for URLs")),
    responses((status = 200, description = "The zip file", content_type = "application/zip"),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem),
        (status = 409, body = ApiProblem), (status = 429, body = ApiProblem)))]
async fn sources(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.staff()?;
    let suite = attendance.suite(&app, &suite).await?;
    sources_of(&app, &viewer, &suite).await
}

/// The marks that were sent to a column of a gradebook.
#[derive(Debug, Serialize, ToSchema)]
struct SentMarks {
    /// The campus system, and the course there.
    column: String,
    /// Marks that were sent.
    sent: usize,
    /// Marks that the column has already.
    unchanged: usize,
    /// Sentences about marks that were not sent; another request sends them.
    problems: Vec<String>,
}

impl From<SentColumn> for SentMarks {
    fn from(SentColumn { title, sent, unchanged, problems }: SentColumn) -> SentMarks {
        SentMarks { column: title, sent, unchanged, problems }
    }
}

/// Sends the marks of a suite, as students can see them now, to the gradebooks of the campus systems
/// with links to the suite. Marks that a gradebook has are not sent again.
#[utoipa::path(post, path = "/courses/{course}/suites/{suite}/marks/send",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("suite" = String, Path, description = "The suite's short name for URLs")),
    responses((status = 200, body = [SentMarks]), (status = 401, body = ApiProblem),
        (status = 403, body = ApiProblem), (status = 404, body = ApiProblem),
        (status = 409, body = ApiProblem)))]
async fn send(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Json<Vec<SentMarks>>, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.instructor()?;
    let suite = attendance.suite(&app, &suite).await?;
    let sent = send_marks(&app, &viewer, &attendance, &suite).await?;
    Ok(Json(sent.into_iter().map(SentMarks::from).collect()))
}
