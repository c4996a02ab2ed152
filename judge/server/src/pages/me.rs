//! A person's own page: language, names on scoreboards, tokens, sessions.

use std::time::Duration;

use askama::Template;
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::{AccountEvent, Timestamp, TokenId, TokenInfo, TokenKind};
use serde::Deserialize;

use super::Attendance;
use super::home::not_fitting;
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};
use crate::words::{Language, Words};

/// Lifetime of an API token.
const TOKEN: Duration = Duration::from_secs(180 * 24 * 60 * 60);

#[derive(Template)]
#[template(path = "me.html")]
struct Me {
    frame: PageFrame,
    benched: Vec<(String, String)>,
    notices: Vec<(String, String)>,
    languages: Vec<(&'static str, &'static str, bool)>,
    courses: Vec<CourseEntry>,
    tokens: Vec<TokenEntry>,
    sessions: Vec<TokenEntry>,
    /// The issuer of single sign-on, and the time of the link if the account is linked.
    sign_on: Option<(String, Option<String>)>,
    /// Ids and names of the campus systems that the account is linked with, and the times.
    platforms: Vec<(String, String, String)>,
    /// The address for mail about results, and the subscription; none if the server sends no mail.
    mail: Option<MailEntry>,
    /// Times and texts of the account's events.
    events: Vec<(String, String)>,
}

struct MailEntry {
    address: Option<String>,
    is_subscribed: bool,
}

struct CourseEntry {
    slug: String,
    title: String,
    role: String,
    pseudonym: String,
    shows_real_name: bool,
    is_archived: bool,
}

struct TokenEntry {
    id: String,
    label: String,
    facts: String,
    is_this: bool,
}

/// `/me`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Response, RequestFailure> {
    let (store, words) = (app.store(), viewer.language.words());
    let tokens = store.tokens_of(&viewer.person.id, Timestamp::now()).await;
    let tokens = tokens.map_err(RequestFailure::internal)?;
    let of = |kind| {
        let own = tokens.iter().filter(move |token| token.kind == kind);
        own.map(|token| entry(words, &viewer, token)).collect()
    };
    let sign_on = match app.sign_on() {
        Some(sign_on) => {
            let since = store.identity_of(sign_on.issuer(), &viewer.person.id).await;
            let since = since.map_err(RequestFailure::internal)?.map(day);
            Some((sign_on.name().to_owned(), since))
        }
        None => None,
    };
    let mut platforms = Vec::new();
    for platform in app.lti().platforms() {
        let since = store.identity_of(&platform.id(), &viewer.person.id).await;
        let since = since.map_err(RequestFailure::internal)?;
        platforms.extend(since.map(|at| (platform.id(), platform.name.clone(), day(at))));
    }
    let languages = Language::ALL.map(|one| (one.code(), one.name(), one == viewer.language));
    shown(&Me {
        benched: super::arena::benched(&app, &viewer).await?,
        notices: super::review::notices(&app, &viewer, None).await?,
        languages: languages.to_vec(),
        courses: courses(&app, &viewer).await?,
        tokens: of(TokenKind::Api),
        sessions: of(TokenKind::Session),
        sign_on,
        platforms,
        mail: mail(&app, &viewer).await?,
        events: events(&app, &viewer).await?,
        frame: PageFrame::new(&viewer, viewer.person.name.clone()),
    })
}

async fn mail(app: &App, viewer: &Viewer) -> Result<Option<MailEntry>, RequestFailure> {
    if app.config().mail.is_none() {
        return Ok(None);
    }
    let is_subscribed = app.store().is_subscribed(&viewer.person.id).await;
    Ok(Some(MailEntry {
        address: viewer.person.address.clone(),
        is_subscribed: is_subscribed.map_err(RequestFailure::internal)?,
    }))
}

fn day(at: Timestamp) -> String {
    at.to_string().get(..10).unwrap_or_default().to_owned()
}

fn minute(at: Timestamp) -> String {
    let text = at.to_string();
    format!("{} (UTC)", text.get(..16).unwrap_or_default().replace('T', " "))
}

/// Times and texts of the events of the reader's account, the newest first.
async fn events(app: &App, viewer: &Viewer) -> Result<Vec<(String, String)>, RequestFailure> {
    let words = viewer.language.words();
    let events =
        app.store().account_events(&viewer.person.id).await.map_err(RequestFailure::internal)?;
    let text = |event: &AccountEvent| {
        let by = event.by.clone().unwrap_or_else(|| words.t("me.by_server").to_owned());
        let course = event.course.clone().unwrap_or_default();
        let key = format!("event.{}", event.kind.name());
        let role = event.role.and_then(|role| words.find("role", role.name()));
        let role = role.map(|role| words.t1("me.event_role", role));
        [Some(words.t2(&key, by, course)), role].into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    Ok(events.iter().map(|event| (minute(event.at), text(event))).collect())
}

fn entry(words: &Words, viewer: &Viewer, token: &TokenInfo) -> TokenEntry {
    let made = words.t2("me.token_facts", day(token.created_at), day(token.expires_at));
    let used = token.last_used_at.map(|at| words.t1("me.token_used", minute(at)));
    TokenEntry {
        id: token.id.to_string(),
        label: token.label.clone(),
        facts: [Some(made), used].into_iter().flatten().collect::<Vec<_>>().join(" "),
        is_this: token.id == viewer.token,
    }
}

async fn courses(app: &App, viewer: &Viewer) -> Result<Vec<CourseEntry>, RequestFailure> {
    let (store, words) = (app.store(), viewer.language.words());
    let mut entries = Vec::new();
    for (course, role) in
        store.courses_of(&viewer.person.id).await.map_err(RequestFailure::internal)?
    {
        let member = store.member(&course.id, &viewer.person.id).await;
        let Some(member) = member.map_err(RequestFailure::internal)? else { continue };
        let is_archived = course.is_archived();
        entries.push(CourseEntry {
            slug: course.slug,
            title: course.title,
            role: words.find("role", role.name()).unwrap_or_default().to_owned(),
            pseudonym: member.pseudonym,
            shows_real_name: member.shows_real_name,
            is_archived,
        });
    }
    Ok(entries)
}

fn back() -> Response {
    Redirect::to("/me").into_response()
}

/// The chosen language.
#[derive(Deserialize)]
pub(super) struct LanguageForm {
    language: String,
}

/// Sets the language of the reader's pages.
pub(super) async fn set_language(
    State(app): State<App>,
    viewer: Viewer,
    Form(form): Form<LanguageForm>,
) -> Result<Response, RequestFailure> {
    let language =
        Language::find(&form.language).ok_or(RequestFailure::Bad("error.bad_request"))?;
    let set = app.store().set_language(&viewer.person.id, language.code()).await;
    set.map_err(not_fitting)?;
    Ok(back())
}

/// The mail that the reader wants.
#[derive(Deserialize)]
pub(super) struct MailForm {
    results: Option<String>,
}

/// Subscribes the reader to mail about results, or ends it.
pub(super) async fn set_mail(
    State(app): State<App>,
    viewer: Viewer,
    Form(form): Form<MailForm>,
) -> Result<Response, RequestFailure> {
    let (person, wants) = (&viewer.person.id, form.results.is_some());
    let set = app.store().subscribe(person, wants, Timestamp::now()).await;
    set.map_err(RequestFailure::internal)?;
    Ok(back())
}

/// The reader's name on a scoreboard.
#[derive(Deserialize)]
pub(super) struct BoardForm {
    course: String,
    pseudonym: String,
    real: Option<String>,
}

/// Sets the reader's name on a course's scoreboards.
pub(super) async fn set_scoreboard(
    State(app): State<App>,
    viewer: Viewer,
    Form(form): Form<BoardForm>,
) -> Result<Response, RequestFailure> {
    let (store, person) = (app.store(), &viewer.person.id);
    let course = Attendance::load(&app, &viewer, &form.course).await?.course.id;
    store.set_pseudonym(&course, person, &form.pseudonym).await.map_err(not_fitting)?;
    let shows = form.real.is_some();
    store.show_real_name(&course, person, shows).await.map_err(not_fitting)?;
    app.scoreboards().forget();
    Ok(back())
}

/// A token to create.
#[derive(Deserialize)]
pub(super) struct TokenForm {
    label: String,
}

/// Secrets that are shown once, each with its owner.
#[derive(Template)]
#[template(path = "token.html")]
pub(super) struct Secrets {
    pub(super) frame: PageFrame,
    pub(super) note: String,
    pub(super) secrets: Vec<(String, String)>,
    pub(super) back: String,
}

/// Creates an API token, and shows its secret once.
pub(super) async fn make_token(
    State(app): State<App>,
    viewer: Viewer,
    Form(form): Form<TokenForm>,
) -> Result<Response, RequestFailure> {
    let (words, now) = (viewer.language.words(), Timestamp::now());
    let (session, end) = ((&viewer.person.id, &viewer.token), now.after(TOKEN));
    let made = app.store().new_api_token(session, &form.label, end, now).await;
    let (_, secret) = made.map_err(not_fitting)?;
    shown(&Secrets {
        frame: PageFrame::new(&viewer, words.t("me.new_token")),
        note: words.t("me.token_once").to_owned(),
        secrets: vec![(String::new(), secret.reveal().to_owned())],
        back: "/me".to_owned(),
    })
}

/// Revokes one of the reader's tokens or sessions.
pub(super) async fn revoke(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Response, RequestFailure> {
    let id: TokenId = id.parse().map_err(|_| RequestFailure::NotFound)?;
    let ended = app.store().revoke(&viewer.person.id, &id, Timestamp::now()).await;
    if ended.map_err(RequestFailure::internal)? {
        Ok(back())
    } else {
        Err(RequestFailure::NotFound)
    }
}
