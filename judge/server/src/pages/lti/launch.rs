//! The two requests of a launch. Both come from the platform's page, so they prove by the cookie of
//! the first that the second belongs to the same browser.

use axum::Json;
use axum::extract::{Form, Query, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use judge_store::{
    AccessRefusal, Course, Error, NewIdentity, NewPerson, PersonId, Role, Timestamp,
};
use serde::Deserialize;
use serde_json::Value;

use super::super::sign_in::{SignedIn, refused};
use super::{arrive, connect, course, name, platform, was_here};
use crate::App;
use crate::config::LtiPlatform;
use crate::lti::{Launch, LaunchTicket, LoginRequest};
use crate::sign_on::HOLDS;
use crate::web::{
    PageFrame, RequestFailure, begin_session, cleared_cookie, cookie_in, posted_cookie, shown,
};
use crate::words::Language;

/// Name of the cookie with the ticket.
const COOKIE: [&str; 2] = ["launch", "__Host-launch"];

/// Kind of the ticket.
const KIND: &str = "launch";

fn cookie_name(app: &App) -> &'static str {
    COOKIE[usize::from(app.config().is_secure())]
}

/// `/lti/keys`: this server's public key for platforms.
pub(super) async fn keys(State(app): State<App>) -> Result<Json<Value>, RequestFailure> {
    if app.lti().is_empty() {
        return Err(RequestFailure::NotFound);
    }
    Ok(Json(app.tool_key().await.map_err(RequestFailure::internal)?.public()))
}

/// `/lti/login`: the platform asks this server to sign a person in.
pub(super) async fn login(
    State(app): State<App>,
    Query(asked): Query<LoginRequest>,
) -> Result<Response, RequestFailure> {
    begin(&app, &asked)
}

/// `/lti/login` by a form, which platforms may use, too.
pub(super) async fn login_by_form(
    State(app): State<App>,
    Form(asked): Form<LoginRequest>,
) -> Result<Response, RequestFailure> {
    begin(&app, &asked)
}

fn begin(app: &App, asked: &LoginRequest) -> Result<Response, RequestFailure> {
    if app.lti().is_empty() {
        return Err(RequestFailure::NotFound);
    }
    let Some((url, ticket)) = app.lti().begin(asked, Timestamp::now()) else {
        tracing::warn!(issuer = asked.iss, client = asked.client_id, "unknown platform");
        return Err(RequestFailure::Bad("error.lti_unknown"));
    };
    let text = app.lti().key().seal(KIND, &ticket);
    let cookie = posted_cookie(app.config(), cookie_name(app), &text, HOLDS);
    Ok(([(SET_COOKIE, cookie)], Redirect::to(&url)).into_response())
}

/// The answer of the platform.
#[derive(Deserialize)]
pub(super) struct LaunchForm {
    id_token: Option<String>,
    #[serde(default)]
    state: String,
    error: Option<String>,
}

/// `/lti/launch`: the platform posts the ID token.
pub(super) async fn launch(
    State(app): State<App>,
    headers: HeaderMap,
    Form(form): Form<LaunchForm>,
) -> Result<Response, RequestFailure> {
    let (lti, now) = (app.lti(), Timestamp::now());
    let ticket = cookie_in(&headers, cookie_name(&app));
    let ticket = ticket.and_then(|text| lti.key().open::<LaunchTicket>(KIND, &text));
    let ticket = ticket.filter(|ticket| now.millis() < ticket.until);
    let ticket = ticket.ok_or(RequestFailure::Bad("error.lti_no_cookie"))?;
    let platform = lti.platform(&ticket.platform).ok_or(RequestFailure::NotFound)?;
    let refuse = |key| RequestFailure::Refused(key, platform.name.clone());
    if !lti.key().is_same(&ticket.state, &form.state) {
        return Err(refuse("refusal.lti_state"));
    }
    let Some(token) = form.id_token else {
        let error = form.error.unwrap_or_default();
        tracing::warn!(error = judge_core::printable(&error, 200), "a launch failed");
        return Err(refuse("refusal.lti_not_confirmed"));
    };
    let ended = lti.ask(move |lti| lti.end(&ticket, &token, now)).await;
    let launch = ended.map_err(|error| refused(&platform.name, &error))?;
    go_on(&app, &headers, &launch, now).await
}

/// Signs the person of a launch in, and redirects to the page that it names; or asks for the
/// missing parts the first time.
async fn go_on(
    app: &App,
    headers: &HeaderMap,
    launch: &Launch,
    now: Timestamp,
) -> Result<Response, RequestFailure> {
    let platform = platform(app, launch)?;
    let course = course(app, launch).await?;
    let person = person(app, platform, launch, course.as_ref(), now).await?;
    let (to, ticket) = match (&person, &course) {
        (Some(person), Some(course)) => {
            (arrive(app, launch, (course, person), None, now).await?, None)
        }
        (None, Some(_)) => (connect::PATH.to_owned(), Some(connect::ticket(app, launch))),
        (_, None) if launch.context.is_some() && launch.role == Role::Instructor => {
            (connect::PATH.to_owned(), Some(connect::ticket(app, launch)))
        }
        (Some(_), None) if launch.context.is_none() => ("/".to_owned(), None),
        _ => {
            let name = platform.name.clone();
            return Err(RequestFailure::Refused("refusal.lti_not_connected", name));
        }
    };
    let mut cookies = vec![(SET_COOKIE, cleared_cookie(app.config(), cookie_name(app)))];
    cookies.extend(ticket.map(|cookie| (SET_COOKIE, cookie)));
    if let Some(person) = &person {
        tracing::info!(%person, "signed in by a campus system");
        let cookie = begin_session(app, (&launch.platform, &launch.subject), now).await?;
        let gone = || RequestFailure::Refused("refusal.sign_on_expired", platform.name.clone());
        cookies.push((SET_COOKIE, cookie.ok_or_else(gone)?));
    }
    let language = Language::preferred(headers);
    let title = language.words().t("sign_on.done").to_owned();
    let page = shown(&SignedIn { frame: PageFrame::bare(language, title), to })?;
    Ok((AppendHeaders::<Vec<(HeaderName, HeaderValue)>>(cookies), page).into_response())
}

/// The person of a launch: the linked one, or, if the platform verifies addresses, the one with the
/// address or a new one. None if the person must be asked.
async fn person(
    app: &App,
    platform: &LtiPlatform,
    launch: &Launch,
    course: Option<&Course>,
    now: Timestamp,
) -> Result<Option<PersonId>, RequestFailure> {
    let (store, identity) = (app.store(), (&*launch.platform, &*launch.subject));
    let linked = store.person_by_identity(identity.0, identity.1).await;
    let linked = linked.map_err(RequestFailure::internal)?;
    let (None, true, Some(address)) = (&linked, platform.verified_addresses, &launch.address)
    else {
        return Ok(linked);
    };
    let owner = store.person_by_address(address).await.map_err(RequestFailure::internal)?;
    let done = match (owner, course) {
        (Some(owner), _) => {
            let (issuer, subject) = identity;
            let (person, session) = (&owner.id, None);
            let new = NewIdentity { issuer, subject, person, is_proven: true, session };
            store.link_identity(new, now).await.map(|()| owner.id.clone())
        }
        (None, Some(course)) => {
            if was_here(app, launch, course).await? {
                return Ok(None);
            }
            let (name, number) = (name(platform, launch)?, launch.number.clone());
            let new =
                NewPerson { name, number, address: Some(address.clone()), ..NewPerson::default() };
            store.add_lti_person(&new, identity, true, now).await
        }
        (None, None) => return Ok(None),
    };
    match done {
        Ok(person) => Ok(Some(person)),
        // Another account there has this address, too; or a second launch came first.
        Err(Error::Access(AccessRefusal::LinkedAlready) | Error::Taken { what: "address", .. }) => {
            let name = platform.name.clone();
            Err(RequestFailure::Refused("refusal.sign_on_taken", name))
        }
        Err(error) => Err(super::super::home::not_fitting(error)),
    }
}
