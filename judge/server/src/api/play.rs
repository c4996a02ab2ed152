//! API to play rounds against bots. It offers the same as the page for playing. A person has one
//! round at a time.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use judge_core::Seat;
use judge_session::{AnswerRefusal, Request};
use judge_store::{HumanRound, HumanRoundId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::types::ApiProblem;
use super::wrong;
use crate::App;
use crate::hosted::Refused;
use crate::pages::{BeginFailure, Opposite, begin_round, go_on_round};
use crate::signatures::About;
use crate::web::{RequestFailure, TokenViewer, Viewer, handed_out};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(state, begin))
        .routes(routes!(answer))
        .routes(routes!(undo))
        .routes(routes!(resign))
        .routes(routes!(played))
        .routes(routes!(replay))
}

/// A round to begin, against the bot of a submission or a public bot of an arena.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewRound {
    /// Id of a submission that you may see.
    #[serde(default)]
    submission: Option<String>,
    /// Id of a public bot.
    #[serde(default)]
    bot: Option<String>,
    /// Your seat: 1 moves first.
    #[schema(value_type = u8, minimum = 1, maximum = 2)]
    seat: Seat,
    /// The game, for a bot that plays several; its first one by default.
    #[serde(default)]
    game: Option<String>,
}

/// An answer to the open question.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswerRequest {
    /// The answer, in the game's notation.
    text: String,
}

/// A round as the person sees it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(super) struct RoundInProgress {
    /// Name of the game.
    game: String,
    /// The seed, in digits; null until the round ends.
    seed: Option<String>,
    /// The person's seat.
    seat: u8,
    /// The players of seats 1 and 2.
    players: [String; 2],
    /// Rule switches that differ from the defaults.
    #[schema(value_type = Object)]
    options: Value,
    /// The open question; null once the round is over.
    question: Option<PlayedQuestion>,
    /// The messages and answers so far.
    log: Vec<PlayLogEntry>,
    /// Number of the person's answers.
    answered: u64,
    /// The scores by seat, as if the round ended here.
    scores: [i64; 2],
    /// The end; null until then.
    end: Option<PlayedEnd>,
}

/// An open question.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct PlayedQuestion {
    /// The line of the protocol, as a bot would read it.
    line: String,
    /// The question in words.
    words: String,
    /// Number of legal answers.
    count: u64,
    /// The first 400 of them.
    legal: Vec<String>,
}

/// A line of the log.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct PlayLogEntry {
    /// True for an answer by the person, false for a message to them.
    own: bool,
    /// The answer, or the message in words.
    text: String,
}

/// The end of a round.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct PlayedEnd {
    /// `win`, `loss` or `draw` for the person.
    result: String,
    /// The result in words, and the failure if one ended it.
    lines: Vec<String>,
    /// The digest of the record.
    digest: String,
    /// Address of the round's page; null if the round was not kept.
    #[serde(default)]
    page: Option<String>,
}

/// A played round.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PlayedInfo {
    /// Id.
    id: String,
    /// Name of the game.
    game: String,
    /// `win`, `loss` or `draw` for the person.
    result: String,
    /// When it ended, in UTC.
    played_at: String,
}

impl From<HumanRound> for PlayedInfo {
    fn from(round: HumanRound) -> PlayedInfo {
        PlayedInfo {
            id: round.id.to_string(),
            game: round.game,
            result: round.result.name().to_owned(),
            played_at: round.played_at.to_string(),
        }
    }
}

/// The response to a request: the round, or the reason for a refusal.
fn response(status: StatusCode, done: Result<Value, Refused>) -> Result<Response, RequestFailure> {
    match done {
        Ok(state) => {
            let round: RoundInProgress =
                serde_json::from_value(state).map_err(RequestFailure::internal)?;
            Ok((status, Json(round)).into_response())
        }
        Err(refused) => refusal(&refused),
    }
}

fn refusal(refused: &Refused) -> Result<Response, RequestFailure> {
    let (status, error) = match refused {
        Refused::Round(AnswerRefusal::Judge(_)) => {
            return Err(RequestFailure::internal(refused.to_string()));
        }
        Refused::Full => return Err(RequestFailure::TooMany),
        Refused::Closed => return Err(RequestFailure::Unavailable),
        Refused::NoRound | Refused::Round(AnswerRefusal::NoRound) => {
            (StatusCode::NOT_FOUND, "no_round")
        }
        Refused::Busy => (StatusCode::CONFLICT, "busy"),
        Refused::Module(_) => (StatusCode::CONFLICT, "not_playable"),
        Refused::Round(AnswerRefusal::Over) => (StatusCode::CONFLICT, "over"),
        Refused::Round(AnswerRefusal::NothingToTakeBack) => {
            (StatusCode::CONFLICT, "nothing_to_take_back")
        }
        Refused::Round(_) => (StatusCode::UNPROCESSABLE_ENTITY, "refused"),
    };
    let problem = ApiProblem { error: error.to_owned(), message: refused.to_string() };
    Ok((status, Json(problem)).into_response())
}

/// Begins a round. A round under way ends without a result.
#[utoipa::path(post, path = "/round", request_body = NewRound,
    responses((status = 201, body = RoundInProgress), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem),
        (status = 409, body = ApiProblem), (status = 413, body = ApiProblem),
        (status = 415, body = ApiProblem), (status = 422, body = ApiProblem),
        (status = 429, body = ApiProblem), (status = 503, body = ApiProblem)))]
async fn begin(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    body: Result<Json<NewRound>, JsonRejection>,
) -> Result<Response, RequestFailure> {
    let Json(NewRound { submission, bot, seat, game }) = body.map_err(|error| wrong(&error))?;
    let opposite = match (&submission, &bot) {
        (Some(id), None) => Opposite::Submission(id),
        (None, Some(id)) => Opposite::Public(id),
        _ => return Err(RequestFailure::Bad("error.bad_request")),
    };
    match begin_round(&app, &viewer, opposite, game, seat).await {
        Ok(begun) => response(StatusCode::CREATED, Ok(begun)),
        Err(BeginFailure::Refused(refused)) => response(StatusCode::CREATED, Err(refused)),
        Err(BeginFailure::Request(failure)) => Err(failure),
    }
}

async fn go_on(app: &App, viewer: &Viewer, request: Request) -> Result<Response, RequestFailure> {
    match go_on_round(app, viewer, request).await {
        Ok(state) => response(StatusCode::OK, Ok(state)),
        Err(BeginFailure::Refused(refused)) => refusal(&refused),
        Err(BeginFailure::Request(failure)) => Err(failure),
    }
}

/// Shows the round under way.
#[utoipa::path(get, path = "/round",
    responses((status = 200, body = RoundInProgress), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem)))]
async fn state(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
) -> Result<Response, RequestFailure> {
    go_on(&app, &viewer, Request::State).await
}

/// Answers the open question. The reply comes after the bot's answer.
#[utoipa::path(post, path = "/round/answers", request_body = AnswerRequest,
    responses((status = 200, body = RoundInProgress), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem),
        (status = 409, body = ApiProblem), (status = 413, body = ApiProblem),
        (status = 415, body = ApiProblem), (status = 422, body = ApiProblem)))]
async fn answer(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    body: Result<Json<AnswerRequest>, JsonRejection>,
) -> Result<Response, RequestFailure> {
    let Json(AnswerRequest { text }) = body.map_err(|error| wrong(&error))?;
    go_on(&app, &viewer, Request::Answer { text }).await
}

/// Takes the last answer back.
#[utoipa::path(post, path = "/round/undo",
    responses((status = 200, body = RoundInProgress), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem)))]
async fn undo(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
) -> Result<Response, RequestFailure> {
    go_on(&app, &viewer, Request::Undo).await
}

/// Gives the round up.
#[utoipa::path(post, path = "/round/resign",
    responses((status = 200, body = RoundInProgress), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem)))]
async fn resign(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
) -> Result<Response, RequestFailure> {
    go_on(&app, &viewer, Request::Resign).await
}

/// Lists your latest rounds, the newest first.
#[utoipa::path(get, path = "/rounds",
    responses((status = 200, body = Vec<PlayedInfo>), (status = 401, body = ApiProblem)))]
async fn played(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
) -> Result<Json<Vec<PlayedInfo>>, RequestFailure> {
    let rounds =
        app.store().human_rounds_of(&viewer.person.id).await.map_err(RequestFailure::internal)?;
    Ok(Json(rounds.into_iter().map(PlayedInfo::from).collect()))
}

/// The replay of a round that you have played.
#[utoipa::path(get, path = "/rounds/{round}/replay",
    params(("round" = String, Path, description = "The round's id")),
    responses((status = 200, description = "The replay; `Judge-Signature` has its signature",
        content_type = "application/jsonl"),
        (status = 401, body = ApiProblem), (status = 404, body = ApiProblem)))]
async fn replay(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(id): Path<String>,
) -> Result<Response, RequestFailure> {
    let id: HumanRoundId = id.parse().map_err(|_| RequestFailure::NotFound)?;
    let found = app.store().human_round(&id, &viewer.person.id).await;
    let (_, text) = found.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
    let about = About::kind("human round").of_person(&viewer.person);
    Ok(handed_out(about, ([(CONTENT_TYPE, "application/jsonl")], text)))
}
