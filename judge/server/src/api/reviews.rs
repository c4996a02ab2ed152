//! API of reviews and adjusted points.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use judge_core::Points;
use judge_store::{OpenReview, Review};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::types::ApiProblem;
use super::wrong;
use crate::App;
use crate::pages::{
    Access, Attendance, SeenAdjustment, access, adjust_points, adjustments, answer_review,
    request_review,
};
use crate::web::{RequestFailure, TokenViewer};

/// Most open requests of a reply.
const LINES: u32 = 1000;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(all, ask))
        .routes(routes!(answer))
        .routes(routes!(open))
        .routes(routes!(history, adjust))
}

/// A request for a review, with its answer.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReviewInfo {
    /// Id.
    id: String,
    /// Id of the submission.
    submission: String,
    /// Name of the student.
    asked_by: String,
    /// When it was made, in UTC.
    asked_at: String,
    /// Its text; empty once the student is erased.
    request: String,
    /// Name of the member of staff who answered; null while it is open.
    answered_by: Option<String>,
    /// When it was answered, in UTC; null while it is open.
    answered_at: Option<String>,
    /// The answer; null while it is open.
    answer: Option<String>,
}

impl From<Review> for ReviewInfo {
    fn from(review: Review) -> ReviewInfo {
        let (by, at, answer) = match review.answer {
            Some(one) => (Some(one.by), Some(one.at.to_string()), Some(one.text)),
            None => (None, None, None),
        };
        ReviewInfo {
            id: review.id.to_string(),
            submission: review.submission.to_string(),
            asked_by: review.asked_by,
            asked_at: review.asked_at.to_string(),
            request: review.request,
            answered_by: by,
            answered_at: at,
            answer,
        }
    }
}

/// An open request in the list of a course.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OpenReviewInfo {
    /// Title of the suite.
    suite: String,
    /// Name of the submitted file.
    file: String,
    /// The request.
    review: ReviewInfo,
}

impl From<OpenReview> for OpenReviewInfo {
    fn from(open: OpenReview) -> OpenReviewInfo {
        OpenReviewInfo { suite: open.suite, file: open.file_name, review: open.review.into() }
    }
}

/// An adjustment of points.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AdjustmentInfo {
    /// The points that count; null if it takes the earlier ones back, or is not visible yet.
    points: Option<f64>,
    /// True if the graded points count again.
    takes_back: bool,
    /// The points that counted without adjustments; null for students.
    graded: Option<f64>,
    /// The reason.
    reason: String,
    /// Name of the instructor.
    by: String,
    /// When it was made, in UTC.
    at: String,
    /// True if the submission was graded again after it.
    before_latest_grading: bool,
}

impl AdjustmentInfo {
    fn new(seen: SeenAdjustment, is_staff: bool) -> AdjustmentInfo {
        let SeenAdjustment { adjustment, shows_points, is_older } = seen;
        AdjustmentInfo {
            takes_back: adjustment.points.is_none(),
            points: adjustment.points.filter(|_| shows_points).map(Points::to_f64),
            graded: is_staff.then(|| adjustment.graded.to_f64()),
            reason: adjustment.reason,
            by: adjustment.by,
            at: adjustment.at.to_string(),
            before_latest_grading: is_older,
        }
    }
}

/// A text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TextRequest {
    /// The text, of at most 2000 characters.
    #[schema(example = "Round 2 ended by a trap that I cannot repeat at home.")]
    text: String,
}

/// New points.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AdjustmentRequest {
    /// The points, at most twice the points on offer; null to count the graded ones again.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(value_type = Option<f64>, required = true, minimum = 0)]
    points: Option<Points>,
    /// The reason, of at most 2000 characters.
    reason: String,
}

async fn reviews(app: &App, access: &Access) -> Result<Json<Vec<ReviewInfo>>, RequestFailure> {
    let all = app.store().reviews_of(&access.submission.id).await;
    let all = all.map_err(RequestFailure::internal)?;
    Ok(Json(all.into_iter().map(ReviewInfo::from).collect()))
}

async fn adjusted(app: &App, access: &Access) -> Result<Json<Vec<AdjustmentInfo>>, RequestFailure> {
    let is_staff = access.attendance.role.is_staff();
    let all = adjustments(app, access).await?.into_iter();
    Ok(Json(all.map(|one| AdjustmentInfo::new(one, is_staff)).collect()))
}

/// Lists the requests for reviews of a submission with their answers, the oldest first.
#[utoipa::path(get, path = "/submissions/{id}/reviews",
    params(("id" = String, Path, description = "The submission's id")),
    responses((status = 200, body = Vec<ReviewInfo>), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
async fn all(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(id): Path<String>,
) -> Result<Json<Vec<ReviewInfo>>, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    reviews(&app, &access).await
}

/// Requests a review of your result, or of your group's. One request is open at a time.
#[utoipa::path(post, path = "/submissions/{id}/reviews",
    params(("id" = String, Path, description = "The submission's id")),
    request_body = TextRequest,
    responses((status = 201, body = Vec<ReviewInfo>), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem)))]
async fn ask(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(id): Path<String>,
    body: Result<Json<TextRequest>, JsonRejection>,
) -> Result<Response, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    let Json(TextRequest { text }) = body.map_err(|error| wrong(&error))?;
    request_review(&app, &viewer, &access, &text).await?;
    Ok((StatusCode::CREATED, reviews(&app, &access).await?).into_response())
}

/// Answers an open request, for staff. The answer closes it.
#[utoipa::path(post, path = "/submissions/{id}/reviews/{review}/answer",
    params(("id" = String, Path, description = "The submission's id"),
        ("review" = String, Path, description = "The request's id")),
    request_body = TextRequest,
    responses((status = 200, body = Vec<ReviewInfo>), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem)))]
async fn answer(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((id, review)): Path<(String, String)>,
    body: Result<Json<TextRequest>, JsonRejection>,
) -> Result<Json<Vec<ReviewInfo>>, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    let Json(TextRequest { text }) = body.map_err(|error| wrong(&error))?;
    answer_review(&app, &viewer, &access, (&review, &text)).await?;
    reviews(&app, &access).await
}

/// Lists the open requests of a course, for staff, the oldest first.
#[utoipa::path(get, path = "/courses/{course}/reviews",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    responses((status = 200, body = Vec<OpenReviewInfo>), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
async fn open(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
) -> Result<Json<Vec<OpenReviewInfo>>, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.staff()?;
    let open = app.store().open_reviews(&attendance.course.id, LINES).await;
    let open = open.map_err(RequestFailure::internal)?;
    Ok(Json(open.into_iter().map(OpenReviewInfo::from).collect()))
}

/// Lists the adjustments of a submission's points, the newest first.
#[utoipa::path(get, path = "/submissions/{id}/adjustments",
    params(("id" = String, Path, description = "The submission's id")),
    responses((status = 200, body = Vec<AdjustmentInfo>), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
async fn history(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(id): Path<String>,
) -> Result<Json<Vec<AdjustmentInfo>>, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    adjusted(&app, &access).await
}

/// Replaces the points that count, for instructors. The report stays as it is.
#[utoipa::path(post, path = "/submissions/{id}/adjustments",
    params(("id" = String, Path, description = "The submission's id")),
    request_body = AdjustmentRequest,
    responses((status = 200, body = Vec<AdjustmentInfo>), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem)))]
async fn adjust(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(id): Path<String>,
    body: Result<Json<AdjustmentRequest>, JsonRejection>,
) -> Result<Json<Vec<AdjustmentInfo>>, RequestFailure> {
    let access = access(&app, &viewer, &id).await?;
    let Json(AdjustmentRequest { points, reason }) = body.map_err(|error| wrong(&error))?;
    adjust_points(&app, &viewer, &access, (points, &reason)).await?;
    adjusted(&app, &access).await
}
