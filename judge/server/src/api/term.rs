//! API of the next term: copies of courses, and the archive.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::types::{ApiProblem, CourseInfo};
use super::wrong;
use crate::App;
use crate::pages::{Attendance, CopyForm, copied, set_archived};
use crate::web::{RequestFailure, TokenViewer, Viewer};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(copy)).routes(routes!(archive)).routes(routes!(bring_back))
}

/// A copy of a course to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CopyRequest {
    /// Short name for URLs.
    #[schema(example = "ai-2027")]
    slug: String,
    /// Name for people; the course's by default.
    #[serde(default)]
    title: Option<String>,
    /// Days by which all dates move, in the course's local time; 0 by default.
    #[serde(default)]
    days: Option<i64>,
    /// The date that the first due date becomes, instead of `days`.
    #[serde(default)]
    #[schema(example = "2027-03-08")]
    first_due: Option<String>,
}

/// Copies a course for the next term: suites with their files and settings, and arenas. People,
/// submissions and results are not copied. You become the instructor of the copy, and your other
/// sessions and tokens end.
#[utoipa::path(post, path = "/courses/{course}/copy",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    request_body = CopyRequest,
    responses((status = 201, body = CourseInfo), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 413, body = ApiProblem),
        (status = 415, body = ApiProblem), (status = 422, body = ApiProblem)))]
async fn copy(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
    body: Result<Json<CopyRequest>, JsonRejection>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.instructor()?;
    let Json(CopyRequest { slug, title, days, first_due }) = body.map_err(|error| wrong(&error))?;
    let form = CopyForm {
        slug,
        title: title.unwrap_or_else(|| attendance.course.title.clone()),
        days: days.map(|days| days.to_string()).unwrap_or_default(),
        first_due: first_due.unwrap_or_default(),
    };
    let made = copied(&app, &viewer, &attendance, form).await?;
    let info = CourseInfo::new(made, attendance.role);
    Ok((StatusCode::CREATED, Json(info)).into_response())
}

/// Archives a course: it can be read, and nothing in it can be submitted or changed.
#[utoipa::path(post, path = "/courses/{course}/archive",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    responses((status = 200, body = CourseInfo), (status = 401, body = ApiProblem),
        (status = 403, body = ApiProblem), (status = 404, body = ApiProblem),
        (status = 409, body = ApiProblem)))]
async fn archive(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
) -> Result<Json<CourseInfo>, RequestFailure> {
    changed(&app, &viewer, &course, true).await
}

/// Brings an archived course back, so that it can be changed again.
#[utoipa::path(post, path = "/courses/{course}/bring-back",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    responses((status = 200, body = CourseInfo), (status = 401, body = ApiProblem),
        (status = 403, body = ApiProblem), (status = 404, body = ApiProblem)))]
async fn bring_back(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
) -> Result<Json<CourseInfo>, RequestFailure> {
    changed(&app, &viewer, &course, false).await
}

async fn changed(
    app: &App,
    viewer: &Viewer,
    course: &str,
    archives: bool,
) -> Result<Json<CourseInfo>, RequestFailure> {
    let attendance = Attendance::load(app, viewer, course).await?.instructor()?;
    set_archived(app, viewer, &attendance, archives).await?;
    let Attendance { course, role } = Attendance::load(app, viewer, course).await?;
    Ok(Json(CourseInfo::new(course, role)))
}
