//! API of an arena's bots.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use judge_store::{HeldVersion, LadderBot, Timestamp};

use super::super::types::ApiProblem;
use super::super::wrong;
use super::types::{BotInfo, EntryRequest, MetInfo, VersionInfo, status};
use crate::App;
use crate::pages::{InArena, author_name};
use crate::web::{RequestFailure, TokenViewer, Viewer};

async fn info(app: &App, place: &InArena, bot: &LadderBot) -> Result<BotInfo, RequestFailure> {
    let store = app.store();
    let versions = store.ladder_versions(&bot.id).await.map_err(RequestFailure::internal)?;
    let results =
        app.season_cache().open(store, &place.arena).await.map_err(RequestFailure::internal)?;
    let version = |version: HeldVersion| VersionInfo {
        number: version.number,
        sha256: version.module.map(|hash| hash.to_string()),
        entered_at: version.entered_at.to_string(),
        record: results.record(&version.id).into(),
    };
    let met = results.met(&bot.id).into_iter();
    Ok(BotInfo {
        id: bot.id.to_string(),
        name: bot.name.clone(),
        author: author_name(bot, place.attendance.role.is_staff()),
        status: status(bot.status).to_owned(),
        versions: versions.into_iter().map(version).collect(),
        met: met
            .map(|(other, record)| MetInfo { bot: other.to_string(), record: record.into() })
            .collect(),
    })
}

/// Enters one of your graded submissions as the newest version of a bot.
#[utoipa::path(post, path = "/courses/{course}/arenas/{arena}/bots",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs")),
    request_body = EntryRequest,
    responses((status = 201, body = BotInfo), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem), (status = 415, body = ApiProblem),
        (status = 422, body = ApiProblem)))]
pub(super) async fn enter(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, arena)): Path<(String, String)>,
    body: Result<Json<EntryRequest>, JsonRejection>,
) -> Result<Response, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let Json(EntryRequest { name, submission }) = body.map_err(|error| wrong(&error))?;
    let bot = crate::pages::enter_bot(&app, &viewer, &place, (&name, &submission)).await?;
    Ok((StatusCode::CREATED, Json(info(&app, &place, &bot).await?)).into_response())
}

/// Shows a bot.
#[utoipa::path(get, path = "/courses/{course}/arenas/{arena}/bots/{bot}",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs"),
        ("bot" = String, Path, description = "The bot's id")),
    responses((status = 200, body = BotInfo), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
pub(super) async fn bot(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, arena, id)): Path<(String, String, String)>,
) -> Result<Json<BotInfo>, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let bot = place.bot(&app, &id).await?;
    Ok(Json(info(&app, &place, &bot).await?))
}

async fn own(
    app: &App,
    viewer: &Viewer,
    (course, arena, id): &(String, String, String),
) -> Result<(InArena, LadderBot), RequestFailure> {
    let place = InArena::load(app, viewer, (course, arena)).await?;
    let bot = place.own_bot(app, id).await?;
    Ok((place, bot))
}

/// Withdraws your own bot. Its pairs stay.
#[utoipa::path(post, path = "/courses/{course}/arenas/{arena}/bots/{bot}/withdraw",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs"),
        ("bot" = String, Path, description = "The bot's id")),
    responses((status = 200, body = BotInfo), (status = 401, body = ApiProblem),
        (status = 403, body = ApiProblem), (status = 404, body = ApiProblem), (status = 409, body = ApiProblem)))]
pub(super) async fn withdraw(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(names): Path<(String, String, String)>,
) -> Result<Json<BotInfo>, RequestFailure> {
    let (place, bot) = own(&app, &viewer, &names).await?;
    app.store().withdraw_bot(&bot.id, Timestamp::now()).await.map_err(RequestFailure::internal)?;
    let bot = place.bot(&app, &names.2).await?;
    Ok(Json(info(&app, &place, &bot).await?))
}

/// Brings your own bot back to the ladder after too many faults.
#[utoipa::path(post, path = "/courses/{course}/arenas/{arena}/bots/{bot}/back",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs"),
        ("bot" = String, Path, description = "The bot's id")),
    responses((status = 200, body = BotInfo), (status = 401, body = ApiProblem),
        (status = 403, body = ApiProblem), (status = 404, body = ApiProblem), (status = 409, body = ApiProblem)))]
pub(super) async fn back(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(names): Path<(String, String, String)>,
) -> Result<Json<BotInfo>, RequestFailure> {
    let (place, bot) = own(&app, &viewer, &names).await?;
    app.store().bring_back(&bot.id).await.map_err(RequestFailure::internal)?;
    app.lanes().wake();
    let bot = place.bot(&app, &names.2).await?;
    Ok(Json(info(&app, &place, &bot).await?))
}
