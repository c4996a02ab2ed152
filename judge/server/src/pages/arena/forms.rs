//! Forms: enter a bot, withdraw it, bring it back, challenge.

use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_core::Explanation;
use judge_store::{BotId, Error, LadderBot, LadderRefusal, PairId, SubmissionId, Timestamp};
use serde::Deserialize;

use super::super::home::not_fitting;
use super::InArena;
use crate::App;
use crate::web::{RequestFailure, Viewer};

/// A submission to enter, and the bot's name.
#[derive(Deserialize)]
pub(super) struct EnterForm {
    name: String,
    submission: String,
}

/// Enters a submission.
pub(super) async fn enter_form(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, arena)): Path<(String, String)>,
    Form(form): Form<EnterForm>,
) -> Result<Response, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let bot = enter_bot(&app, &viewer, &place, (&form.name, &form.submission)).await?;
    Ok(Redirect::to(&format!("{}/bots/{}", place.address(), bot.id)).into_response())
}

/// Enters a submission under a name.
///
/// # Errors
/// When the rules of the arena forbid it, or the database fails.
pub async fn enter_bot(
    app: &App,
    viewer: &Viewer,
    place: &InArena,
    (name, submission): (&str, &str),
) -> Result<LadderBot, RequestFailure> {
    let not_fitting_one = || RequestFailure::Refused("refusal.ladder_not_fitting", String::new());
    let id: SubmissionId = submission.parse().map_err(|_| not_fitting_one())?;
    let found = app.store().submission(&id).await.map_err(RequestFailure::internal)?;
    // Another person's or group's submission is treated like a missing one.
    let found = found.filter(|found| place.owners.contains(&found.owner));
    let found = found.ok_or_else(not_fitting_one)?;
    if let Some(why) = unfit(app, &place.arena.game, &found).await? {
        return Err(RequestFailure::Refused("refusal.ladder_unfit", why.to_string()));
    }
    let entered = app
        .store()
        .enter_bot(&place.arena.id, &viewer.person.id, (name, &id), Timestamp::now())
        .await;
    let bot = entered.map_err(ladder_refusal)?;
    app.lanes().wake();
    tracing::info!(bot = %bot.id, arena = %place.arena.id, "entered");
    Ok(bot)
}

/// The reason why a module cannot play on a ladder, whatever its result in the suite; none if it
/// can.
async fn unfit(
    app: &App,
    game: &str,
    submission: &judge_store::Submission,
) -> Result<Option<Explanation>, RequestFailure> {
    let module = app.store().module(&submission.module).await.map_err(RequestFailure::internal)?;
    let Some(module) = module else { return Ok(None) };
    let (name, game) = (submission.name.clone(), game.to_owned());
    let looked_at = move || judge_runner::contest::ladder::unfit(&name, &module, &game);
    tokio::task::spawn_blocking(looked_at).await.map_err(RequestFailure::internal)
}

/// The failure for a refusal by the rules of an arena.
fn ladder_refusal(error: Error) -> RequestFailure {
    let Error::Ladder(refusal) = error else { return not_fitting(error) };
    let none = String::new();
    match refusal {
        LadderRefusal::NotAMember => RequestFailure::NotAllowed,
        LadderRefusal::NotOpen => RequestFailure::Refused("refusal.ladder_not_open", none),
        LadderRefusal::Ending => RequestFailure::Refused("refusal.ladder_ending", none),
        LadderRefusal::NotFitting => RequestFailure::Refused("refusal.ladder_not_fitting", none),
        LadderRefusal::SameModule => RequestFailure::Refused("refusal.ladder_same_module", none),
        LadderRefusal::NoChallenge => RequestFailure::Refused("refusal.ladder_no_challenge", none),
        LadderRefusal::TooManyBots { allowed } => {
            RequestFailure::Refused("refusal.ladder_many_bots", allowed.to_string())
        }
        LadderRefusal::TooManyVersions { allowed } => {
            RequestFailure::Refused("refusal.ladder_many_versions", allowed.to_string())
        }
        LadderRefusal::TooManyChallenges { allowed } => {
            RequestFailure::Refused("refusal.ladder_many_challenges", allowed.to_string())
        }
        LadderRefusal::TooManyChallengesToday { allowed } => {
            RequestFailure::Refused("refusal.ladder_challenges_today", allowed.to_string())
        }
    }
}

/// Withdraws the reader's own bot.
pub(super) async fn withdraw(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, arena, id)): Path<(String, String, String)>,
) -> Result<Response, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let bot = place.own_bot(&app, &id).await?;
    app.store().withdraw_bot(&bot.id, Timestamp::now()).await.map_err(RequestFailure::internal)?;
    Ok(Redirect::to(&place.address()).into_response())
}

/// Brings the reader's own bot back to the ladder after too many faults.
pub(super) async fn back(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, arena, id)): Path<(String, String, String)>,
) -> Result<Response, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let bot = place.own_bot(&app, &id).await?;
    app.store().bring_back(&bot.id).await.map_err(RequestFailure::internal)?;
    app.lanes().wake();
    Ok(Redirect::to(&format!("{}/bots/{}", place.address(), bot.id)).into_response())
}

/// The bots of a challenge.
#[derive(Deserialize)]
pub(super) struct ChallengeForm {
    one: String,
    other: String,
}

/// Handles the form for a challenge.
pub(super) async fn challenge(
    State(app): State<App>,
    viewer: Viewer,
    Path((course, arena)): Path<(String, String)>,
    Form(form): Form<ChallengeForm>,
) -> Result<Response, RequestFailure> {
    let place = InArena::load(&app, &viewer, (&course, &arena)).await?;
    let id = request_challenge(&app, &viewer, &place, [&form.one, &form.other]).await?;
    Ok(Redirect::to(&format!("{}/pairs/{id}", place.address())).into_response())
}

/// Requests an unrated pair between two public bots.
///
/// # Errors
/// When the rules of the arena forbid it, or the database fails.
pub async fn request_challenge(
    app: &App,
    viewer: &Viewer,
    place: &InArena,
    bots: [&str; 2],
) -> Result<PairId, RequestFailure> {
    let no = || RequestFailure::Refused("refusal.ladder_no_challenge", String::new());
    let [one, other] = bots.map(str::parse::<BotId>);
    let (one, other) = (one.map_err(|_| no())?, other.map_err(|_| no())?);
    let (arena, person) = (&place.arena.id, &viewer.person.id);
    let asked = app.store().challenge(arena, person, [&one, &other], Timestamp::now()).await;
    let id = asked.map_err(ladder_refusal)?;
    app.lanes().wake();
    Ok(id)
}
