//! The people of a course, and the open invitations to it.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use judge_runner::base::names::folded;
use judge_store::{CourseId, Invitation, Listed, Member, PersonId, Role, Store, Timestamp};
use serde::Deserialize;

use super::super::Attendance;
use super::super::when::CourseClock;
use super::lti::{Connection, connections};
use crate::App;
use crate::web::{PageFrame, RequestFailure, Typed, Viewer};
use crate::words::Words;

#[derive(Template)]
#[template(path = "manage_people.html")]
struct People {
    frame: PageFrame,
    slug: String,
    instructor: bool,
    roles: Vec<(&'static str, String)>,
    /// The text to find, and the numbers of found and of all people.
    find: String,
    found: String,
    people: Vec<PersonEntry>,
    /// True if the course has groups.
    has_groups: bool,
    invitations: Vec<InvitationEntry>,
    /// Number of all open invitations.
    open: usize,
    /// Connected courses of campus systems.
    connections: Vec<Connection>,
    /// Names of the campus systems; none if there are none.
    platforms: Option<String>,
    typed: Typed,
}

struct PersonEntry {
    id: String,
    name: String,
    number: String,
    pseudonym: String,
    address: String,
    role: String,
    group: String,
    joined: String,
}

/// The open invitations of a person, or one without a name.
struct InvitationEntry {
    id: String,
    person: String,
    name: String,
    number: String,
    address: String,
    role: String,
    until: String,
    /// Number of open links.
    links: usize,
}

pub(super) fn role_name(words: &Words, role: Role) -> String {
    words.find("role", role.name()).unwrap_or_default().to_owned()
}

/// The text to find in names, numbers, addresses and pseudonyms.
#[derive(Deserialize)]
pub(super) struct FindForm {
    #[serde(default)]
    find: String,
}

/// `/c/{course}/manage/people`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Query(form): Query<FindForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.staff()?;
    people_page(&app, &viewer, &attendance, &form.find, Typed::default()).await
}

/// The page of a course's people who match a text, with the typed text of the form.
pub(super) async fn people_page(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    find: &str,
    typed: Typed,
) -> Result<Response, RequestFailure> {
    let (store, words) = (app.store(), viewer.language.words());
    let clock = CourseClock::from_course(&attendance.course);
    let members = store.members(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    let open = open_invitations(store, &attendance.course.id).await?;
    let (all, open_links) = (members.len(), open.len());
    let find = find.trim().chars().take(100).collect::<String>();
    let fits = |texts: &[&str]| {
        find.is_empty() || texts.iter().any(|text| folded(text).contains(&folded(&find)))
    };
    let groups = store.groups(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    let group_of = |person: &PersonId| {
        let mut all = groups.iter();
        let group = all.find(|group| group.members.iter().any(|one| one.person == *person));
        group.map_or_else(String::new, |group| group.name.clone())
    };
    let person = |member: Member| PersonEntry {
        group: group_of(&member.person),
        id: member.person.to_string(),
        name: member.name,
        number: member.number.unwrap_or_default(),
        pseudonym: member.pseudonym,
        address: member.address.unwrap_or_default(),
        role: role_name(words, member.role),
        joined: clock.local(member.joined_at),
    };
    let people = members.into_iter().map(person);
    let people: Vec<PersonEntry> = people
        .filter(|one| fits(&[&one.name, &one.number, &one.pseudonym, &one.address, &one.group]))
        .collect();
    let mut invitations = entries(store, &attendance.course.id, open, words, &clock).await?;
    invitations.retain(|one| fits(&[&one.name, &one.number, &one.address]));
    let platforms: Vec<&str> = app.lti().platforms().map(|one| one.name.as_str()).collect();
    let page = People {
        frame: PageFrame::new(viewer, words.t("manage.people")).in_course(attendance.link()),
        slug: attendance.course.slug.clone(),
        instructor: attendance.may_change(),
        roles: Role::ALL.iter().map(|role| (role.name(), role_name(words, *role))).collect(),
        found: words.t2("people.found", people.len(), all),
        find,
        has_groups: !groups.is_empty(),
        people,
        invitations,
        open: open_links,
        connections: connections(app, attendance).await?,
        platforms: (!platforms.is_empty()).then(|| platforms.join(", ")),
        typed,
    };
    page.typed.shown(&page)
}

/// The invitations to a course that can still be used, the newest first.
pub(super) async fn open_invitations(
    store: &Store,
    course: &CourseId,
) -> Result<Vec<Invitation>, RequestFailure> {
    let now = Timestamp::now();
    let mut open = store.invitations(course).await.map_err(RequestFailure::internal)?;
    open.retain(|one| one.used_at.is_none() && one.revoked_at.is_none() && one.expires_at > now);
    Ok(open)
}

/// An entry for each invited person, and for each link without a name.
async fn entries(
    store: &Store,
    course: &CourseId,
    open: Vec<Invitation>,
    words: &Words,
    clock: &CourseClock,
) -> Result<Vec<InvitationEntry>, RequestFailure> {
    let mut entries: Vec<InvitationEntry> = Vec::new();
    let mut places: BTreeMap<PersonId, usize> = BTreeMap::new();
    for one in open {
        if let Some(at) = one.person.as_ref().and_then(|id| places.get(id)) {
            entries[*at].links += 1;
            continue;
        }
        let person = match &one.person {
            Some(id) => store.person_in(course, id).await.map_err(RequestFailure::internal)?,
            None => None,
        };
        let text = |text: Option<String>| text.unwrap_or_default();
        if let Some(person) = &person {
            places.insert(person.id.clone(), entries.len());
        }
        // The account may have another name, which the course learns once the person accepts.
        let listed = one.listed.or_else(|| {
            let person = person.as_ref()?;
            Some(Listed { name: person.name.clone(), number: person.number.clone() })
        });
        let number = listed.as_ref().and_then(|one| one.number.clone());
        entries.push(InvitationEntry {
            id: one.id.to_string(),
            person: text(person.as_ref().map(|one| one.id.to_string())),
            name: text(listed.map(|one| one.name)),
            number: text(number),
            address: text(person.and_then(|one| one.address)),
            role: role_name(words, one.role),
            until: clock.local(one.expires_at),
            links: 1,
        });
    }
    Ok(entries)
}
