//! An arena's settings, for instructors.

use askama::Template;
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_core::Scoring;
use judge_runner::contest::ladder::LadderRules;
use judge_store::{Arena, ArenaState, NewArena, Season, Timestamp};
use serde::Deserialize;

use super::super::Attendance;
use super::super::home::not_fitting;
use super::super::when::CourseClock;
use super::InArena;
use super::page::state;
use super::view::scoring_name;
use crate::App;
use crate::grading::end_season;
use crate::web::{Fields, PageFrame, RequestFailure, Typed, Viewer, filled};
use crate::words::Words;

/// A new arena.
#[derive(Debug, Deserialize)]
pub struct NewLadder {
    /// The game.
    pub game: String,
    /// Short name for URLs.
    pub slug: String,
    /// Title; the game's if it is empty.
    #[serde(default)]
    pub title: String,
    /// Title of the first season; `Season 1`, in the reader's language, if it is empty.
    #[serde(default)]
    pub season: String,
    /// When the first season ends, by the course's clock; empty for an open end.
    #[serde(default)]
    pub ends: String,
    /// Rule switches, `key=value`.
    #[serde(default)]
    pub options: String,
    /// The part of a round that ranks bots; the game's usual one if it is empty.
    #[serde(default)]
    pub scoring: String,
}

/// Creates an arena in a course.
///
/// # Errors When the game or its switches cannot have a ladder, a name cannot be used, or the
/// database fails.
pub async fn create_arena(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    new: &NewLadder,
) -> Result<Arena, RequestFailure> {
    let setting = LadderRules::read(&new.game, &new.options);
    let setting = setting
        .map_err(|error| RequestFailure::Refused("refusal.ladder_setting", error.to_string()))?;
    let ends_at =
        CourseClock::from_course(&attendance.course).end(&new.ends).map_err(not_fitting)?;
    let first = viewer.language.words().t1("ladder.season_number", 1);
    let or = |text: &str, other: &str| {
        if text.trim().is_empty() { other.to_owned() } else { text.to_owned() }
    };
    let scoring = match new.scoring.as_str() {
        "" => setting.scoring,
        word => scoring(word)?,
    };
    let (title, season) = (or(&new.title, &setting.title), or(&new.season, &first));
    let arena = NewArena {
        course: &attendance.course.id,
        slug: &new.slug,
        title: &title,
        game: &setting.game,
        options: &setting.options,
        opponents: &setting.opponents,
        anchor: setting.anchor,
        scoring,
        season: &season,
        ends_at,
    };
    let arena =
        viewer.acting(app).create_arena(&arena, Timestamp::now()).await.map_err(not_fitting)?;
    tracing::info!(arena = %arena.id, "an arena was created");
    Ok(arena)
}

fn scoring(word: &str) -> Result<Scoring, RequestFailure> {
    word.parse().map_err(|_| RequestFailure::Bad("error.bad_request"))
}

#[derive(Template)]
#[template(path = "manage_arena.html")]
struct ManageArena {
    frame: PageFrame,
    address: String,
    own: String,
    instructor: bool,
    title: String,
    season: String,
    ends: String,
    zone: String,
    state: String,
    states: Vec<(&'static str, String, bool)>,
    scorings: Vec<(&'static str, String, bool)>,
    is_ending: bool,
    typed: Typed,
}

async fn managed(
    app: &App,
    viewer: &Viewer,
    (course, arena): &(String, String),
) -> Result<(InArena, Season), RequestFailure> {
    Attendance::load(app, viewer, course).await?.staff()?;
    let place = InArena::load(app, viewer, (course, arena)).await?;
    let season = app.store().season(&place.arena.id, place.arena.season).await;
    Ok((place, season.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?))
}

/// `/c/{course}/manage/a/{arena}`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(names): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let (place, season) = managed(&app, &viewer, &names).await?;
    settings_page(&viewer, &place, season, Typed::default())
}

/// The page of an arena's settings, with the typed text.
fn settings_page(
    viewer: &Viewer,
    place: &InArena,
    season: Season,
    typed: Typed,
) -> Result<Response, RequestFailure> {
    let (words, clock) =
        (viewer.language.words(), CourseClock::from_course(&place.attendance.course));
    let chosen = place.arena.state;
    let choice = |one: &ArenaState| (one.name(), name_of(words, *one), *one == chosen);
    let ranks = place.arena.scoring;
    let scorings = Scoring::ALL.map(|one| (one.name(), scoring_name(words, one), one == ranks));
    let title = words.t1("ladder.manage", &place.arena.title);
    let page = ManageArena {
        frame: PageFrame::new(viewer, title).in_course(place.attendance.link()),
        address: place.address(),
        own: format!("/c/{}/manage/a/{}", place.attendance.course.slug, place.arena.slug),
        instructor: place.attendance.may_change(),
        state: state(words, place, &season),
        title: place.arena.title.clone(),
        ends: clock.field(season.ends_at),
        zone: words.t1("manage.zone", &place.attendance.course.time_zone),
        states: ArenaState::ALL.iter().map(choice).collect(),
        scorings: scorings.to_vec(),
        is_ending: season.closing.is_some(),
        season: season.title,
        typed,
    };
    page.typed.shown(&page)
}

fn name_of(words: &Words, state: ArenaState) -> String {
    let word = match state {
        ArenaState::Open => words.t("ladder.open"),
        ArenaState::Paused => words.t("ladder.paused"),
        ArenaState::Closed => words.t("ladder.closed"),
    };
    word.to_owned()
}

/// An arena's settings.
#[derive(Debug, Deserialize)]
pub(super) struct ArenaForm {
    title: String,
    state: String,
    #[serde(default)]
    scoring: Option<String>,
    season: String,
    ends: String,
}

/// Changes an arena's settings.
pub(super) async fn change(
    State(app): State<App>,
    viewer: Viewer,
    Path(names): Path<(String, String)>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let (place, season) = managed(&app, &viewer, &names).await?;
    place.attendance.clone().instructor()?;
    match changed(&app, &viewer, (&place, &season), &fields).await {
        Ok(()) => Ok(Redirect::to(&format!("/c/{}/manage/a/{}", names.0, names.1)).into_response()),
        Err(failure) => {
            let typed = Typed::read(failure, "settings", fields, &viewer)?;
            settings_page(&viewer, &place, season, typed)
        }
    }
}

/// Applies the changes of a form.
async fn changed(
    app: &App,
    viewer: &Viewer,
    (place, season): (&InArena, &Season),
    fields: &Fields,
) -> Result<(), RequestFailure> {
    let form: ArenaForm = filled(fields)?;
    let ends_at =
        CourseClock::from_course(&place.attendance.course).end(&form.ends).map_err(not_fitting)?;
    let scoring = form.scoring.unwrap_or_else(|| place.arena.scoring.name().to_owned());
    change_arena(app, viewer, place, (&form.title, &form.state, &scoring)).await?;
    let (arena, number) = (&place.arena.id, season.number);
    let changed = viewer.acting(app).change_season(arena, number, &form.season, ends_at).await;
    changed.map_err(not_fitting)?;
    app.lanes().wake();
    Ok(())
}

/// Changes title, state and scoring of an arena.
///
/// # Errors
/// When one of them cannot be used, or the database fails.
pub async fn change_arena(
    app: &App,
    viewer: &Viewer,
    place: &InArena,
    (title, state, ranks): (&str, &str, &str),
) -> Result<(), RequestFailure> {
    let state = state.parse().map_err(|_| RequestFailure::Bad("error.bad_request"))?;
    let settings = (state, scoring(ranks)?);
    viewer.acting(app).change_arena(&place.arena.id, title, settings).await.map_err(not_fitting)?;
    app.lanes().wake();
    Ok(())
}

/// Handles the button that ends the season.
pub(super) async fn end(
    State(app): State<App>,
    viewer: Viewer,
    Path(names): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let (place, _) = managed(&app, &viewer, &names).await?;
    place.attendance.clone().instructor()?;
    close_season(&app, &viewer, &place).await?;
    Ok(Redirect::to(&place.address()).into_response())
}

/// Ends the current season of an arena: in an open arena as soon as the top places are separated,
/// in others at once.
///
/// # Errors
/// When the database fails.
pub async fn close_season(
    app: &App,
    viewer: &Viewer,
    place: &InArena,
) -> Result<(), RequestFailure> {
    let (store, now, arena) = (viewer.acting(app), Timestamp::now(), &place.arena);
    store.close_season(&arena.id, arena.season, now).await.map_err(RequestFailure::internal)?;
    if arena.state == ArenaState::Open {
        app.lanes().wake();
        return Ok(());
    }
    let season = store.season(&arena.id, arena.season).await.map_err(RequestFailure::internal)?;
    let season = season.ok_or(RequestFailure::NotFound)?;
    end_season(app, arena, &season, now).await.map_err(RequestFailure::internal)
}
