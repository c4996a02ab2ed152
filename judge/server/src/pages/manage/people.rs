//! The people of a course, and invitations to it.

use std::collections::BTreeMap;
use std::time::Duration;

use askama::Template;
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_store::{
    CourseId, Invitation, InvitationId, Member, NewInvitation, NewPerson, Person, PersonId, Role,
    Store, Timestamp,
};
use serde::Deserialize;

use super::super::Attendance;
use super::super::home::not_fitting;
use super::super::me::Secrets;
use super::super::when::CourseClock;
use super::list;
use crate::App;
use crate::web::{Fields, PageFrame, RequestFailure, Typed, Viewer, filled, shown};
use crate::words::Words;

/// Lifetime of an invitation that is created on this page.
const LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Most invitations that one request creates.
const MOST: usize = 500;

#[derive(Template)]
#[template(path = "manage_people.html")]
struct People {
    frame: PageFrame,
    slug: String,
    instructor: bool,
    roles: Vec<(&'static str, String)>,
    people: Vec<PersonEntry>,
    invitations: Vec<InvitationEntry>,
    typed: Typed,
}

struct PersonEntry {
    id: String,
    name: String,
    pseudonym: String,
    address: String,
    role: String,
    role_name: String,
    joined: String,
}

struct InvitationEntry {
    id: String,
    who: String,
    facts: String,
}

fn role_name(words: &Words, role: Role) -> String {
    words.find("role", role.name()).unwrap_or_default().to_owned()
}

/// `/c/{course}/manage/people`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.staff()?;
    people_page(&app, &viewer, &attendance, Typed::default()).await
}

/// The page of a course's people, with the typed text.
async fn people_page(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    typed: Typed,
) -> Result<Response, RequestFailure> {
    let (store, words) = (app.store(), viewer.language.words());
    let clock = CourseClock::from_course(&attendance.course);
    let members = store.members(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    let open = store.invitations(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    let names = invited_names(store, &open).await?;
    let now = Timestamp::now();
    let open = open
        .into_iter()
        .filter(|one| one.used_at.is_none() && one.revoked_at.is_none() && one.expires_at > now);
    let person = |member: Member| PersonEntry {
        id: member.person.to_string(),
        name: member.name,
        pseudonym: member.pseudonym,
        address: member.address.unwrap_or_default(),
        role: member.role.name().to_owned(),
        role_name: role_name(words, member.role),
        joined: clock.local(member.joined_at),
    };
    let invitation = |one: Invitation| InvitationEntry {
        who: one.person.as_ref().and_then(|id| names.get(id)).cloned().unwrap_or_default(),
        facts: words.t2(
            "people.invitation_facts",
            role_name(words, one.role),
            clock.local(one.expires_at),
        ),
        id: one.id.to_string(),
    };
    let page = People {
        frame: PageFrame::new(viewer, words.t("manage.people")).in_course(attendance.link()),
        slug: attendance.course.slug.clone(),
        instructor: attendance.clone().instructor().is_ok(),
        roles: Role::ALL.iter().map(|role| (role.name(), role_name(words, *role))).collect(),
        people: members.into_iter().map(person).collect(),
        invitations: open.map(invitation).collect(),
        typed,
    };
    page.typed.shown(&page)
}

/// Names and addresses of the people that these invitations are for.
async fn invited_names(
    store: &Store,
    invitations: &[Invitation],
) -> Result<BTreeMap<PersonId, String>, RequestFailure> {
    let mut names = BTreeMap::new();
    for id in invitations.iter().filter_map(|one| one.person.as_ref()) {
        if let Some(person) = store.person(id).await.map_err(RequestFailure::internal)? {
            let who = [Some(person.name), person.address].into_iter().flatten();
            names.insert(id.clone(), who.collect::<Vec<_>>().join(", "));
        }
    }
    Ok(names)
}

/// Invitations to create: one for each person in the list, or, if the list is empty, one for the
/// first person to open the link.
#[derive(Deserialize)]
pub(super) struct InviteForm {
    role: String,
    #[serde(default)]
    names: String,
}

/// Creates invitations and shows their links, once.
pub(super) async fn invite(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    match invited(&app, &viewer, &attendance, &fields).await {
        Ok(page) => Ok(page),
        Err(failure) => {
            let typed = Typed::read(failure, "invite", fields, &viewer)?;
            people_page(&app, &viewer, &attendance, typed).await
        }
    }
}

/// Creates the invitations of a form, and returns the page with their links.
async fn invited(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    fields: &Fields,
) -> Result<Response, RequestFailure> {
    let form: InviteForm = filled(fields)?;
    let role: Role = form.role.parse().map_err(|_| RequestFailure::Bad("error.bad_request"))?;
    let words = viewer.language.words();
    let list = list::read(&form.names)?;
    if list.len() > MOST {
        return Err(RequestFailure::TooLarge);
    }
    let course = &attendance.course.id;
    // Before any link is created, so that a list is accepted as a whole or not at all.
    for new in &list {
        refuse_escalation(app.store(), course, &viewer.person, new).await?;
    }
    let mut secrets = Vec::new();
    if list.is_empty() {
        let link = link(app, viewer, course, role, None).await?;
        secrets.push((String::new(), link));
    }
    for new in list {
        let who = list::called(&new);
        let person = find_or_add_person(app.store(), new).await?;
        secrets.push((who, link(app, viewer, course, role, Some(&person)).await?));
    }
    shown(&Secrets {
        frame: PageFrame::new(viewer, words.t("people.links")).in_course(attendance.link()),
        note: words.t("people.links_once").to_owned(),
        secrets,
        back: format!("/c/{}/manage/people", attendance.course.slug),
    })
}

/// The known person with the address of a person on a list.
async fn find_person(store: &Store, new: &NewPerson) -> Result<Option<Person>, RequestFailure> {
    let Some(address) = &new.address else { return Ok(None) };
    store.person_by_address(address).await.map_err(RequestFailure::internal)
}

/// Refuses a line about staff of another course or an administrator. The link would not sign in as
/// them; without one an instructor cannot annoy them either. The operator's command creates such
/// links.
async fn refuse_escalation(
    store: &Store,
    course: &CourseId,
    maker: &Person,
    new: &NewPerson,
) -> Result<(), RequestFailure> {
    let Some(known) = find_person(store, new).await?.filter(|known| known.id != maker.id) else {
        return Ok(());
    };
    match has_power_elsewhere(store, course, &known).await? {
        // The name from the list, because knowing an address does not give a right to the stored
        // name.
        true => Err(RequestFailure::Refused("refusal.invited_elsewhere", new.name.clone())),
        false => Ok(()),
    }
}

/// True for administrators and the staff of other courses.
async fn has_power_elsewhere(
    store: &Store,
    course: &CourseId,
    person: &Person,
) -> Result<bool, RequestFailure> {
    let courses = store.courses_of(&person.id).await.map_err(RequestFailure::internal)?;
    let elsewhere = courses.iter().any(|(other, role)| other.id != *course && role.is_staff());
    Ok(person.is_administrator || elsewhere)
}

/// The known person with the address of a person on a list, or a new one.
async fn find_or_add_person(store: &Store, new: NewPerson) -> Result<PersonId, RequestFailure> {
    if let Some(known) = find_person(store, &new).await? {
        return Ok(known.id);
    }
    Ok(store.add_person(&new, Timestamp::now()).await.map_err(not_fitting)?.id)
}

async fn link(
    app: &App,
    viewer: &Viewer,
    course: &CourseId,
    role: Role,
    person: Option<&PersonId>,
) -> Result<String, RequestFailure> {
    let now = Timestamp::now();
    let new = NewInvitation {
        course: Some(course.clone()),
        role,
        person: person.cloned(),
        expires_at: now.after(LIFETIME),
    };
    let made = app.store().invite_as(&viewer.person.id, &new, now).await;
    let (_, secret) = made.map_err(RequestFailure::internal)?;
    Ok(format!("{}/join/{}", app.config().base_url(), secret.reveal()))
}

/// Revokes an invitation.
pub(super) async fn take_back(
    State(app): State<App>,
    viewer: Viewer,
    Path((slug, id)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let id: InvitationId = id.parse().map_err(|_| RequestFailure::NotFound)?;
    let course = &attendance.course.id;
    let taken = app.store().take_back(course, &id, Timestamp::now()).await;
    match taken.map_err(RequestFailure::internal)? {
        true => Ok(Redirect::to(&format!("/c/{slug}/manage/people")).into_response()),
        false => Err(RequestFailure::NotFound),
    }
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
    let (store, course) = (app.store(), &attendance.course.id);
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

/// Ends all sessions, API tokens and open links of a member, in other courses as well. An
/// instructor cannot do that to people who have power elsewhere.
pub(super) async fn sign_out(
    State(app): State<App>,
    viewer: Viewer,
    Path((slug, person)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let (store, course) = (app.store(), &attendance.course.id);
    let member = member_of(&app, course, &person).await?;
    let known = store.person(&member.person).await.map_err(RequestFailure::internal)?;
    let known = known.ok_or(RequestFailure::NotFound)?;
    let is_own = known.id == viewer.person.id || viewer.person.is_administrator;
    if !is_own && has_power_elsewhere(store, course, &known).await? {
        return Err(RequestFailure::Refused("refusal.beyond_course", member.name));
    }
    let by = Some(&viewer.person.id);
    let ended = store.sign_out_everywhere(&member.person, by, Timestamp::now()).await;
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
    let is_beyond = app.store().is_beyond(course, &member.person).await;
    if is_beyond.map_err(RequestFailure::internal)? && !viewer.person.is_administrator {
        return Err(RequestFailure::Refused("refusal.link_beyond_course", member.name));
    }
    let link = link(&app, &viewer, course, member.role, Some(&member.person)).await?;
    let words = viewer.language.words();
    shown(&Secrets {
        frame: PageFrame::new(&viewer, words.t("people.links")).in_course(attendance.link()),
        note: words.t("people.links_once").to_owned(),
        secrets: vec![(member.name, link)],
        back: format!("/c/{slug}/manage/people"),
    })
}
