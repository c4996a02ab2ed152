//! API of an arena's pairs and challenges.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use super::super::types::ApiProblem;
use super::super::wrong;
use super::types::{ChallengeRequest, PairInfo};
use crate::App;
use crate::pages::InArena;
use crate::web::{RequestFailure, TokenViewer};

/// Most pairs in an answer.
const PAIRS: u32 = 100;

/// More pairs than exist; the description needs a bound.
const MOST_SKIPPED: u32 = 1_000_000_000;

/// Query for a list of pairs.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// Id of a bot, to list its pairs only.
    bot: Option<String>,
    /// Number of newer pairs to skip.
    #[serde(default)]
    #[param(maximum = 1_000_000_000)]
    skip: u32,
}

/// Lists pairs, the newest first, a hundred at most.
#[utoipa::path(get, path = "/courses/{course}/arenas/{arena}/pairs",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs"), Which),
    responses((status = 200, body = Vec<PairInfo>), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem)))]
pub(super) async fn list(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, arena)): Path<(String, String)>,
    Query(which): Query<Which>,
) -> Result<Json<Vec<PairInfo>>, RequestFailure> {
    if which.skip > MOST_SKIPPED {
        return Err(RequestFailure::Bad("error.bad_request"));
    }
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let pairs = match &which.bot {
        Some(id) => {
            let bot = place.bot(&app, id).await?;
            app.store().pairs_of_bot(&bot.id, which.skip, PAIRS).await
        }
        None => app.store().pairs_of_arena(&place.arena.id, which.skip, PAIRS).await,
    };
    let pairs = pairs.map_err(RequestFailure::internal)?;
    Ok(Json(pairs.into_iter().map(PairInfo::from).collect()))
}

/// Shows a pair.
#[utoipa::path(get, path = "/courses/{course}/arenas/{arena}/pairs/{pair}",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs"),
        ("pair" = String, Path, description = "The pair's id")),
    responses((status = 200, body = PairInfo), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
pub(super) async fn pair(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, arena, id)): Path<(String, String, String)>,
) -> Result<Json<PairInfo>, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    Ok(Json(PairInfo::from(place.pair(&app, &id).await?)))
}

/// Sends the replay of a round as a file.
#[utoipa::path(get, path = "/courses/{course}/arenas/{arena}/pairs/{pair}/rounds/{round}",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs"),
        ("pair" = String, Path, description = "The pair's id"),
        ("round" = i64, Path, description = "1 or 2")),
    responses((status = 200, description = "The replay", content_type = "application/jsonl"),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem)))]
pub(super) async fn replay(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, arena, id, round)): Path<(String, String, String, String)>,
) -> Result<Response, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let round = round.parse().map_err(|_| RequestFailure::NotFound)?;
    let pair = place.pair(&app, &id).await?;
    let text =
        app.store().ladder_record(&pair.id, round).await.map_err(RequestFailure::internal)?;
    let text = text.ok_or(RequestFailure::NotFound)?;
    Ok(([(CONTENT_TYPE, "application/jsonl")], text).into_response())
}

/// Requests an unrated pair between two public bots. It is played as soon as no submission waits.
#[utoipa::path(post, path = "/courses/{course}/arenas/{arena}/challenges",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs")),
    request_body = ChallengeRequest,
    responses((status = 201, body = PairInfo), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem), (status = 415, body = ApiProblem),
        (status = 422, body = ApiProblem)))]
pub(super) async fn challenge(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, arena)): Path<(String, String)>,
    body: Result<Json<ChallengeRequest>, JsonRejection>,
) -> Result<Response, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let Json(ChallengeRequest { one, other }) = body.map_err(|error| wrong(&error))?;
    let id = crate::pages::request_challenge(&app, &viewer, &place, [&one, &other]).await?;
    let pair = app.store().pair(&id).await.map_err(RequestFailure::internal)?;
    let pair = pair.ok_or(RequestFailure::NotFound)?;
    Ok((StatusCode::CREATED, Json(PairInfo::from(pair))).into_response())
}
