//! API of comments on sources.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use judge_store::Comment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::types::ApiProblem;
use super::wrong;
use crate::App;
use crate::pages::{Access, access, add_comment, comments, remove_comment};
use crate::web::{RequestFailure, TokenViewer};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(all, add)).routes(routes!(remove))
}

/// A comment on a line of a source.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CommentInfo {
    /// Id.
    id: String,
    /// Number of the line, from 1.
    line: u32,
    /// Its text.
    text: String,
    /// Name of the member of staff who made it.
    by: String,
    /// When it was made, in UTC.
    at: String,
}

impl From<Comment> for CommentInfo {
    fn from(comment: Comment) -> CommentInfo {
        let Comment { id, line, text, by_name, at, .. } = comment;
        CommentInfo { id: id.to_string(), line, text, by: by_name, at: at.to_string() }
    }
}

/// A new comment.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CommentRequest {
    /// Number of the line, from 1.
    #[schema(minimum = 1)]
    line: u32,
    /// The text, of at most 2000 characters.
    text: String,
}

async fn listed(app: &App, access: &Access) -> Result<Json<Vec<CommentInfo>>, RequestFailure> {
    let all = comments(app, access).await?;
    Ok(Json(all.into_iter().map(CommentInfo::from).collect()))
}

/// Lists the comments on a submission's source, by line. Students see them together with the result.
#[utoipa::path(get, path = "/submissions/{id}/comments",
    params(("id" = String, Path, description = "The submission's id")),
    responses((status = 200, body = Vec<CommentInfo>), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
async fn all(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(id): Path<String>,
) -> Result<Json<Vec<CommentInfo>>, RequestFailure> {
    listed(&app, &access(&app, &viewer, &id).await?).await
}

/// Comments on a line of a source, for staff.
#[utoipa::path(post, path = "/submissions/{id}/comments",
    params(("id" = String, Path, description = "The submission's id")),
    request_body = CommentRequest,
    responses((status = 201, body = Vec<CommentInfo>), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem)))]
async fn add(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(id): Path<String>,
    body: Result<Json<CommentRequest>, JsonRejection>,
) -> Result<Response, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    let Json(CommentRequest { line, text }) = body.map_err(|error| wrong(&error))?;
    add_comment(&app, &viewer, &access, (line, &text)).await?;
    Ok((StatusCode::CREATED, listed(&app, &access).await?).into_response())
}

/// Removes a comment, for its author and instructors.
#[utoipa::path(post, path = "/submissions/{id}/comments/{comment}/remove",
    params(("id" = String, Path, description = "The submission's id"),
        ("comment" = String, Path, description = "The comment's id")),
    responses((status = 200, body = Vec<CommentInfo>), (status = 401, body = ApiProblem),
        (status = 403, body = ApiProblem), (status = 404, body = ApiProblem),
        (status = 409, body = ApiProblem)))]
async fn remove(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((id, comment)): Path<(String, String)>,
) -> Result<Json<Vec<CommentInfo>>, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    remove_comment(&app, &viewer, &access, &comment).await?;
    listed(&app, &access).await
}
