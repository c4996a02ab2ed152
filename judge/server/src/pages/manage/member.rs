//! One member of a course: their role, their sessions, a new link, and their removal.

use askama::Template;
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::{CourseId, Group, Member, NewPerson, PersonId, Role, Timestamp};
use serde::Deserialize;

use super::super::Attendance;
use super::super::home::not_fitting;
use super::super::when::CourseClock;
use super::invite::{link_for, links_page};
use super::people::{open_invitations, role_name};
use crate::App;
use crate::web::{PageFrame, RequestFailure, Viewer, shown};

#[derive(Template)]
#[template(path = "manage_member.html")]
struct MemberPage {
    frame: PageFrame,
    slug: String,
    id: String,
    roles: Vec<(&'static str, String, bool)>,
    facts: Vec<(&'static str, String)>,
    has_address: bool,
    /// Consequences of a sign-out and of a removal, as texts.
    ends: String,
    keeps: String,
    /// True if the viewer's own access comes from links of this member.
    is_inviter: bool,
    /// Ids and names of the groups, with true for the student's; none for other roles.
    groups: Option<Vec<(String, String, bool)>>,
    suites: Vec<Extension>,
    zone: String,
    problem: Option<String>,
}

/// A suite, with a student's own due date on it.
struct Extension {
    slug: String,
    title: String,
    /// The suite's due date.
    due: String,
    /// The student's own due date as a field; empty if they have none.
    own: String,
}

/// `/c/{course}/manage/people/{person}`: what an instructor can change, and whom it affects.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path((slug, person)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    member_page(&app, &viewer, &attendance, &person, None).await
}

/// The page of a member, with the reason why a due date was refused.
async fn member_page(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    person: &str,
    problem: Option<String>,
) -> Result<Response, RequestFailure> {
    let (store, words) = (app.store(), viewer.language.words());
    let course = &attendance.course.id;
    let member = member_of(app, course, person).await?;
    let now = Timestamp::now();
    let ends = match ends_all(viewer, &member.person) {
        true => store.tokens_of(&member.person, now).await.map(|tokens| tokens.len() as u64),
        false => store.ended_by_sign_out(course, &member.person, now).await,
    };
    let ends = ends.map_err(RequestFailure::internal)?;
    let open = open_invitations(store, course).await?;
    let unnamed = open.iter().filter(|one| one.person.is_none()).count();
    let own = &viewer.person.id;
    let is_inviter = store.has_access_from((course, &member.person), own, now).await;
    let is_inviter = is_inviter.map_err(RequestFailure::internal)? && *own != member.person;
    let work = store.work_of(course, &member.person).await.map_err(RequestFailure::internal)?;
    let facts = [
        ("people.number", member.number),
        ("people.address", member.address.clone()),
        ("people.pseudonym", Some(member.pseudonym)),
    ];
    let fact = |(key, text): (&'static str, Option<String>)| Some((key, text?));
    let role = |role: &Role| (role.name(), role_name(words, *role), *role == member.role);
    let groups = match member.role {
        Role::Student => Some(groups(app, course, &member.person).await?),
        Role::Assistant | Role::Instructor | Role::Observer => None,
    };
    shown(&MemberPage {
        groups,
        suites: extensions(app, attendance, &member.person).await?,
        zone: words.t1("manage.zone", &attendance.course.time_zone),
        problem,
        frame: PageFrame::new(viewer, member.name).in_course(attendance.link()),
        slug: attendance.course.slug.clone(),
        id: person.to_owned(),
        roles: Role::ALL.iter().map(role).collect(),
        facts: facts.into_iter().filter_map(fact).collect(),
        has_address: member.address.is_some(),
        ends: words.t1("people.ends", ends),
        keeps: words.t2("people.keeps", work, unnamed),
        is_inviter,
    })
}

/// Ids and names of the groups of a course, with true for that of a person.
async fn groups(
    app: &App,
    course: &CourseId,
    person: &PersonId,
) -> Result<Vec<(String, String, bool)>, RequestFailure> {
    let groups = app.store().groups(course).await.map_err(RequestFailure::internal)?.into_iter();
    let choice = |group: Group| {
        let is_theirs = group.members.iter().any(|one| one.person == *person);
        (group.id.to_string(), group.name, is_theirs)
    };
    Ok(groups.map(choice).collect())
}

/// The suites of a course that have a due date, with a person's own due dates.
async fn extensions(
    app: &App,
    attendance: &Attendance,
    person: &PersonId,
) -> Result<Vec<Extension>, RequestFailure> {
    let (store, clock) = (app.store(), CourseClock::from_course(&attendance.course));
    let suites = store.suites_of(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    let mut all = Vec::new();
    for suite in suites.into_iter().filter(|suite| suite.settings.due_at.is_some()) {
        let own = store.extensions(&suite.id).await.map_err(RequestFailure::internal)?;
        all.push(Extension {
            due: clock.field(suite.settings.due_at),
            own: clock.field(own.get(person).copied()),
            slug: suite.slug,
            title: suite.title,
        });
    }
    Ok(all)
}

/// A student's own due date on a suite; empty to take it back.
#[derive(Deserialize)]
pub(super) struct ExtensionForm {
    suite: String,
    due: String,
}

/// Gives a member their own due date on a suite, or takes it back.
pub(super) async fn extend(
    State(app): State<App>,
    viewer: Viewer,
    Path((slug, person)): Path<(String, String)>,
    Form(form): Form<ExtensionForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let member = member_of(&app, &attendance.course.id, &person).await?;
    let suite = attendance.suite(&app, &form.suite).await?;
    let Ok(due) = CourseClock::from_course(&attendance.course).end(&form.due) else {
        let problem = viewer.language.words().t("error.time").to_owned();
        return member_page(&app, &viewer, &attendance, &person, Some(problem)).await;
    };
    let whom = (&suite.id, &member.person);
    let extended = viewer.acting(&app).extend(whom, due, &viewer.person.id, Timestamp::now()).await;
    extended.map_err(RequestFailure::internal)?;
    tracing::info!(suite = %suite.id, person = %member.person, "a due date was changed");
    app.scoreboards().forget();
    app.hub().board_moved(&suite.id);
    Ok(Redirect::to(&format!("/c/{slug}/manage/people/{person}")).into_response())
}

/// A change to a member.
#[derive(Deserialize)]
pub(super) struct MemberForm {
    /// The new role, or `none` to remove the member.
    role: String,
}

/// Changes a member's role, or removes them from the course.
pub(super) async fn change_member(
    State(app): State<App>,
    viewer: Viewer,
    Path((slug, person)): Path<(String, String)>,
    Form(form): Form<MemberForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let person: PersonId = person.parse().map_err(|_| RequestFailure::NotFound)?;
    let (store, course) = (viewer.acting(&app), &attendance.course.id);
    let member = store.member(course, &person).await.map_err(RequestFailure::internal)?;
    let member = member.ok_or(RequestFailure::NotFound)?;
    let (by, now) = (Some(&viewer.person.id), Timestamp::now());
    let changed = match form.role.as_str() {
        "none" => store.leave(course, &person, by, now).await,
        role => {
            let role = role.parse().map_err(|_| RequestFailure::Bad("error.bad_request"))?;
            store.change_role(course, &person, role, by, now).await
        }
    };
    app.scoreboards().forget();
    match changed.map_err(not_fitting)? {
        true => Ok(Redirect::to(&format!("/c/{slug}/manage/people")).into_response()),
        false => Err(RequestFailure::Refused("refusal.last_instructor", member.name)),
    }
}

/// A member of the course, for an instructor who acts on their account.
async fn member_of(app: &App, course: &CourseId, person: &str) -> Result<Member, RequestFailure> {
    let person: PersonId = person.parse().map_err(|_| RequestFailure::NotFound)?;
    let member = app.store().member(course, &person).await.map_err(RequestFailure::internal)?;
    member.ok_or(RequestFailure::NotFound)
}

/// True if a viewer may end all access to an account, whatever courses it is in.
fn ends_all(viewer: &Viewer, person: &PersonId) -> bool {
    viewer.person.is_administrator || viewer.person.id == *person
}

/// Ends the sessions, API tokens and open links of a member: all of them if the account is only in
/// this course, for oneself and by an administrator; otherwise those that the course's links began.
pub(super) async fn sign_out(
    State(app): State<App>,
    viewer: Viewer,
    Path((slug, person)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    attendance.open()?;
    let (store, course) = (viewer.acting(&app), &attendance.course.id);
    let member = member_of(&app, course, &person).await?;
    let (by, now) = (&viewer.person.id, Timestamp::now());
    let ended = match ends_all(&viewer, &member.person) {
        true => store.sign_out_everywhere(&member.person, Some(by), now).await,
        false => store.sign_out_member(course, &member.person, by, now).await,
    };
    ended.map_err(RequestFailure::internal)?;
    Ok(Redirect::to(&format!("/c/{slug}/manage/people")).into_response())
}

/// Creates a link for a member without a session, and shows it once.
pub(super) async fn new_link(
    State(app): State<App>,
    viewer: Viewer,
    Path((slug, person)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let course = &attendance.course.id;
    let member = member_of(&app, course, &person).await?;
    let is_beyond = app.store().is_beyond(course, &member.person, Timestamp::now()).await;
    if is_beyond.map_err(RequestFailure::internal)? && !viewer.person.is_administrator {
        return Err(RequestFailure::Refused("refusal.link_beyond_course", member.name));
    }
    let whom = (member.role, &member.person);
    let link = link_for(&app, &viewer, course, whom).await?;
    let (name, address, number) = (member.name, member.address, member.number);
    let person = NewPerson { name, address, number, is_administrator: false };
    links_page(&viewer, &attendance, &[person], vec![link])
}
