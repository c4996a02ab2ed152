//! API of arenas: ladders, bots, pairs, challenges, seasons.

mod bots;
mod pairs;
mod settings;
mod types;

use axum::Json;
use axum::extract::{Path, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::types::ApiProblem;
use crate::App;
use crate::pages::{Attendance, InArena, author_name};
use crate::standings::{FinalTable, read_final_table, rounded};
use crate::web::{RequestFailure, TokenViewer};
use types::{ArenaInfo, LadderInfo, LadderLine, SeasonInfo};

/// The routes.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(arenas, settings::create))
        .routes(routes!(ladder, settings::change))
        .routes(routes!(settings::end))
        .routes(routes!(season))
        .routes(routes!(bots::enter))
        .routes(routes!(bots::bot))
        .routes(routes!(bots::withdraw))
        .routes(routes!(bots::back))
        .routes(routes!(pairs::list))
        .routes(routes!(pairs::pair))
        .routes(routes!(pairs::replay))
        .routes(routes!(pairs::challenge))
}

/// Lists the arenas of a course.
#[utoipa::path(get, path = "/courses/{course}/arenas",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    responses((status = 200, body = Vec<ArenaInfo>), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
async fn arenas(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
) -> Result<Json<Vec<ArenaInfo>>, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let arenas =
        app.store().arenas_of(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    Ok(Json(arenas.into_iter().map(ArenaInfo::from).collect()))
}

/// Shows the ladder of an arena: the table of its current season.
#[utoipa::path(get, path = "/courses/{course}/arenas/{arena}",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs")),
    responses((status = 200, body = LadderInfo), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
async fn ladder(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, arena)): Path<(String, String)>,
) -> Result<Json<LadderInfo>, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let (store, is_staff) = (app.store(), place.attendance.role.is_staff());
    let season = store.season(&place.arena.id, place.arena.season).await;
    let season = season.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
    let table =
        app.season_cache().table(store, &place.arena).await.map_err(RequestFailure::internal)?;
    let scoring = table.scoring;
    let lines = table.lines.iter().map(|line| LadderLine {
        rank: line.rank,
        bot: line.bot.id.to_string(),
        name: line.bot.name.clone(),
        author: author_name(&line.bot, is_staff),
        version: line.bot.newest.number,
        rating: rounded(scoring, line.rating.value).unwrap_or_default(),
        low: rounded(scoring, line.rating.low),
        high: rounded(scoring, line.rating.high),
        is_provisional: line.is_provisional,
        status: types::status(line.bot.status).to_owned(),
        record: line.record.into(),
        is_mine: place.is_mine(&line.bot),
    });
    Ok(Json(LadderInfo {
        lines: lines.collect(),
        scoring: scoring.name().to_owned(),
        pairs: table.rated_pairs as u64,
        season: SeasonInfo::from(season),
        arena: ArenaInfo::from(place.arena),
    }))
}

/// Shows the final table of a past season.
#[utoipa::path(get, path = "/courses/{course}/arenas/{arena}/seasons/{number}",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("arena" = String, Path, description = "The arena's short name for URLs"),
        ("number" = i64, Path, description = "The season's number, from 1")),
    responses((status = 200, body = LadderInfo), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
async fn season(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, arena, number)): Path<(String, String, String)>,
) -> Result<Json<LadderInfo>, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    // A text that is not a number cannot name a season.
    let number = number.parse().map_err(|_| RequestFailure::NotFound)?;
    let (store, is_staff) = (app.store(), place.attendance.role.is_staff());
    let season = store.season(&place.arena.id, number).await.map_err(RequestFailure::internal)?;
    let season = season.ok_or(RequestFailure::NotFound)?;
    let text = season.standings.as_deref().ok_or(RequestFailure::NotFound)?;
    let FinalTable { scoring, lines } = read_final_table(text).map_err(RequestFailure::internal)?;
    let bots = store.ladder_bots(&place.arena.id).await.map_err(RequestFailure::internal)?;
    let lines = lines.into_iter().filter_map(|line| {
        let bot = bots.iter().find(|bot| Some(&bot.id) == line.bot_id().as_ref())?;
        Some(LadderLine {
            rank: line.rank,
            bot: line.bot,
            name: bot.name.clone(),
            author: author_name(bot, is_staff),
            version: line.number,
            rating: line.rating,
            low: line.low,
            high: line.high,
            is_provisional: false,
            status: types::status(bot.status).to_owned(),
            record: line.record.into(),
            is_mine: place.is_mine(bot),
        })
    });
    let lines: Vec<LadderLine> = lines.collect();
    let pairs = lines.iter().map(|line| line.record.pairs).sum::<u64>() / 2;
    let (season, arena) = (SeasonInfo::from(season), ArenaInfo::from(place.arena));
    let scoring = scoring.name().to_owned();
    Ok(Json(LadderInfo { arena, season, scoring, pairs, lines }))
}
