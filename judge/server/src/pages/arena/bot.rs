//! The page of a bot: its versions, the bots it has met, and its pairs.

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use judge_runner::contest::ladder::Estimate;
use judge_store::{ArenaState, BotStatus, HeldVersion, LadderBot, PairRow};
use serde::Deserialize;

use super::super::versus::{self, PlayedRound};
use super::super::when::CourseClock;
use super::InArena;
use super::view::{
    BotName, BotNames, ClosedSeasons, PairLine, interval_of, pair_lines, points, rating_title,
    remark,
};
use crate::App;
use crate::standings::Record;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};

/// Number of pairs on a page.
const PAIRS: u32 = 30;

#[derive(Template)]
#[template(path = "arena_bot.html")]
struct BotPage {
    frame: PageFrame,
    address: String,
    arena_title: String,
    own: String,
    bot: BotName,
    remark: Option<String>,
    /// When it was benched; only for its author.
    benched: Option<String>,
    rating: Option<(String, String)>,
    /// Heading of the rating.
    rating_title: String,
    is_mine: bool,
    is_public: bool,
    /// Address of the page to play against it.
    plays: Option<String>,
    /// The rounds that the reader has played against it.
    played: Vec<PlayedRound>,
    /// One of the reader's bots that could challenge it.
    challenger: Option<String>,
    id: String,
    versions: Vec<VersionLine>,
    met: Vec<(BotName, Record)>,
    pairs: Vec<PairLine>,
    page: u32,
    has_more: bool,
}

struct VersionLine {
    number: i64,
    when: String,
    sha256: String,
    /// The submission; only for its author.
    link: Option<String>,
    record: Record,
}

/// Query of the page's address.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Params {
    #[serde(default)]
    page: u32,
}

/// `/c/{course}/a/{arena}/bots/{bot}`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, arena, id)): Path<(String, String, String)>,
    Query(params): Query<Params>,
) -> Result<Response, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let bot = place.bot(&app, &id).await?;
    let (store, words) = (app.store(), viewer.language.words());
    let names = BotNames::load(&app, &place, words).await?;
    let table =
        app.season_cache().table(store, &place.arena).await.map_err(RequestFailure::internal)?;
    let standing = table.lines.iter().find(|line| line.bot.id == bot.id);
    let is_archived = place.attendance.course.is_archived();
    let is_open = place.arena.state == ArenaState::Open && !is_archived;
    let own_bot = table.lines.iter().find(|line| place.is_mine(&line.bot) && line.bot.id != bot.id);
    let is_mine = place.is_mine(&bot);
    let (versions, met) = this_season(&app, &place, &names, &bot, is_mine).await?;
    let page = params.page.clamp(1, 10_000);
    let (pairs, has_more) = pairs(&app, &bot, page).await?;
    let benched = match bot.status {
        BotStatus::Benched(at) if is_mine && !is_archived => {
            Some(CourseClock::from_course(&place.attendance.course).local(at))
        }
        _ => None,
    };
    let played = match &bot.newest.module {
        Some(module) => {
            let (course, person) = (&place.attendance.course, &viewer.person.id);
            versus::played(&app, words, course, person, module).await?
        }
        None => Vec::new(),
    };
    let closed = ClosedSeasons::load(&app, &place, words).await?;
    let scoring = table.scoring;
    let figures = |rating: &Estimate| (points(scoring, rating.value), interval_of(scoring, rating));
    shown(&BotPage {
        frame: PageFrame::new(&viewer, bot.name.clone()).in_course(place.attendance.link()),
        address: place.address(),
        arena_title: place.arena.title.clone(),
        own: format!("{}/bots/{}", place.address(), bot.id),
        remark: remark(words, bot.status, standing.is_some_and(|line| line.is_provisional)),
        benched,
        rating_title: rating_title(words, scoring),
        rating: standing.filter(|line| line.record.pairs > 0).map(|line| figures(&line.rating)),
        is_mine,
        is_public: bot.is_public(),
        plays: plays(&app, &place, &bot),
        played,
        challenger: own_bot.filter(|_| is_open).map(|line| line.bot.id.to_string()),
        id: bot.id.to_string(),
        versions,
        met,
        pairs: pair_lines(words, &names, (&place, &closed), &pairs, Some(&bot.id)),
        page,
        has_more,
        bot: names.get(&bot.id),
    })
}

/// The versions of a bot, and the bots that it has met, the most frequent first, with the rounds of
/// this season.
async fn this_season(
    app: &App,
    place: &InArena,
    names: &BotNames,
    bot: &LadderBot,
    is_mine: bool,
) -> Result<(Vec<VersionLine>, Vec<(BotName, Record)>), RequestFailure> {
    let (store, clock) = (app.store(), CourseClock::from_course(&place.attendance.course));
    let shows_source = is_mine || place.attendance.role.is_staff();
    let versions = store.ladder_versions(&bot.id).await.map_err(RequestFailure::internal)?;
    let results =
        app.season_cache().open(store, &place.arena).await.map_err(RequestFailure::internal)?;
    let line = |version: HeldVersion| VersionLine {
        number: version.number,
        when: clock.local(version.entered_at),
        sha256: version.module.map(|hash| hash.to_string()).unwrap_or_default(),
        link: version.submission.filter(|_| shows_source).map(|id| format!("/submissions/{id}")),
        record: results.record(&version.id),
    };
    let versions = versions.into_iter().map(line).collect();
    let mut met: Vec<(BotName, Record)> = results
        .met(&bot.id)
        .into_iter()
        .map(|(other, record)| (names.get(&other), record))
        .collect();
    met.sort_by(|one, other| other.1.pairs.cmp(&one.1.pairs).then(one.0.name.cmp(&other.0.name)));
    Ok((versions, met))
}

/// A page of a bot's pairs, and true if there are more.
async fn pairs(
    app: &App,
    bot: &LadderBot,
    page: u32,
) -> Result<(Vec<PairRow>, bool), RequestFailure> {
    let pairs = app.store().pairs_of_bot(&bot.id, (page - 1) * PAIRS, PAIRS + 1).await;
    let mut pairs = pairs.map_err(RequestFailure::internal)?;
    let has_more = pairs.len() > PAIRS as usize;
    pairs.truncate(PAIRS as usize);
    Ok((pairs, has_more))
}

/// Address of the page to play against a bot: on the server, or in the browser for a reference
/// opponent.
fn plays(app: &App, place: &InArena, bot: &LadderBot) -> Option<String> {
    let (arena, course) = (&place.arena, &place.attendance.course.slug);
    if !bot.is_reference() {
        let is_open = !place.attendance.course.is_archived();
        let plays = bot.is_public() && app.config().people_play > 0 && is_open;
        return plays.then(|| format!("/play/play.html?bot={}&course={course}", bot.id));
    }
    let options = arena.options.iter().map(|(key, value)| format!("&option.{key}={value}"));
    let options: String = options.collect();
    Some(format!(
        "/play/play.html?game={}&opponent={}{options}&course={course}",
        arena.game, bot.newest.player
    ))
}
