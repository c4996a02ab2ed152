//! The page of an arena with its ladder, and the pages of past seasons.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use judge_core::Scoring;
use judge_store::{ArenaState, BotStatus, LadderBot, ResultState, Role, Season};

use super::super::Attendance;
use super::super::when::CourseClock;
use super::InArena;
use super::view::{
    BotName, BotNames, ClosedSeasons, PairLine, interval, interval_of, pair_lines, points,
    rating_title, remark, scoring_name,
};
use crate::App;
use crate::standings::{
    FinalLine, FinalTable, LadderTable, PLACES, Record, TableLine, read_final_table,
};
use crate::web::{PageFrame, RequestFailure, Viewer, shown};
use crate::words::Words;

/// Number of pairs on the page.
const LATEST: u32 = 15;

/// Most submissions offered for entry.
const OFFERED: usize = 50;

#[derive(Template)]
#[template(path = "arena.html")]
struct ArenaPage {
    frame: PageFrame,
    address: String,
    title: String,
    game: String,
    options: String,
    season: String,
    /// True on the page of a past season.
    is_over: bool,
    state: String,
    told: Option<String>,
    about: String,
    /// The part of a round that ranks bots.
    scoring: String,
    /// Heading of the ratings.
    rating: String,
    lines: Vec<ArenaLine>,
    benched: Vec<BotName>,
    /// Ids and descriptions of submissions that can be entered; none for readers who may not enter
    /// bots.
    offered: Option<Vec<(String, String)>>,
    names: Vec<String>,
    /// Ids and names of bots for a challenge; none if challenges are not accepted.
    challengers: Option<Vec<(String, String)>>,
    /// Ids of the two bots that the form proposes.
    proposed: [String; 2],
    latest: Vec<PairLine>,
    seasons: Vec<(String, String)>,
    manage: Option<String>,
}

/// A line of the table.
#[derive(Debug)]
pub(super) struct ArenaLine {
    pub(super) rank: String,
    pub(super) bot: BotName,
    pub(super) version: i64,
    pub(super) rating: String,
    pub(super) interval: String,
    pub(super) remark: Option<String>,
    pub(super) record: Record,
}

fn line(words: &Words, names: &BotNames, (scoring, standing): (Scoring, &TableLine)) -> ArenaLine {
    ArenaLine {
        rank: standing.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
        bot: names.get(&standing.bot.id),
        version: standing.bot.newest.number,
        rating: points(scoring, standing.rating.value),
        interval: interval_of(scoring, &standing.rating),
        remark: remark(words, standing.bot.status, standing.is_provisional),
        record: standing.record,
    }
}

fn final_line(names: &BotNames, scoring: Scoring, line: &FinalLine) -> Option<ArenaLine> {
    Some(ArenaLine {
        rank: line.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
        bot: names.get(&line.bot_id()?),
        version: line.number,
        rating: points(scoring, line.rating),
        interval: interval(scoring, line.low, line.high),
        remark: None,
        record: line.record,
    })
}

/// `/c/{course}/a/{arena}`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, arena)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let (store, words) = (app.store(), viewer.language.words());
    let season = store.season(&place.arena.id, place.arena.season).await;
    let season = season.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
    let table =
        app.season_cache().table(store, &place.arena).await.map_err(RequestFailure::internal)?;
    let bots = store.ladder_bots(&place.arena.id).await.map_err(RequestFailure::internal)?;
    let names = BotNames::new(&bots, &place, words);
    let lines = table.lines.iter().map(|one| line(words, &names, (table.scoring, one))).collect();
    let latest = store.pairs_of_arena(&place.arena.id, 0, LATEST).await;
    let latest = latest.map_err(RequestFailure::internal)?;
    let closed = ClosedSeasons::load(&app, &place, words).await?;
    let takes_part =
        place.attendance.role != Role::Observer && !place.attendance.course.is_archived();
    let enters = takes_part && place.arena.state != ArenaState::Closed && season.closing.is_none();
    let offered = if enters { Some(offered(&app, &viewer, &place).await?) } else { None };
    let is_open = place.arena.state == ArenaState::Open && !place.attendance.course.is_archived();
    let challenges = takes_part && is_open;
    let own = |bot: &&LadderBot| place.is_mine(bot) && bot.is_public();
    let mine: Vec<&LadderBot> = bots.iter().filter(own).collect();
    let is_benched = |bot: &&&LadderBot| matches!(bot.status, BotStatus::Benched(_));
    shown(&ArenaPage {
        told: separation_note(words, &season),
        about: about(words, &place, &table),
        scoring: scoring_name(words, table.scoring),
        rating: rating_title(words, table.scoring),
        is_over: false,
        state: match bots.iter().any(|bot| !bot.is_reference()) {
            // Nothing is due.
            false if is_open && season.closing.is_none() => words.t("ladder.state_idle").to_owned(),
            _ => state(words, &place, &season),
        },
        season: season.title.clone(),
        lines,
        benched: mine.iter().filter(is_benched).map(|bot| names.get(&bot.id)).collect(),
        offered,
        names: mine.iter().map(|bot| bot.name.clone()).collect(),
        challengers: challenges.then(|| challengers(&table)),
        proposed: proposed(&table, mine.first().copied()),
        latest: pair_lines(words, &names, (&place, &closed), &latest, None),
        seasons: seasons(&app, &place).await?,
        ..ArenaPage::bare(&viewer, &place)
    })
}

impl ArenaPage {
    fn bare(viewer: &Viewer, place: &InArena) -> ArenaPage {
        let Attendance { course, role } = &place.attendance;
        let switches = place.arena.options.iter().map(|(key, value)| format!("{key}={value}"));
        let manage =
            role.is_staff().then(|| format!("/c/{}/manage/a/{}", course.slug, place.arena.slug));
        ArenaPage {
            frame: PageFrame::new(viewer, place.arena.title.clone())
                .in_course(place.attendance.link()),
            address: place.address(),
            title: place.arena.title.clone(),
            game: place.arena.game.clone(),
            options: switches.collect::<Vec<_>>().join(" "),
            season: String::new(),
            is_over: true,
            state: String::new(),
            told: None,
            about: String::new(),
            scoring: String::new(),
            rating: String::new(),
            lines: Vec::new(),
            benched: Vec::new(),
            offered: None,
            names: Vec::new(),
            challengers: None,
            proposed: [String::new(), String::new()],
            latest: Vec::new(),
            seasons: Vec::new(),
            manage,
        }
    }
}

/// The meaning of the ratings.
fn about(words: &Words, place: &InArena, table: &LadderTable) -> String {
    let (anchor, pairs) = (&place.arena.anchor, table.rated_pairs);
    match table.scoring {
        Scoring::Result => words.t2("ladder.about", anchor, pairs),
        Scoring::Score => words.t2("ladder.about_score", anchor, pairs),
    }
}

/// The state of an arena in words.
pub(super) fn state(words: &Words, place: &InArena, season: &Season) -> String {
    let clock = CourseClock::from_course(&place.attendance.course);
    if place.attendance.course.is_archived() {
        return words.t("ladder.state_archived").to_owned();
    }
    match (place.arena.state, season.closing, season.ends_at) {
        (ArenaState::Paused, ..) => words.t("ladder.state_paused").to_owned(),
        (ArenaState::Closed, ..) => words.t("ladder.state_closed").to_owned(),
        (ArenaState::Open, Some(_), _) => words.t1("ladder.state_closing", PLACES),
        (ArenaState::Open, None, Some(end)) => words.t1("ladder.state_until", clock.exact(end)),
        (ArenaState::Open, None, None) => words.t("ladder.state_open").to_owned(),
    }
}

/// States whether the top places of a past season were separated; none before its end.
fn separation_note(words: &Words, season: &Season) -> Option<String> {
    Some(match season.is_told_apart? {
        true => words.t1("ladder.told_apart", PLACES),
        false => words.t1("ladder.not_told_apart", PLACES),
    })
}

/// Ids and names of bots that can be challenged.
fn challengers(table: &LadderTable) -> Vec<(String, String)> {
    table.lines.iter().map(|line| (line.bot.id.to_string(), line.bot.name.clone())).collect()
}

/// The bots that the form for challenges proposes: the reader's own, or else the best one, and the
/// best of the others.
fn proposed(table: &LadderTable, mine: Option<&LadderBot>) -> [String; 2] {
    let mut best = table.lines.iter().map(|line| &line.bot);
    let one = mine.or(best.clone().next());
    let is_other = |bot: &&LadderBot| {
        one.is_none_or(|one| bot.id != one.id && (bot.is_reference() || bot.owner != one.owner))
    };
    let other = best.clone().find(is_other).or(best.nth(1));
    [one, other].map(|bot| bot.map(|bot| bot.id.to_string()).unwrap_or_default())
}

/// Addresses and titles of past seasons.
async fn seasons(app: &App, place: &InArena) -> Result<Vec<(String, String)>, RequestFailure> {
    let all = app.store().seasons_of(&place.arena.id).await.map_err(RequestFailure::internal)?;
    let over = all.into_iter().filter(|season| season.ended_at.is_some());
    let link = |number| format!("{}/seasons/{number}", place.address());
    Ok(over.map(|season| (link(season.number), season.title)).collect())
}

/// Ids and descriptions of the reader's submissions that can be entered, the newest first.
async fn offered(
    app: &App,
    viewer: &Viewer,
    place: &InArena,
) -> Result<Vec<(String, String)>, RequestFailure> {
    let (store, clock) = (app.store(), CourseClock::from_course(&place.attendance.course));
    let mut offered = Vec::new();
    let suites =
        store.suites_of(&place.attendance.course.id).await.map_err(RequestFailure::internal)?;
    for suite in
        suites.iter().filter(|suite| suite.games.split(", ").any(|game| game == place.arena.game))
    {
        let own = store.submissions_of(&suite.id, &viewer.person.id).await;
        let own = own.map_err(RequestFailure::internal)?.into_iter();
        // Former members of a group cannot enter its submissions.
        let own = own.filter(|one| place.owners.contains(&one.owner));
        for submission in own.take(OFFERED) {
            let result = store.result(&submission.id).await.map_err(RequestFailure::internal)?;
            let Some(result) = result.filter(|one| one.state == ResultState::Graded) else {
                continue;
            };
            let name = match submission.file_name.is_empty() {
                true => submission.name,
                false => submission.file_name,
            };
            let when = clock.local(submission.received_at);
            let text = format!("{name} · {when} · {}/{}", result.points, result.max_points);
            offered.push((submission.received_at, submission.id.to_string(), text));
        }
    }
    offered.sort_by_key(|one| std::cmp::Reverse(one.0));
    Ok(offered.into_iter().take(OFFERED).map(|(_, id, text)| (id, text)).collect())
}

/// `/c/{course}/a/{arena}/seasons/{number}`.
pub(super) async fn season(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, arena, number)): Path<(String, String, i64)>,
) -> Result<Response, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let words = viewer.language.words();
    let season =
        app.store().season(&place.arena.id, number).await.map_err(RequestFailure::internal)?;
    let season = season.ok_or(RequestFailure::NotFound)?;
    let text = season.standings.as_deref().ok_or(RequestFailure::NotFound)?;
    let FinalTable { scoring, lines } = read_final_table(text).map_err(RequestFailure::internal)?;
    let names = BotNames::load(&app, &place, words).await?;
    let clock = CourseClock::from_course(&place.attendance.course);
    let ended = season.ended_at.map(|at| words.t1("ladder.ended", clock.exact(at)));
    let latest = app.store().pairs_of_season(&place.arena.id, number, LATEST).await;
    let latest = latest.map_err(RequestFailure::internal)?;
    // The page already states that the whole season is closed.
    let closed = ClosedSeasons::default();
    shown(&ArenaPage {
        told: separation_note(words, &season),
        state: ended.unwrap_or_default(),
        lines: lines.iter().filter_map(|line| final_line(&names, scoring, line)).collect(),
        scoring: scoring_name(words, scoring),
        rating: rating_title(words, scoring),
        latest: pair_lines(words, &names, (&place, &closed), &latest, None),
        season: season.title,
        ..ArenaPage::bare(&viewer, &place)
    })
}

/// An arena on a course's front page.
#[derive(Debug)]
pub(in crate::pages) struct ArenaEntry {
    pub(in crate::pages) link: String,
    pub(in crate::pages) title: String,
    pub(in crate::pages) game: String,
    pub(in crate::pages) season: String,
    pub(in crate::pages) state: String,
}

/// The arenas of a course.
pub(in crate::pages) async fn entries(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
) -> Result<Vec<ArenaEntry>, RequestFailure> {
    let (store, words) = (app.store(), viewer.language.words());
    let mut entries = Vec::new();
    for arena in store.arenas_of(&attendance.course.id).await.map_err(RequestFailure::internal)? {
        let season =
            store.season(&arena.id, arena.season).await.map_err(RequestFailure::internal)?;
        let Some(season) = season else { continue };
        let place = InArena { attendance: attendance.clone(), arena, owners: Vec::new() };
        entries.push(ArenaEntry {
            link: place.address(),
            state: state(words, &place, &season),
            season: season.title,
            title: place.arena.title,
            game: place.arena.game,
        });
    }
    Ok(entries)
}

/// Links to the reader's benched bots, with their names.
pub(in crate::pages) async fn benched(
    app: &App,
    viewer: &Viewer,
) -> Result<Vec<(String, String)>, RequestFailure> {
    let store = app.store();
    let mut links = Vec::new();
    for bot in store.benched_bots(&viewer.person.id).await.map_err(RequestFailure::internal)? {
        let arena = store.arena(&bot.arena).await.map_err(RequestFailure::internal)?;
        let Some(arena) = arena else { continue };
        let Ok(attendance) = Attendance::by_id(app, viewer, &arena.course).await else { continue };
        if attendance.course.is_archived() {
            continue;
        }
        let place = InArena { attendance, arena, owners: Vec::new() };
        links.push((format!("{}/bots/{}", place.address(), bot.id), bot.name));
    }
    Ok(links)
}
