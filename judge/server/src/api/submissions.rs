//! API of submissions and results.

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use serde::Deserialize;
use utoipa::IntoParams;

use super::types::{ApiProblem, Module, SubmissionInfo};
use crate::App;
use crate::pages::{
    Attendance, UploadOutcome, VisibleResult, accept, access, module_file, source_file,
};
use crate::web::{RequestFailure, TokenViewer, handed_out};

/// Name of the submitted file.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Named {
    /// If it is the name of a source and the server builds sources, the body is a source.
    #[serde(default)]
    #[param(example = "bot.wasm")]
    name: String,
}

/// Submits a module: the body is its bytes. It is stored before the reply, and graded later. On a
/// server that builds sources, the body may be a source, with its name in `name`; if the build
/// takes long, the reply is 202, and the submission appears after the build. For a
/// module that the same person or group has already submitted to the suite, the reply is that
/// submission with status 200, so a client can safely retry.
#[utoipa::path(post, path = "/courses/{course}/suites/{suite}/submissions",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("suite" = String, Path, description = "The suite's short name for URLs"), Named),
    request_body(content = inline(Module), content_type = "application/wasm"),
    responses((status = 200, body = SubmissionInfo), (status = 201, body = SubmissionInfo),
        (status = 202, body = ApiProblem),
        (status = 400, body = ApiProblem), (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem), (status = 415, body = ApiProblem),
        (status = 422, body = ApiProblem), (status = 429, body = ApiProblem)))]
pub(super) async fn submit(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, suite)): Path<(String, String)>,
    Query(named): Query<Named>,
    body: Body,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    attendance.open()?;
    let suite = attendance.suite(&app, &suite).await?;
    let mut upload = app.uploads().begin(&viewer.person.id).await?;
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        upload.add(&chunk.map_err(|_| RequestFailure::Bad("error.bad_request"))?).await?;
    }
    match accept(&app, &viewer, &attendance, &suite, &named.name, upload).await? {
        UploadOutcome::Accepted(submission) => {
            let info = SubmissionInfo::new(&submission, &VisibleResult::Waiting);
            Ok((StatusCode::CREATED, Json(info)).into_response())
        }
        UploadOutcome::Refused(refused) => {
            let (error, message) = ("refused_module".to_owned(), refused.why.to_string());
            let problem = ApiProblem { error, message };
            Ok((refused.status, Json(problem)).into_response())
        }
        UploadOutcome::Building => {
            let words = viewer.language.words();
            let message =
                format!("{} {}", words.t("submit.building"), words.t("submit.building_hint"));
            let problem = ApiProblem { error: "building".to_owned(), message };
            Ok((StatusCode::ACCEPTED, Json(problem)).into_response())
        }
        UploadOutcome::Before(id) => {
            let before = app.store().submission(&id).await.map_err(RequestFailure::internal)?;
            let before = before.ok_or(RequestFailure::NotFound)?;
            let told = VisibleResult::load(&app, &suite, &before, attendance.role).await?;
            Ok(Json(SubmissionInfo::new(&before, &told)).into_response())
        }
    }
}

/// Lists your submissions to a suite and those of your groups, the newest first.
#[utoipa::path(get, path = "/courses/{course}/suites/{suite}/submissions",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("suite" = String, Path, description = "The suite's short name for URLs")),
    responses((status = 200, body = Vec<SubmissionInfo>), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
pub(super) async fn mine(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Json<Vec<SubmissionInfo>>, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let suite = attendance.suite(&app, &suite).await?;
    let store = app.store();
    let own = store.submissions_of(&suite.id, &viewer.person.id).await;
    let mut list = Vec::new();
    for submission in own.map_err(RequestFailure::internal)? {
        let told = VisibleResult::load(&app, &suite, &submission, attendance.role).await?;
        list.push(SubmissionInfo::new(&submission, &told));
    }
    Ok(Json(list))
}

/// Shows the state of a submission.
#[utoipa::path(get, path = "/submissions/{id}",
    params(("id" = String, Path, description = "The submission's id")),
    responses((status = 200, body = SubmissionInfo), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
pub(super) async fn status(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(id): Path<String>,
) -> Result<Json<SubmissionInfo>, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    let told = access.visible_result(&app).await?;
    Ok(Json(SubmissionInfo::new(&access.submission, &told)))
}

/// The report on a submission, in the format of `judge grade --json`: the student's, or the whole
/// one for staff.
#[utoipa::path(get, path = "/submissions/{id}/report",
    params(("id" = String, Path, description = "The submission's id")),
    responses((status = 200, description = "The report; `Judge-Signature` has its signature",
        content_type = "application/json"),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem)))]
pub(super) async fn report(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(id): Path<String>,
) -> Result<Response, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    let (generation, report) = access.shown(&app).await?.ok_or(RequestFailure::NotFound)?;
    let about = access.about(&app, "report", generation).await?;
    Ok(handed_out(about, ([(CONTENT_TYPE, "application/json")], report.to_json())))
}

/// The module of a submission.
#[utoipa::path(get, path = "/submissions/{id}/module",
    params(("id" = String, Path, description = "The submission's id")),
    responses((status = 200, description = "The module's bytes", content_type = "application/wasm"),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem)))]
pub(super) async fn module(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(id): Path<String>,
) -> Result<Response, RequestFailure> {
    module_file(&app, &access(&app, &viewer, &id).await?).await
}

/// The source that the server built a submission from; 404 for a submitted module.
#[utoipa::path(get, path = "/submissions/{id}/source",
    params(("id" = String, Path, description = "The submission's id")),
    responses((status = 200, description = "The file as it was submitted",
        content_type = "application/octet-stream"),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem)))]
pub(super) async fn source(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(id): Path<String>,
) -> Result<Response, RequestFailure> {
    source_file(&app, &access(&app, &viewer, &id).await?).await
}
