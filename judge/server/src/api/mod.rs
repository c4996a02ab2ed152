//! The API for programs, under `/api/v1`: requests have a token in `Authorization: Bearer …`,
//! replies are JSON. `/api/v1/openapi.json` describes it.

mod arenas;
mod comments;
mod document;
mod feed;
mod grading;
mod groups;
mod keeping;
mod play;
mod reviews;
mod scoreboard;
mod submissions;
mod suite_files;
mod term;
mod types;

use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;
use crate::pages::Attendance;
use crate::uploads::MAX_UPLOAD;
use crate::web::{RequestFailure, TokenViewer};
use types::{ApiProblem, CourseInfo, KeyInfo, SuiteInfo, WhoAmI};

/// The routes, without their prefix.
pub fn routes() -> Router<App> {
    let (router, document) = described().split_for_parts();
    let text = document.to_json().expect("a description is valid JSON");
    let kind = (axum::http::header::CONTENT_TYPE, "application/json");
    router
        .route("/openapi.json", get(async move || ([kind], text.clone())))
        .layer(DefaultBodyLimit::max(MAX_UPLOAD))
}

/// The description of the API.
pub fn description() -> OpenApi {
    described().into_openapi()
}

fn described() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(document::document())
        .routes(routes!(key))
        .routes(routes!(whoami))
        .routes(routes!(courses))
        .merge(term::routes())
        .merge(keeping::routes())
        .merge(suite_files::routes())
        .routes(routes!(suites))
        .routes(routes!(submissions::submit))
        .routes(routes!(submissions::mine))
        .routes(routes!(submissions::status))
        .routes(routes!(submissions::report))
        .routes(routes!(submissions::module))
        .routes(routes!(submissions::source))
        .merge(reviews::routes())
        .merge(comments::routes())
        .routes(routes!(scoreboard::scoreboard))
        .merge(grading::routes())
        .merge(groups::routes())
        .merge(arenas::routes())
        .merge(play::routes())
        .routes(routes!(feed::own))
        .routes(routes!(feed::course))
}

/// Shows the public key to check reports, replays and mark sheets of this server.
#[utoipa::path(get, path = "/key", security(()),
    responses((status = 200, body = KeyInfo), (status = 404, body = ApiProblem)))]
async fn key(State(app): State<App>) -> Result<Json<KeyInfo>, RequestFailure> {
    let signer = app.signer().await.map_err(RequestFailure::internal)?;
    let key = signer.ok_or(RequestFailure::NotFound)?.public().to_string();
    Ok(Json(KeyInfo { algorithm: "ed25519".to_owned(), key }))
}

/// The failure for a body that cannot be read.
fn wrong(rejection: &JsonRejection) -> RequestFailure {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => RequestFailure::TooLarge,
        _ => RequestFailure::Bad("error.bad_request"),
    }
}

/// Shows the owner of the token.
#[utoipa::path(get, path = "/whoami", responses(
    (status = 200, body = WhoAmI), (status = 401, body = ApiProblem)))]
async fn whoami(TokenViewer(viewer): TokenViewer) -> Json<WhoAmI> {
    let person = viewer.person;
    Json(WhoAmI { id: person.id.to_string(), name: person.name })
}

/// Lists your courses, archived ones after the others.
#[utoipa::path(get, path = "/courses", responses(
    (status = 200, body = Vec<CourseInfo>), (status = 401, body = ApiProblem)))]
async fn courses(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
) -> Result<Json<Vec<CourseInfo>>, RequestFailure> {
    let own = app.store().courses_of(&viewer.person.id).await.map_err(RequestFailure::internal)?;
    Ok(Json(own.into_iter().map(|(course, role)| CourseInfo::new(course, role)).collect()))
}

/// Lists the suites of a course.
#[utoipa::path(get, path = "/courses/{course}/suites",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    responses((status = 200, body = Vec<SuiteInfo>), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
async fn suites(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
) -> Result<Json<Vec<SuiteInfo>>, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let suites =
        app.store().suites_of(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    Ok(Json(suites.into_iter().map(SuiteInfo::from).collect()))
}
