//! Launches from campus systems: the request for a sign-in, the launch, and the first time, when an
//! account or a course is connected.

mod connect;
mod launch;

use axum::Router;
use axum::routing::{get, post};
use judge_store::{
    Arrival, Arriving, Course, Error, Listed, LtiContext, PersonId, Timestamp, TokenId,
};

use crate::App;
use crate::config::LtiPlatform;
use crate::lti::Launch;
use crate::web::RequestFailure;

/// Pages for people.
pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/lti/keys", get(launch::keys))
        .route("/lti/connect", get(connect::page).post(connect::connect))
        .route("/me/lti/unlink", post(connect::unlink))
}

/// Addresses that a platform's page sends a browser to.
pub fn launches() -> Router<App> {
    Router::new()
        .route("/lti/login", get(launch::login).post(launch::login_by_form))
        .route("/lti/launch", post(launch::launch))
}

/// The settings of the platform of a launch.
fn platform<'a>(app: &'a App, launch: &Launch) -> Result<&'a LtiPlatform, RequestFailure> {
    app.lti().platform(&launch.platform).ok_or(RequestFailure::NotFound)
}

/// The ids of a launch's course at the platform.
fn context(launch: &Launch) -> Option<LtiContext<'_>> {
    let context = launch.context.as_ref()?;
    let (platform, deployment) = (&*launch.platform, &*context.deployment);
    Some(LtiContext { platform, deployment, context: &context.id })
}

/// The course here that the course of a launch is connected with.
async fn course(app: &App, launch: &Launch) -> Result<Option<Course>, RequestFailure> {
    let Some(context) = context(launch) else { return Ok(None) };
    let id = app.store().lti_course(context).await.map_err(RequestFailure::internal)?;
    let Some(id) = id else { return Ok(None) };
    app.store().course(&id).await.map_err(RequestFailure::internal)
}

/// The name in a launch, which marks need.
fn name(platform: &LtiPlatform, launch: &Launch) -> Result<String, RequestFailure> {
    let missing = || RequestFailure::Refused("refusal.lti_nameless", platform.name.clone());
    launch.name.clone().ok_or_else(missing)
}

/// True if the person of a launch was in the course before. A new account would bring back rights
/// that they lost.
async fn was_here(app: &App, launch: &Launch, course: &Course) -> Result<bool, RequestFailure> {
    let identity = (&*launch.platform, &*launch.subject);
    let known = app.store().was_in_course(&course.id, identity).await;
    known.map_err(RequestFailure::internal)
}

/// Lets a person into the connected course, and returns the path of the page that the link names.
async fn arrive(
    app: &App,
    launch: &Launch,
    (course, person): (&Course, &PersonId),
    session: Option<&TokenId>,
    now: Timestamp,
) -> Result<String, RequestFailure> {
    let (store, platform) = (app.store(), platform(app, launch)?);
    let own = format!("/c/{}", course.slug);
    let below = launch.target.strip_prefix(&own).filter(|rest| rest.starts_with('/'));
    let to = if below.is_some() { launch.target.clone() } else { own };
    let member = store.member(&course.id, person).await.map_err(RequestFailure::internal)?;
    if member.is_some() && course.is_archived() {
        return Ok(to);
    }
    let name = match &member {
        Some(member) => member.name.clone(),
        None => name(platform, launch)?,
    };
    let listed = Listed { name, number: launch.number.clone() };
    let identity = (&*launch.platform, &*launch.subject);
    let arriving = Arriving { role: launch.role, listed, identity, session };
    match store.arrive((&course.id, person), arriving, now).await {
        Ok(Arrival::Joined) => app.scoreboards().forget(),
        Ok(Arrival::Member) => {}
        Ok(Arrival::Removed) => {
            return Err(RequestFailure::Refused("refusal.lti_removed", course.title.clone()));
        }
        Err(Error::Archived) => return Err(RequestFailure::archived()),
        Err(error) => return Err(super::home::not_fitting(error)),
    }
    note_services(app, launch, course, below.unwrap_or_default()).await?;
    Ok(to)
}

/// Notes the addresses of the list of members, and of the gradebook's column for the suite that the
/// link names; `below` is the path in the course.
async fn note_services(
    app: &App,
    launch: &Launch,
    course: &Course,
    below: &str,
) -> Result<(), RequestFailure> {
    let (store, Some(context)) = (app.store(), context(launch)) else { return Ok(()) };
    let members_url = launch.context.as_ref().and_then(|one| one.members_url.as_ref());
    if let Some(url) = members_url {
        store.note_lti_members(context, url).await.map_err(RequestFailure::internal)?;
    }
    let (Some(slug), Some(line_item)) = (below.strip_prefix("/s/"), &launch.line_item) else {
        return Ok(());
    };
    // A link to a page below the suite's is about the suite, too.
    let slug = slug.split('/').next().unwrap_or_default();
    if super::plain(slug).is_err() {
        return Ok(());
    }
    let suite = store.suite_by_slug(&course.id, slug).await.map_err(RequestFailure::internal)?;
    let Some(suite) = suite else { return Ok(()) };
    let noted = store.add_lti_column(&suite.id, context, line_item).await;
    noted.map_err(RequestFailure::internal)
}
