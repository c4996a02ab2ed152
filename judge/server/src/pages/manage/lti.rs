//! The courses of campus systems that a course is connected with, and their lists of members.

use askama::Template;
use axum::extract::{Form, Path, Query, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_core::digest;
use judge_store::{
    Arrival, Arriving, Error, Listed, LtiContext, LtiCourse, NewPerson, PersonId, Timestamp,
};
use serde::Deserialize;

use super::super::Attendance;
use super::super::home::not_fitting;
use super::super::sign_in::refused;
use super::people::role_name;
use crate::App;
use crate::config::LtiPlatform;
use crate::lti::PlatformMember;
use crate::sign_on::SignOnError;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};

/// A connected course, for a page.
pub(super) struct Connection {
    /// Name of the platform.
    pub(super) name: String,
    pub(super) course: LtiCourse,
}

/// The connected courses of platforms in the settings.
pub(super) async fn connections(
    app: &App,
    attendance: &Attendance,
) -> Result<Vec<Connection>, RequestFailure> {
    let all = app.store().lti_courses(&attendance.course.id).await;
    let all = all.map_err(RequestFailure::internal)?.into_iter();
    let connections = all.map(|course| {
        let name = app.lti().platform(&course.platform).map(|platform| platform.name.clone());
        Connection { name: name.unwrap_or_else(|| course.platform.clone()), course }
    });
    Ok(connections.collect())
}

/// The ids of a connected course at its platform.
#[derive(Deserialize)]
pub(super) struct ConnectionForm {
    platform: String,
    deployment: String,
    context: String,
}

impl ConnectionForm {
    fn as_context(&self) -> LtiContext<'_> {
        let ConnectionForm { platform, deployment, context } = self;
        LtiContext { platform, deployment, context }
    }
}

/// Ends a connection.
pub(super) async fn disconnect(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<ConnectionForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let ended = viewer.acting(&app).disconnect_lti(&attendance.course.id, form.as_context()).await;
    match ended.map_err(RequestFailure::internal)? {
        true => Ok(Redirect::to(&format!("/c/{slug}/manage/people")).into_response()),
        false => Err(RequestFailure::NotFound),
    }
}

#[derive(Template)]
#[template(path = "manage_lti.html")]
struct Members {
    frame: PageFrame,
    slug: String,
    connection: Connection,
    members: Vec<MemberEntry>,
    /// Number of people who get an account.
    new: usize,
    /// Digest of the people who get an account.
    seen: String,
    note: String,
}

/// The people to add, as a page showed them.
#[derive(Deserialize)]
pub(super) struct AddForm {
    seen: String,
    #[serde(flatten)]
    connection: ConnectionForm,
}

/// A digest of the new people of a list. The list may change between its page and the form.
fn seen(steps: &[(PlatformMember, MemberStep)]) -> String {
    let new = steps.iter().filter(|(_, step)| *step == MemberStep::New);
    let line = |(member, _): &(PlatformMember, MemberStep)| format!("{member:?}\n");
    digest(new.map(line).collect::<String>().as_bytes()).to_string()
}

struct MemberEntry {
    name: String,
    number: String,
    address: String,
    role: String,
    state: &'static str,
}

/// The effect of adding on a person of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MemberStep {
    /// Nothing, because they are a member.
    Member,
    /// They get an account, and become a member.
    New,
    /// Nothing: they have an account, and join with their first launch.
    Later,
    /// Nothing, because the platform does not give their name.
    Nameless,
    /// Nothing: they were in the course before, and an instructor has to invite them.
    Removed,
}

impl MemberStep {
    /// Name of the text for pages.
    fn word(self) -> &'static str {
        match self {
            MemberStep::Member => "lti.step_member",
            MemberStep::New => "lti.step_new",
            MemberStep::Later => "lti.step_later",
            MemberStep::Nameless => "lti.step_nameless",
            MemberStep::Removed => "lti.step_removed",
        }
    }
}

/// The list of members of a connected course, which the platform gives now.
async fn listed<'a>(
    app: &'a App,
    attendance: &Attendance,
    form: &ConnectionForm,
) -> Result<(Connection, &'a LtiPlatform, Vec<(PlatformMember, MemberStep)>), RequestFailure> {
    let all = connections(app, attendance).await?;
    let connection = all.into_iter().find(|one| one.course.as_context() == form.as_context());
    let connection = connection.ok_or(RequestFailure::NotFound)?;
    let platform = app.lti().platform(&form.platform).ok_or(RequestFailure::NotFound)?;
    let refuse = |key| RequestFailure::Refused(key, platform.name.clone());
    let url = connection.course.members_url.clone();
    let url = url.ok_or_else(|| refuse("refusal.lti_no_list"))?;
    let key = app.tool_key().await.map_err(RequestFailure::internal)?.clone();
    let asked = platform.clone();
    let members = app.lti().ask(move |lti| lti.members(&asked, &key, &url)).await;
    let members = members.map_err(|error| unserved(&platform.name, &error))?;
    let mut steps = Vec::new();
    for member in members {
        let step = step(app, attendance, platform, &member).await?;
        steps.push((member, step));
    }
    Ok((connection, platform, steps))
}

/// The failure of a service of a platform.
pub(super) fn unserved(name: &str, error: &SignOnError) -> RequestFailure {
    match refused(name, error) {
        RequestFailure::Refused("refusal.sign_on_code", name) => {
            RequestFailure::Refused("refusal.lti_refused", name)
        }
        failure => failure,
    }
}

async fn step(
    app: &App,
    attendance: &Attendance,
    platform: &LtiPlatform,
    member: &PlatformMember,
) -> Result<MemberStep, RequestFailure> {
    let store = app.store();
    let person = store.person_by_identity(&platform.id(), &member.subject).await;
    let person: Option<PersonId> = person.map_err(RequestFailure::internal)?;
    if let Some(person) = &person {
        let found = store.member(&attendance.course.id, person).await;
        if found.map_err(RequestFailure::internal)?.is_some() {
            return Ok(MemberStep::Member);
        }
    }
    let known = store.was_in_course(&attendance.course.id, (&platform.id(), &member.subject)).await;
    if known.map_err(RequestFailure::internal)? {
        return Ok(MemberStep::Removed);
    }
    if person.is_some() {
        return Ok(MemberStep::Later);
    }
    if let Some(address) = member.address.as_ref().filter(|_| platform.verified_addresses) {
        let known = store.person_by_address(address).await.map_err(RequestFailure::internal)?;
        if known.is_some() {
            return Ok(MemberStep::Later);
        }
    }
    Ok(if member.name.is_some() { MemberStep::New } else { MemberStep::Nameless })
}

/// `/c/{course}/manage/lti/members`: shows the list.
pub(super) async fn members(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(form): Query<ConnectionForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    attendance.open()?;
    let words = viewer.language.words();
    let (connection, _, steps) = listed(&app, &attendance, &form).await?;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let new = steps.iter().filter(|(_, step)| *step == MemberStep::New).count();
    let entry = |(member, step): &(PlatformMember, MemberStep)| MemberEntry {
        name: text(&member.name),
        number: text(&member.number),
        address: text(&member.address),
        role: role_name(words, member.role),
        state: words.t(step.word()),
    };
    let title = words.t1("lti.members", &connection.name);
    shown(&Members {
        frame: PageFrame::new(&viewer, title).in_course(attendance.link()),
        slug,
        members: steps.iter().map(entry).collect(),
        seen: seen(&steps),
        new,
        note: words.t2("lti.members_note", new, steps.len()),
        connection,
    })
}

/// Makes accounts for the people of the list who have none, and makes them members.
pub(super) async fn add(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<AddForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    attendance.open()?;
    let (_, platform, steps) = listed(&app, &attendance, &form.connection).await?;
    if seen(&steps) != form.seen {
        return Err(RequestFailure::Refused("refusal.lti_list_changed", platform.name.clone()));
    }
    let (store, course, now) = (viewer.acting(&app), &attendance.course.id, Timestamp::now());
    let mut many = 0;
    for (member, _) in steps.into_iter().filter(|(_, step)| *step == MemberStep::New) {
        let PlatformMember { subject, name, address, number, role } = member;
        let Some(name) = name else { continue };
        let address = address.filter(|_| platform.verified_addresses);
        let new = NewPerson {
            name: name.clone(),
            address,
            number: number.clone(),
            is_administrator: false,
        };
        let id = platform.id();
        let person = match store.add_lti_person(&new, (&id, &subject), false, now).await {
            Ok(person) => person,
            // They came by themselves in the meantime, or share an address.
            Err(Error::Access(_) | Error::Taken { .. }) => continue,
            Err(error) => return Err(not_fitting(error)),
        };
        let (listed, identity) = (Listed { name, number }, (&*id, &*subject));
        let arriving = Arriving { role, listed, identity, session: None };
        let arrived = store.arrive((course, &person), arriving, now).await;
        many += usize::from(arrived.map_err(not_fitting)? == Arrival::Joined);
    }
    store.log_lti_members(course, many).await.map_err(RequestFailure::internal)?;
    app.scoreboards().forget();
    Ok(Redirect::to(&format!("/c/{slug}/manage/people")).into_response())
}
