//! Rounds of people against bots: the requests of the page for playing, and replays of the played
//! rounds.

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_core::{BotIdentity, Digest, Options, Replay, Seat, digest};
use judge_runner::bots;
use judge_runner::contest::ladder::LIMITS;
use judge_session::{Request, Start};
use judge_store::{Arena, BotId, Course, HumanResult, HumanRoundId, PersonId, PublicBot};

use super::play::CameFrom;
use super::replay::{RoundPage, file_headers};
use super::when::CourseClock;
use super::{Access, Attendance, access};
use crate::App;
use crate::hosted::{self, BotSource, HostedBot, Refused, Variant};
use crate::web::{RequestFailure, Viewer};
use crate::words::Words;

/// A request to a round without a reply.
pub enum BeginFailure {
    /// The visitor may not play against the bot, or the server fails.
    Request(RequestFailure),
    /// The bot or the round refuses it.
    Refused(Refused),
}

impl From<RequestFailure> for BeginFailure {
    fn from(failure: RequestFailure) -> BeginFailure {
        BeginFailure::Request(failure)
    }
}

impl From<Refused> for BeginFailure {
    fn from(refused: Refused) -> BeginFailure {
        BeginFailure::Refused(refused)
    }
}

/// The opposing bot, by id.
#[derive(Debug, Clone, Copy)]
pub enum Opposite<'a> {
    /// The bot of a submission.
    Submission(&'a str),
    /// A public bot of an arena.
    Public(&'a str),
}

/// Begins a round against a bot.
///
/// # Errors
/// When the bot does not exist or the person may not play against it, or the server fails.
pub async fn begin_round(
    app: &App,
    viewer: &Viewer,
    opposite: Opposite<'_>,
    game: Option<String>,
    seat: Seat,
) -> Result<serde_json::Value, BeginFailure> {
    let bot = match opposite {
        Opposite::Submission(id) => own_bot(app, &playable(app, viewer, id).await?).await?,
        Opposite::Public(id) => public_bot(app, viewer, id).await?,
    };
    let first = || bot.variants.first().map(Variant::key).unwrap_or_default();
    let game = game.unwrap_or_else(first);
    // The server chooses the seed and the opposing bot.
    let start = Start {
        game,
        options: Options::new(),
        seed: String::new(),
        seat,
        opponent: None,
        name: None,
    };
    let begun = app.rounds().ask(app.store(), &viewer.person.id, bot, Request::Start(start));
    Ok(begun.await?)
}

/// Handles a request in the person's round, whatever its bot. The right to play against it is
/// checked again, because the person may have left the course, or it may have been archived.
///
/// # Errors
/// When there is no round, the person may no longer play against the bot, or the server fails.
pub async fn go_on_round(
    app: &App,
    viewer: &Viewer,
    request: Request,
) -> Result<serde_json::Value, BeginFailure> {
    let person = &viewer.person.id;
    let (module, source) = app.rounds().opposite(person).ok_or(Refused::NoRound)?;
    match source {
        BotSource::Submission(id) => {
            playable(app, viewer, &id).await?;
        }
        BotSource::Public(id) => {
            public_bot(app, viewer, &id).await?;
        }
    }
    Ok(app.rounds().go_on(person, &module, request).await?)
}

/// `/submissions/{id}/play`: a request of the page for playing, and its reply, in JSON.
pub(super) async fn ask(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    request: String,
) -> Result<Response, RequestFailure> {
    let access = playable(&app, &viewer, &id).await?;
    let request = match read(&request) {
        Ok(request) => request,
        Err(refused) => return Ok(replied(Err(refused))),
    };
    let person = &viewer.person.id;
    // Only requests that begin a round read the module.
    if !matches!(request, Request::Games | Request::Start(_)) {
        return Ok(replied(app.rounds().go_on(person, &access.submission.module, request).await));
    }
    Ok(replied(match own_bot(&app, &access).await {
        Ok(bot) => app.rounds().ask(app.store(), person, bot, request).await,
        Err(BeginFailure::Refused(refused)) => Err(refused),
        Err(BeginFailure::Request(failure)) => return Err(failure),
    }))
}

/// A submission that the reader may see, in a course that is not archived.
async fn playable(app: &App, viewer: &Viewer, id: &str) -> Result<Access, RequestFailure> {
    let access = access(app, viewer, id).await?;
    access.attendance.open()?;
    Ok(access)
}

/// A request of the page for playing.
fn read(request: &str) -> Result<Request, Refused> {
    let malformed =
        |error: serde_json::Error| judge_session::AnswerRefusal::Malformed(error.to_string());
    Ok(serde_json::from_str(request).map_err(malformed)?)
}

/// The response to a request, in the page's format.
fn replied(done: Result<serde_json::Value, Refused>) -> Response {
    ([(CONTENT_TYPE, "application/json")], judge_session::text(done)).into_response()
}

/// The bot of a submission. Its log is kept, because only readers who may see it have access.
async fn own_bot(app: &App, access: &Access) -> Result<HostedBot, BeginFailure> {
    let (store, submission, suite) = (app.store(), &access.submission, &access.suite);
    let module = store.module(&submission.module).await.map_err(RequestFailure::internal)?;
    let module = module.ok_or_else(|| RequestFailure::internal("a module is missing"))?;
    let suite = store.grading_suite(&suite.id, suite.generation).await;
    let suite = suite.map_err(RequestFailure::internal)?;
    let (name, on) = (submission.name.clone(), suite.clone());
    let inspected = tokio::task::spawn_blocking(move || bots::submission(&name, module, &on));
    let inspected = inspected.await.map_err(RequestFailure::internal)?;
    if let Some(refused) = inspected.refused {
        return Err(Refused::Module(refused.why.reason).into());
    }
    let variants = hosted::variants(&suite);
    if variants.is_empty() {
        return Err(Refused::Module("its suite has no open testcase".to_owned()).into());
    }
    let (identity, module) = (inspected.bot, inspected.module);
    let source = BotSource::Submission(submission.id.to_string());
    Ok(HostedBot { source, identity, module, variants })
}

/// `/bots/{id}/play`: a request of the page for playing against a public bot of an arena.
pub(super) async fn ask_public(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    request: String,
) -> Result<Response, RequestFailure> {
    let bot = match public_bot(&app, &viewer, &id).await {
        Ok(bot) => Ok(bot),
        Err(BeginFailure::Refused(refused)) => Err(refused),
        Err(BeginFailure::Request(failure)) => return Err(failure),
    };
    let done = async {
        let (bot, request) = (bot?, read(&request)?);
        app.rounds().ask(app.store(), &viewer.person.id, bot, request).await
    };
    Ok(replied(done.await))
}

/// A public bot of an arena.
async fn public_bot(app: &App, viewer: &Viewer, id: &str) -> Result<HostedBot, BeginFailure> {
    let (bot, arena) = public(app, viewer, id).await?;
    Attendance::by_id(app, viewer, &arena.course).await?.open()?;
    let (Some(module), Some(sha256)) = (bot.module, bot.version.module) else {
        let why = "it is a reference opponent, which plays in the page";
        return Err(Refused::Module(why.to_owned()).into());
    };
    let identity = BotIdentity { name: bot.name, sha256, author: None };
    let variant = Variant { game: arena.game, options: arena.options, limits: LIMITS };
    let source = BotSource::Public(id.to_owned());
    Ok(HostedBot { source, identity, module, variants: vec![variant] })
}

/// `/bots/{id}`: redirects to the bot's page.
pub(super) async fn public_page(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Redirect, RequestFailure> {
    let (bot, arena) = public(&app, &viewer, &id).await?;
    let course = app.store().course(&arena.course).await.map_err(RequestFailure::internal)?;
    let course = course.ok_or(RequestFailure::NotFound)?;
    Ok(Redirect::to(&format!("/c/{}/a/{}/bots/{}", course.slug, arena.slug, bot.bot)))
}

/// A public bot that the person may play against, and its arena.
async fn public(
    app: &App,
    viewer: &Viewer,
    id: &str,
) -> Result<(PublicBot, Arena), RequestFailure> {
    let (store, id) = (app.store(), id.parse::<BotId>().map_err(|_| RequestFailure::NotFound)?);
    let bot = store.public_bot(&id, &viewer.person.id).await.map_err(RequestFailure::internal)?;
    let bot = bot.ok_or(RequestFailure::NotFound)?;
    let arena = store.arena(&bot.arena).await.map_err(RequestFailure::internal)?;
    Ok((bot, arena.ok_or(RequestFailure::NotFound)?))
}

/// `/rounds/{id}`, and the same with `.css` and `.jsonl`: a round, for the person who played it.
pub(super) async fn round(
    State(app): State<App>,
    viewer: Viewer,
    Path(file): Path<String>,
    Query(from): Query<CameFrom>,
    asked: HeaderMap,
) -> Result<Response, RequestFailure> {
    let (id, ending) = file.split_once('.').unwrap_or((&file, ""));
    let id: HumanRoundId = id.parse().map_err(|_| RequestFailure::NotFound)?;
    let found = app.store().human_round(&id, &viewer.person.id).await;
    let (_, text) = found.map_err(RequestFailure::internal)?.ok_or(RequestFailure::NotFound)?;
    if ending == "jsonl" {
        return Ok((file_headers(&id), text).into_response());
    }
    let frame = from.frame(&app, Some(&viewer), &asked).await?;
    let (back, back_name) = match &frame.course {
        Some(course) => (format!("/c/{}", course.slug), "back.course"),
        None => ("/".to_owned(), "back.courses"),
    };
    let page = RoundPage {
        frame,
        own: format!("/rounds/{id}"),
        back,
        back_name,
        verify: format!("judge verify round-{id}.jsonl"),
    };
    let identity = digest(text.as_bytes()).to_string();
    let record = move || Ok(Replay::read(&text).map_err(RequestFailure::internal)?.record);
    page.answer((&app, &viewer), &asked, ending, identity.as_bytes(), record).await
}

/// A round in a list.
pub(super) struct PlayedRound {
    pub(super) page: String,
    pub(super) when: String,
    pub(super) game: String,
    pub(super) result: String,
    pub(super) kind: &'static str,
}

/// The rounds that a person played against a module, the latest first.
pub(super) async fn played(
    app: &App,
    words: &Words,
    course: &Course,
    person: &PersonId,
    module: &Digest,
) -> Result<Vec<PlayedRound>, RequestFailure> {
    let rounds = app.store().human_rounds_of(person).await.map_err(RequestFailure::internal)?;
    let clock = CourseClock::from_course(course);
    let rounds = rounds.into_iter().filter(|round| round.module == *module);
    let entry = |round: judge_store::HumanRound| {
        let (result, kind) = match round.result {
            HumanResult::Won => (words.t("versus.won"), "a"),
            HumanResult::Lost => (words.t("versus.lost"), "b"),
            HumanResult::Drawn => (words.t("versus.drawn"), "n"),
        };
        PlayedRound {
            page: format!("/rounds/{}?course={}", round.id, course.slug),
            when: clock.local(round.played_at),
            game: round.game,
            result: result.to_owned(),
            kind,
        }
    };
    Ok(rounds.map(entry).collect())
}
