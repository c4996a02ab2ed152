//! API of gradings: grading again, and previews of the new results.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use judge_store::{GradingPreview, ResultChange, ResultRow, Scope, Showing};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::types::ApiProblem;
use super::wrong;
use crate::App;
use crate::pages::{Attendance, decide_grading, grade_again, grading_preview};
use crate::web::{RequestFailure, TokenViewer};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(rejudge))
        .routes(routes!(preview))
        .routes(routes!(accept))
        .routes(routes!(discard))
}

/// The submissions to grade again.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum RejudgedPart {
    /// All of them.
    #[default]
    All,
    /// Each person's latest.
    Latest,
    /// Each person's best.
    Best,
}

/// A new grading to begin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct RejudgeRequest {
    /// The submissions; all by default.
    #[serde(default)]
    which: RejudgedPart,
    /// True to show the new results only when an instructor accepts them; false by default.
    #[serde(default)]
    preview: bool,
}

/// A grading, by its number.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct GradingNumber {
    /// The suite's generation, which each new grading counts up.
    #[schema(example = 2)]
    generation: i64,
}

/// The result that counts for a member.
#[derive(Debug, Serialize, ToSchema)]
struct ComparedResult {
    /// Id of the submission.
    submission: String,
    /// Points.
    points: f64,
    /// Points on offer.
    max_points: f64,
    /// Testcases that were passed.
    passed: u64,
    /// Testcases of the suite.
    testcases: u64,
}

impl From<ResultRow> for ComparedResult {
    fn from(row: ResultRow) -> ComparedResult {
        ComparedResult {
            submission: row.submission.to_string(),
            points: row.points.to_f64(),
            max_points: row.max_points.to_f64(),
            passed: row.passed,
            testcases: row.testcases,
        }
    }
}

/// A change of a member's result.
#[derive(Debug, Serialize, ToSchema)]
struct ComparedResults {
    /// Id of the member.
    person: String,
    /// Their name.
    name: String,
    /// The result that counts now; null without one.
    now: Option<ComparedResult>,
    /// The result that would count; null without one.
    new: Option<ComparedResult>,
}

impl From<ResultChange> for ComparedResults {
    fn from(ResultChange { owner, name, before, after }: ResultChange) -> ComparedResults {
        let result = |row: Option<ResultRow>| row.map(ComparedResult::from);
        ComparedResults { person: owner.to_string(), name, now: result(before), new: result(after) }
    }
}

/// A new grading that waits for an instructor.
#[derive(Debug, Serialize, ToSchema)]
struct PreviewInfo {
    /// Its number.
    generation: i64,
    /// Submissions that it has not graded yet. The changes are listed when there are none.
    missing: u64,
    /// The number of unchanged results.
    unchanged: u64,
    /// The changed results.
    changes: Vec<ComparedResults>,
}

impl From<GradingPreview> for PreviewInfo {
    fn from(preview: GradingPreview) -> PreviewInfo {
        let GradingPreview { generation, missing, changes, unchanged } = preview;
        let changes = changes.into_iter().map(ComparedResults::from).collect();
        PreviewInfo { generation, missing, unchanged, changes }
    }
}

/// Grades submissions to a suite again, for instructors. The earlier results are shown until all new
/// ones are in or, with a preview, until an instructor accepts them.
#[utoipa::path(post, path = "/courses/{course}/suites/{suite}/rejudge",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("suite" = String, Path, description = "The suite's short name for URLs")),
    request_body = RejudgeRequest,
    responses((status = 202, body = GradingNumber), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem)))]
async fn rejudge(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, suite)): Path<(String, String)>,
    body: Result<Json<RejudgeRequest>, JsonRejection>,
) -> Result<(StatusCode, Json<GradingNumber>), RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.staff()?;
    let suite = attendance.suite(&app, &suite).await?;
    attendance.instructor()?;
    let Json(RejudgeRequest { which, preview }) = body.map_err(|error| wrong(&error))?;
    let scope = match which {
        RejudgedPart::All => Scope::All,
        RejudgedPart::Latest => Scope::Latest,
        RejudgedPart::Best => Scope::Counted,
    };
    let showing = Showing::with_preview(preview);
    let generation = grade_again(&app, &viewer, &suite, (&scope, showing)).await?;
    Ok((StatusCode::ACCEPTED, Json(GradingNumber { generation })))
}

/// Lists the results that a waiting grading would change; staff only.
#[utoipa::path(get, path = "/courses/{course}/suites/{suite}/preview",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("suite" = String, Path, description = "The suite's short name for URLs")),
    responses((status = 200, body = PreviewInfo), (status = 401, body = ApiProblem),
        (status = 403, body = ApiProblem), (status = 404, body = ApiProblem)))]
async fn preview(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, suite)): Path<(String, String)>,
) -> Result<Json<PreviewInfo>, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.staff()?;
    let suite = attendance.suite(&app, &suite).await?;
    Ok(Json(grading_preview(&app, &suite).await?.into()))
}

/// Accepts a new grading that waits, for instructors: its results are shown and count.
#[utoipa::path(post, path = "/courses/{course}/suites/{suite}/preview/accept",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("suite" = String, Path, description = "The suite's short name for URLs")),
    request_body = GradingNumber,
    responses((status = 204, description = "Accepted"), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem)))]
async fn accept(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(names): Path<(String, String)>,
    body: Result<Json<GradingNumber>, JsonRejection>,
) -> Result<StatusCode, RequestFailure> {
    let Json(GradingNumber { generation }) = body.map_err(|error| wrong(&error))?;
    decide_grading(&app, &viewer, &names, (generation, true)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Discards a new grading that waits, for instructors: the suite gets its earlier files back, and
/// its submissions are graded with them once more.
#[utoipa::path(post, path = "/courses/{course}/suites/{suite}/preview/discard",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("suite" = String, Path, description = "The suite's short name for URLs")),
    request_body = GradingNumber,
    responses((status = 204, description = "Discarded"), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem)))]
async fn discard(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(names): Path<(String, String)>,
    body: Result<Json<GradingNumber>, JsonRejection>,
) -> Result<StatusCode, RequestFailure> {
    let Json(GradingNumber { generation }) = body.map_err(|error| wrong(&error))?;
    decide_grading(&app, &viewer, &names, (generation, false)).await?;
    Ok(StatusCode::NO_CONTENT)
}
