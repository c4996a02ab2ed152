//! API to create and change arenas.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};

use super::super::types::ApiProblem;
use super::super::wrong;
use super::types::{ArenaChange, ArenaInfo, ArenaRequest, SeasonInfo};
use crate::App;
use crate::pages::{Attendance, InArena, NewLadder, change_arena, close_season, create_arena};
use crate::web::{RequestFailure, TokenViewer, Viewer};

/// Creates an arena in a course.
#[utoipa::path(post, path = "/courses/{course}/arenas",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    request_body = ArenaRequest,
    responses((status = 201, body = ArenaInfo), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem), (status = 415, body = ApiProblem),
        (status = 422, body = ApiProblem)))]
pub(super) async fn create(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
    body: Result<Json<ArenaRequest>, JsonRejection>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.instructor()?;
    let Json(ArenaRequest { game, slug, title, season, ends, options, scoring }) =
        body.map_err(|error| wrong(&error))?;
    let new = NewLadder { game, slug, title, season, ends, options, scoring };
    let arena = create_arena(&app, &viewer, &attendance, &new).await?;
    Ok((StatusCode::CREATED, Json(ArenaInfo::from(arena))).into_response())
}

async fn managed(
    app: &App,
    viewer: &Viewer,
    (course, arena): &(String, String),
) -> Result<InArena, RequestFailure> {
    let place = InArena::load(app, viewer, (course, arena)).await?;
    place.attendance.clone().instructor()?;
    Ok(place)
}

/// Opens, pauses, closes or renames an arena, or changes its scoring.
#[utoipa::path(post, path = "/courses/{course}/arenas/{arena}",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs")),
    request_body = ArenaChange,
    responses((status = 200, body = ArenaInfo), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem), (status = 413, body = ApiProblem),
        (status = 415, body = ApiProblem), (status = 422, body = ApiProblem)))]
pub(super) async fn change(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(names): Path<(String, String)>,
    body: Result<Json<ArenaChange>, JsonRejection>,
) -> Result<Json<ArenaInfo>, RequestFailure> {
    let place = managed(&app, &viewer, &names).await?;
    let Json(ArenaChange { title, state, scoring }) = body.map_err(|error| wrong(&error))?;
    let title = title.unwrap_or_else(|| place.arena.title.clone());
    let state = state.unwrap_or_else(|| place.arena.state.name().to_owned());
    let scoring = scoring.unwrap_or_else(|| place.arena.scoring.name().to_owned());
    change_arena(&app, &viewer, &place, (&title, &state, &scoring)).await?;
    Ok(Json(ArenaInfo::from(managed(&app, &viewer, &names).await?.arena)))
}

/// Ends the current season as soon as its top places are separated.
#[utoipa::path(post, path = "/courses/{course}/arenas/{arena}/end",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs")),
    responses((status = 200, body = SeasonInfo), (status = 401, body = ApiProblem),
        (status = 403, body = ApiProblem), (status = 404, body = ApiProblem), (status = 409, body = ApiProblem)))]
pub(super) async fn end(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(names): Path<(String, String)>,
) -> Result<Json<SeasonInfo>, RequestFailure> {
    let place = managed(&app, &viewer, &names).await?;
    close_season(&app, &viewer, &place).await?;
    let season = app.store().season(&place.arena.id, place.arena.season).await;
    let season = season.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
    Ok(Json(SeasonInfo::from(season)))
}
