//! Sign-in with an OpenID Connect issuer: the redirect to it, the return with a code, and the
//! choice of the person here.

use askama::Template;
use axum::extract::{Query, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use judge_store::{
    AccessRefusal, Error, NewIdentity, NewPerson, PersonId, Role, Timestamp, TokenId,
};
use serde::Deserialize;

use super::home::not_fitting;
use crate::App;
use crate::sign_on::{HOLDS, IssuerClaims, SignOn, SignOnError, Ticket};
use crate::web::{
    PageFrame, RequestFailure, Viewer, begin_session, cleared_cookie, cookie_in, short_cookie,
    shown,
};
use crate::words::Language;

/// Name of the cookie with the ticket.
const COOKIE: [&str; 2] = ["sign-in", "__Host-sign-in"];

fn name(app: &App) -> &'static str {
    COOKIE[usize::from(app.config().is_secure())]
}

/// The configured single sign-on. Without it, these pages do not exist.
fn sign_on(app: &App) -> Result<SignOn, RequestFailure> {
    app.sign_on().cloned().ok_or(RequestFailure::NotFound)
}

/// `/sign-in`: redirects to the issuer.
pub(super) async fn leave(State(app): State<App>) -> Result<Response, RequestFailure> {
    out(&app, None).await
}

/// `/me/sign-in`: redirects a signed-in person to the issuer, to link their account.
pub(super) async fn link(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Response, RequestFailure> {
    out(&app, Some(viewer)).await
}

async fn out(app: &App, link: Option<Viewer>) -> Result<Response, RequestFailure> {
    let sign_on = sign_on(app)?;
    let begun =
        sign_on.ask(SignOn::begin).await.map_err(|error| refused(sign_on.name(), &error))?;
    let (url, [state, nonce, verifier]) = begun;
    let until = Timestamp::now().after(HOLDS).millis();
    let link = link.map(|viewer| (viewer.person.id.to_string(), viewer.token.to_string()));
    let ticket = Ticket { state, nonce, verifier, link, until }.signed(sign_on.key());
    let cookie = short_cookie(app.config(), name(app), &ticket, HOLDS);
    Ok(([(SET_COOKIE, cookie)], Redirect::to(&url)).into_response())
}

/// Logs the cause of an error of single sign-on, and returns the failure to show.
pub(super) fn refused(name: &str, error: &SignOnError) -> RequestFailure {
    tracing::warn!(%error, "sign-in failed");
    let key = match error {
        SignOnError::Unreachable(_) => "refusal.sign_on_unreachable",
        SignOnError::Code(_) => "refusal.sign_on_code",
        SignOnError::Expired(_) => "refusal.sign_on_expired",
        SignOnError::Unbelievable(_) => "refusal.sign_on_unbelievable",
    };
    RequestFailure::Refused(key, name.to_owned())
}

/// Query with which the issuer redirects back.
#[derive(Deserialize)]
pub(super) struct IssuerReply {
    code: Option<String>,
    #[serde(default)]
    state: String,
}

/// The page after signing in. It redirects by itself, because browsers send a `SameSite=Strict`
/// cookie only when they come from a page of this server.
#[derive(Template)]
#[template(path = "signed_in.html")]
pub(super) struct SignedIn {
    pub(super) frame: PageFrame,
    pub(super) to: String,
}

/// `/sign-in/return`: the issuer redirects back to here.
pub(super) async fn back(
    State(app): State<App>,
    Query(answer): Query<IssuerReply>,
    headers: HeaderMap,
) -> Result<Response, RequestFailure> {
    let sign_on = sign_on(&app)?;
    let refuse = |key| RequestFailure::Refused(key, sign_on.name().to_owned());
    let now = Timestamp::now();
    let ticket = cookie_in(&headers, name(&app));
    let ticket = ticket.and_then(|text| Ticket::read(&text, sign_on.key(), now));
    let ticket = ticket.ok_or_else(|| refuse("refusal.sign_on_expired"))?;
    if !ticket.has_state(&answer.state, sign_on.key()) {
        return Err(refuse("refusal.sign_on_state"));
    }
    let code = answer.code.ok_or_else(|| refuse("refusal.sign_on_code"))?;
    let (nonce, verifier) = (ticket.nonce.clone(), ticket.verifier.clone());
    let ended = sign_on.ask(move |asked| asked.end(&code, &nonce, &verifier)).await;
    let known = ended.map_err(|error| refused(sign_on.name(), &error))?;
    let link = match ticket.link {
        None => None,
        Some((person, session)) => {
            let person: PersonId = person.parse().map_err(RequestFailure::internal)?;
            Some((person, session.parse::<TokenId>().map_err(RequestFailure::internal)?))
        }
    };
    let person = person(&app, &sign_on, &known, link.as_ref(), now).await?;
    tracing::info!(%person, linked = link.is_some(), "signed in by the issuer");
    let mut cookies = vec![(SET_COOKIE, cleared_cookie(app.config(), name(&app)))];
    if link.is_none() {
        let identity = (sign_on.issuer(), known.subject.as_str());
        let cookie = begin_session(&app, identity, now).await?;
        cookies.push((SET_COOKIE, cookie.ok_or_else(|| refuse("refusal.sign_on_expired"))?));
    }
    let language = Language::preferred(&headers);
    let title = language.words().t("sign_on.done").to_owned();
    let to = if link.is_some() { "/me" } else { "/" }.to_owned();
    let page = shown(&SignedIn { frame: PageFrame::bare(language, title), to })?;
    Ok((AppendHeaders::<Vec<(HeaderName, HeaderValue)>>(cookies), page).into_response())
}

/// The person that the issuer identified: the linked person, or the person of the session in which
/// this began, or the person with the verified address, or a new one if newcomers are allowed.
async fn person(
    app: &App,
    sign_on: &SignOn,
    known: &IssuerClaims,
    link: Option<&(PersonId, TokenId)>,
    now: Timestamp,
) -> Result<PersonId, RequestFailure> {
    let (store, issuer) = (app.store(), sign_on.issuer());
    let refuse = |key| RequestFailure::Refused(key, sign_on.name().to_owned());
    let linked = store.person_by_identity(issuer, &known.subject).await;
    let linked = linked.map_err(RequestFailure::internal)?;
    if let Some(linked) = linked {
        return match link {
            Some((wanted, _)) if *wanted != linked => Err(refuse("refusal.sign_on_taken")),
            _ => Ok(linked),
        };
    }
    let (person, session) = match link {
        Some((person, session)) => (person.clone(), Some(session)),
        None => (first_time(app, sign_on, known, now).await?, None),
    };
    let owner = owner_of_address(app, known).await?;
    // Otherwise a member at a shared computer links the account of another member, who from then on
    // signs in as the wrong person.
    if owner.as_ref().is_some_and(|owner| *owner != person) {
        return Err(refuse("refusal.sign_on_other"));
    }
    let is_proven = session.is_none() || owner.is_some();
    let subject = known.subject.as_str();
    let new = NewIdentity { issuer, subject, person: &person, is_proven, session };
    match store.link_identity(new, now).await {
        Ok(()) => Ok(person),
        Err(Error::Access(AccessRefusal::LinkedAlready)) => Err(refuse("refusal.sign_on_taken")),
        Err(Error::Access(AccessRefusal::SignedOut)) => Err(refuse("refusal.sign_on_expired")),
        Err(error) => Err(RequestFailure::internal(error)),
    }
}

/// The person with the address that the issuer has verified.
async fn owner_of_address(
    app: &App,
    known: &IssuerClaims,
) -> Result<Option<PersonId>, RequestFailure> {
    let Some(address) = &known.address else { return Ok(None) };
    let owner = app.store().person_by_address(address).await.map_err(RequestFailure::internal)?;
    Ok(owner.map(|owner| owner.id))
}

/// The person for an account that is not linked yet: the person with its verified address on a
/// course's list, or a new one if the operator allows newcomers.
async fn first_time(
    app: &App,
    sign_on: &SignOn,
    known: &IssuerClaims,
    now: Timestamp,
) -> Result<PersonId, RequestFailure> {
    let store = app.store();
    let refuse = |key| RequestFailure::Refused(key, sign_on.name().to_owned());
    if known.is_unverified {
        return Err(refuse("refusal.sign_on_unverified"));
    }
    let address = known.address.clone().ok_or_else(|| refuse("refusal.sign_on_unknown"))?;
    let listed = store.person_by_address(&address).await.map_err(RequestFailure::internal)?;
    if let Some(listed) = listed {
        return Ok(listed.id);
    }
    let slug = sign_on.join().ok_or_else(|| refuse("refusal.sign_on_unknown"))?;
    let course = store.course_by_slug(slug).await.map_err(RequestFailure::internal)?;
    // An archived course takes no newcomers.
    let course = course.filter(|course| !course.is_archived());
    let course = course.ok_or_else(|| refuse("refusal.sign_on_unknown"))?;
    let identity = (sign_on.issuer(), known.subject.as_str());
    if store.was_unlinked(&course.id, identity).await.map_err(RequestFailure::internal)? {
        return Err(refuse("refusal.sign_on_unlinked"));
    }
    let name = known.name.clone().filter(|name| !name.trim().is_empty());
    let name = name.unwrap_or_else(|| address.clone());
    let new = NewPerson { name, address: Some(address), ..NewPerson::default() };
    let person = store.add_person(&new, now).await.map_err(not_fitting)?;
    store
        .join(&course.id, &person.id, Role::Student, now)
        .await
        .map_err(RequestFailure::internal)?;
    Ok(person.id)
}

/// Unlinks the reader's account at the issuer.
pub(super) async fn unlink(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Response, RequestFailure> {
    let sign_on = sign_on(&app)?;
    let done =
        app.store().unlink_identity(sign_on.issuer(), &viewer.person.id, Timestamp::now()).await;
    done.map_err(RequestFailure::internal)?;
    Ok(Redirect::to("/me").into_response())
}
