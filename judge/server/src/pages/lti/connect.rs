//! The first time: a person chooses their account, or an instructor the course, for a launch that
//! the platform has confirmed. The launch is kept in a cookie that the server has signed.

use askama::Template;
use axum::extract::{Form, State};
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{AppendHeaders, IntoResponse as _, Redirect, Response};
use judge_store::{AccessRefusal, Error, LtiCourse, NewIdentity, NewPerson, Role, Timestamp};
use serde::Deserialize;

use super::super::Attendance;
use super::super::home::not_fitting;
use super::{arrive, course, name, platform, was_here};
use crate::App;
use crate::lti::Launch;
use crate::sign_on::HOLDS;
use crate::web::{
    PageFrame, RequestFailure, Viewer, begin_session, cleared_cookie, cookie_in, short_cookie,
    shown,
};
use crate::words::Language;

/// Path of the page.
pub(super) const PATH: &str = "/lti/connect";

/// Name of the cookie with the launch.
const COOKIE: [&str; 2] = ["launched", "__Host-launched"];

/// Kind of the ticket.
const KIND: &str = "launched";

fn cookie_name(app: &App) -> &'static str {
    COOKIE[usize::from(app.config().is_secure())]
}

/// The cookie that keeps a confirmed launch.
pub(super) fn ticket(app: &App, launch: &Launch) -> HeaderValue {
    short_cookie(app.config(), cookie_name(app), &app.lti().key().seal(KIND, launch), HOLDS)
}

/// The confirmed launch of this browser.
fn launched(app: &App, headers: &HeaderMap) -> Result<Launch, RequestFailure> {
    let launch = cookie_in(headers, cookie_name(app));
    let launch = launch.and_then(|text| app.lti().key().open::<Launch>(KIND, &text));
    let launch = launch.filter(|launch| Timestamp::now().millis() < launch.until);
    launch.ok_or(RequestFailure::Bad("error.lti_no_cookie"))
}

#[derive(Template)]
#[template(path = "lti_connect.html")]
struct Connect {
    frame: PageFrame,
    platform: String,
    /// Title of the course there.
    title: String,
    /// The name at the platform.
    name: String,
    /// The name of the account that is signed in.
    account: Option<String>,
    /// Title of the course here, if the person was in it before: then they cannot begin again with a
    /// new account.
    former: Option<String>,
    /// True if a course has to be chosen, and not an account.
    chooses_course: bool,
    /// Short names and titles of the courses that can be chosen.
    courses: Vec<(String, String)>,
}

/// `/lti/connect`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Option<Viewer>,
    headers: HeaderMap,
) -> Result<Response, RequestFailure> {
    let launch = launched(&app, &headers)?;
    let platform = platform(&app, &launch)?.name.clone();
    let course = course(&app, &launch).await?;
    let chooses_course = course.is_none();
    let former = match course {
        Some(course) if was_here(&app, &launch, &course).await? => Some(course.title),
        _ => None,
    };
    let language =
        viewer.as_ref().map_or_else(|| Language::preferred(&headers), |one| one.language);
    let heading = language.words().t1("lti.connect", &platform);
    let courses = match &viewer {
        Some(viewer) if chooses_course => own_courses(&app, viewer).await?,
        _ => Vec::new(),
    };
    shown(&Connect {
        platform,
        title: launch.context.map(|context| context.title).unwrap_or_default(),
        name: launch.name.unwrap_or_default(),
        former,
        account: viewer.as_ref().map(|viewer| viewer.person.name.clone()),
        chooses_course,
        courses,
        frame: match &viewer {
            Some(viewer) => PageFrame::new(viewer, heading),
            None => PageFrame::bare(language, heading),
        },
    })
}

/// Short names and titles of the open courses in which the reader is an instructor.
async fn own_courses(app: &App, viewer: &Viewer) -> Result<Vec<(String, String)>, RequestFailure> {
    let all = app.store().courses_of(&viewer.person.id).await.map_err(RequestFailure::internal)?;
    let own =
        all.into_iter().filter(|(course, role)| *role == Role::Instructor && !course.is_archived());
    Ok(own.map(|(course, _)| (course.slug, course.title)).collect())
}

/// The choice.
#[derive(Deserialize)]
pub(super) struct ConnectForm {
    /// `new` and `own` choose an account, `course` a course.
    what: String,
    /// Short name of the course.
    #[serde(default)]
    course: String,
}

/// Connects the account or the course of a confirmed launch.
pub(super) async fn connect(
    State(app): State<App>,
    viewer: Option<Viewer>,
    headers: HeaderMap,
    Form(choice): Form<ConnectForm>,
) -> Result<Response, RequestFailure> {
    let (launch, now) = (launched(&app, &headers)?, Timestamp::now());
    // A mistake in the form must not use the launch up, so this comes first.
    if !matches!(&*choice.what, "new" | "own" | "course") {
        return Err(RequestFailure::Bad("error.bad_request"));
    }
    if choice.what != "new" && viewer.is_none() {
        return Err(RequestFailure::SignIn);
    }
    if !app.lti().use_up(&format!("connect {}", launch.id), launch.until, now.millis()) {
        return Err(RequestFailure::Bad("error.lti_no_cookie"));
    }
    let mut cookies = vec![(SET_COOKIE, cleared_cookie(app.config(), cookie_name(&app)))];
    let to = match &viewer {
        Some(viewer) if choice.what == "course" => {
            connect_course(&app, viewer, &launch, &choice.course, now).await?
        }
        Some(viewer) if choice.what == "own" => {
            link(&app, viewer, &launch, now).await?;
            let course = course(&app, &launch).await?.ok_or(RequestFailure::NotFound)?;
            arrive(&app, &launch, (&course, &viewer.person.id), Some(&viewer.token), now).await?
        }
        _ => {
            let to = begin_account(&app, &launch, now).await?;
            let cookie = begin_session(&app, (&launch.platform, &launch.subject), now).await?;
            cookies.extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
            to
        }
    };
    let cookies = AppendHeaders::<Vec<(HeaderName, HeaderValue)>>(cookies);
    Ok((cookies, Redirect::to(&to)).into_response())
}

/// Makes an account for the person of a launch, and lets it into the connected course.
async fn begin_account(
    app: &App,
    launch: &Launch,
    now: Timestamp,
) -> Result<String, RequestFailure> {
    let platform = platform(app, launch)?;
    let course = course(app, launch).await?.ok_or(RequestFailure::NotFound)?;
    if course.is_archived() {
        return Err(RequestFailure::archived());
    }
    if was_here(app, launch, &course).await? {
        return Err(RequestFailure::Refused("refusal.lti_removed", course.title));
    }
    let (name, number) = (name(platform, launch)?, launch.number.clone());
    // The platform has not verified the address.
    let new = NewPerson { name, number, ..NewPerson::default() };
    let identity = (&*launch.platform, &*launch.subject);
    let person = app.store().add_lti_person(&new, identity, false, now).await;
    let person = person.map_err(|error| taken(error, &platform.name))?;
    arrive(app, launch, (&course, &person), None, now).await
}

/// Links the person of a launch with the account that is signed in; nothing happens if they are
/// linked.
async fn link(
    app: &App,
    viewer: &Viewer,
    launch: &Launch,
    now: Timestamp,
) -> Result<(), RequestFailure> {
    let (store, platform) = (app.store(), platform(app, launch)?);
    let (issuer, subject) = (&*launch.platform, &*launch.subject);
    let linked = store.person_by_identity(issuer, subject).await;
    if linked.map_err(RequestFailure::internal)?.is_some_and(|one| one == viewer.person.id) {
        return Ok(());
    }
    let (person, session) = (&viewer.person.id, Some(&viewer.token));
    let new = NewIdentity { issuer, subject, person, is_proven: false, session };
    store.link_identity(new, now).await.map_err(|error| taken(error, &platform.name))
}

/// Connects the course of a launch with a course of the reader.
async fn connect_course(
    app: &App,
    viewer: &Viewer,
    launch: &Launch,
    slug: &str,
    now: Timestamp,
) -> Result<String, RequestFailure> {
    let attendance = Attendance::load(app, viewer, slug).await?.instructor()?;
    attendance.open()?;
    let context = launch.context.as_ref().filter(|_| launch.role == Role::Instructor);
    let context = context.ok_or(RequestFailure::NotAllowed)?;
    link(app, viewer, launch, now).await?;
    let new = LtiCourse {
        platform: launch.platform.clone(),
        deployment: context.deployment.clone(),
        context: context.id.clone(),
        title: context.title.clone(),
        members_url: context.members_url.clone(),
    };
    let course = &attendance.course;
    let connected = viewer.acting(app).connect_lti(&course.id, &new, &viewer.person.id, now).await;
    connected.map_err(|error| match error {
        Error::Taken { .. } => {
            RequestFailure::Refused("refusal.lti_connected", context.title.clone())
        }
        error => not_fitting(error),
    })?;
    arrive(app, launch, (course, &viewer.person.id), Some(&viewer.token), now).await?;
    Ok(format!("/c/{}/manage/people#lti", course.slug))
}

/// The failure of an account that is linked already, with the platform's name.
fn taken(error: Error, name: &str) -> RequestFailure {
    match error {
        Error::Access(AccessRefusal::LinkedAlready) => {
            RequestFailure::Refused("refusal.sign_on_taken", name.to_owned())
        }
        error => not_fitting(error),
    }
}

/// A platform by its id.
#[derive(Deserialize)]
pub(super) struct UnlinkForm {
    platform: String,
}

/// `/me/lti/unlink`: unlinks the reader's account at a platform.
pub(super) async fn unlink(
    State(app): State<App>,
    viewer: Viewer,
    Form(form): Form<UnlinkForm>,
) -> Result<Response, RequestFailure> {
    let platform = app.lti().platform(&form.platform).ok_or(RequestFailure::NotFound)?.id();
    let done = app.store().unlink_identity(&platform, &viewer.person.id, Timestamp::now()).await;
    done.map_err(RequestFailure::internal)?;
    Ok(Redirect::to("/me").into_response())
}
