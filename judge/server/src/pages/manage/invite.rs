//! Invitations to a course: the preview of a list, the links, and their revocation.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path as FilePath;
use std::time::Duration;

use askama::Template;
use axum::extract::{Form, Multipart, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use judge_runner::base::names::folded;
use judge_store::{
    CourseId, InvitationId, Member, NewInvitation, NewPerson, Person, PersonId, Role, Store,
    Timestamp, Token,
};
use serde::Deserialize;

use super::super::Attendance;
use super::super::home::not_fitting;
use super::people::{people_page, role_name};
use crate::App;
use crate::people_list::{PeopleList, PeopleListError, called, link_sheet};
use crate::web::{Fields, PageFrame, RequestFailure, Typed, Viewer, filled, shown};

/// Lifetime of an invitation that is created on these pages.
const LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Most invitations that one request creates.
const MOST: usize = 3000;

/// Most bytes of a list: some 3000 lines.
const MOST_BYTES: usize = 512 << 10;

/// The failure for a list that cannot be used.
fn not_a_list(error: PeopleListError) -> RequestFailure {
    match error {
        PeopleListError::Line { text, .. } => RequestFailure::Refused("refusal.list_line", text),
        PeopleListError::Twice(who) => RequestFailure::Refused("refusal.list_twice", who),
        other => RequestFailure::Refused("refusal.list", other.to_string()),
    }
}

/// Reads a list with a bounded number of bytes.
fn read(name: &str, bytes: &[u8]) -> Result<PeopleList, RequestFailure> {
    let most = || RequestFailure::Refused("refusal.list_large", (MOST_BYTES >> 10).to_string());
    if bytes.len() > MOST_BYTES {
        return Err(most());
    }
    if bytes.trim_ascii().is_empty() {
        return Ok(PeopleList::default());
    }
    let list = PeopleList::read(FilePath::new(name), bytes).map_err(not_a_list)?;
    if list.people.len() > MOST {
        return Err(RequestFailure::Refused("refusal.list_long", MOST.to_string()));
    }
    Ok(list)
}

/// The preview of a list: the people as they were understood.
#[derive(Template)]
#[template(path = "manage_invite.html")]
struct Preview {
    frame: PageFrame,
    slug: String,
    role: &'static str,
    role_name: String,
    /// Origin, encoding and separator, unless the lines were typed without titles.
    form: Option<String>,
    columns: Vec<(String, &'static str)>,
    remarks: Vec<String>,
    left_out: Vec<(u64, String)>,
    people: Vec<PreviewLine>,
    /// Number of links to make.
    links: usize,
    /// Number of these that can be sent by mail.
    mailed: usize,
    csv: String,
}

/// A person of the preview.
struct PreviewLine {
    name: String,
    number: String,
    address: String,
    /// Their present role, if they have it or a higher one already and so get no link.
    has: Option<String>,
}

/// The parts of the form with a list, pasted or as a file.
#[derive(Default)]
pub(super) struct ListParts {
    pub(super) fields: Fields,
    file: Option<(String, Vec<u8>)>,
}

impl ListParts {
    pub(super) async fn read(form: &mut Multipart) -> Result<ListParts, RequestFailure> {
        let bad = || RequestFailure::Bad("error.bad_request");
        let mut parts = ListParts::default();
        while let Some(field) = form.next_field().await.map_err(|_| bad())? {
            let part = field.name().unwrap_or_default().to_owned();
            let file = field.file_name().map(str::to_owned);
            let bytes = field.bytes().await.map_err(|_| RequestFailure::TooLarge)?;
            match file.filter(|_| part == "list") {
                Some(_) if bytes.is_empty() => {}
                Some(name) => parts.file = Some((name, bytes.to_vec())),
                None => {
                    let text = String::from_utf8(bytes.to_vec()).map_err(|_| bad())?;
                    parts.fields.insert(part, text);
                }
            }
        }
        Ok(parts)
    }

    /// The file, or else the pasted text.
    pub(super) fn bytes(&self) -> &[u8] {
        let names = self.fields.get("names").map(String::as_bytes).unwrap_or_default();
        self.file.as_ref().map_or(names, |(_, bytes)| bytes)
    }

    fn list(&self) -> Result<PeopleList, RequestFailure> {
        let names = self.fields.get("names").map(String::as_str).unwrap_or_default();
        match &self.file {
            Some((name, bytes)) => read(name, bytes),
            None => read("list", names.as_bytes()),
        }
    }
}

/// Shows how a list was understood, before anyone is added. Without a list, makes the link without
/// a name.
pub(super) async fn preview(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    mut form: Multipart,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    attendance.open()?;
    let parts = ListParts::read(&mut form).await?;
    match previewed(&app, &viewer, &attendance, &parts).await {
        Ok(page) => Ok(page),
        Err(failure) => {
            let typed = Typed::read(failure, "invite", parts.fields, &viewer)?;
            people_page(&app, &viewer, &attendance, "", typed).await
        }
    }
}

async fn previewed(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    parts: &ListParts,
) -> Result<Response, RequestFailure> {
    let role = parts.fields.get("role").and_then(|text| text.parse::<Role>().ok());
    let role = role.ok_or(RequestFailure::Bad("error.bad_request"))?;
    let list = parts.list()?;
    if list.people.is_empty() {
        return links(app, viewer, attendance, role, &[]).await;
    }
    refuse_all_escalations(app.store(), attendance, &viewer.person, &list.people).await?;
    let members = Members::load(app, attendance).await?;
    members.refuse_known_numbers(&list.people)?;
    list_page(app, viewer, attendance, (role, list), &members)
}

/// The page of a list: the people as they were understood, and those of them who get links.
fn list_page(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    (role, list): (Role, PeopleList),
    members: &Members,
) -> Result<Response, RequestFailure> {
    let words = viewer.language.words();
    let has = |one: &NewPerson| members.has(one, role);
    let invited = members.without(&list.people, role);
    let line = |one: &NewPerson| PreviewLine {
        name: one.name.clone(),
        number: one.number.clone().unwrap_or_default(),
        address: one.address.clone().unwrap_or_default(),
        has: has(one).map(|role| role_name(words, role)),
    };
    shown(&Preview {
        frame: PageFrame::new(viewer, words.t("people.preview")).in_course(attendance.link()),
        slug: attendance.course.slug.clone(),
        role: role.name(),
        role_name: role_name(words, role),
        people: list.people.iter().map(line).collect(),
        links: invited.len(),
        mailed: match app.config().mail.is_some() {
            true => invited.iter().filter(|one| one.address.is_some()).count(),
            false => 0,
        },
        csv: PeopleList::to_csv(&invited).map_err(RequestFailure::internal)?,
        left_out: list.left_out.into_iter().map(|one| (one.line, one.what)).collect(),
        form: list.form,
        columns: list.columns,
        remarks: list.remarks,
    })
}

/// The members of a course by the properties that a list has.
struct Members {
    by_address: BTreeMap<String, Role>,
    by_number: BTreeMap<String, Role>,
    numbers: BTreeSet<String>,
}

impl Members {
    async fn load(app: &App, attendance: &Attendance) -> Result<Members, RequestFailure> {
        let members = app.store().members(&attendance.course.id).await;
        Ok(Members::new(members.map_err(RequestFailure::internal)?))
    }

    /// A person's present role, if it is that one or a higher one.
    fn has(&self, person: &NewPerson, role: Role) -> Option<Role> {
        self.role(person).filter(|has| has.or_more(role) == *has)
    }

    /// The people who do not have a role yet, and so get a link.
    fn without(&self, people: &[NewPerson], role: Role) -> Vec<NewPerson> {
        people.iter().filter(|one| self.has(one, role).is_none()).cloned().collect()
    }

    /// Refuses a list that gives a member's number to someone else.
    fn refuse_known_numbers(&self, people: &[NewPerson]) -> Result<(), RequestFailure> {
        let strangers = people.iter().filter(|one| self.role(one).is_none());
        let mut numbers = strangers.filter_map(|one| one.number.as_ref());
        match numbers.find(|number| self.numbers.contains(&folded(number))) {
            Some(number) => Err(RequestFailure::Refused("refusal.number_taken", number.clone())),
            None => Ok(()),
        }
    }

    fn new(members: Vec<Member>) -> Members {
        let mut found = Members {
            by_address: BTreeMap::new(),
            by_number: BTreeMap::new(),
            numbers: BTreeSet::new(),
        };
        for one in members {
            found.numbers.extend(one.number.as_deref().map(folded));
            match (one.address, one.number) {
                (Some(address), _) => found.by_address.insert(folded(&address), one.role),
                (None, Some(number)) => found.by_number.insert(folded(&number), one.role),
                (None, None) => None,
            };
        }
        found
    }

    /// The role of a person on a list; none if they are not known to be a member.
    fn role(&self, person: &NewPerson) -> Option<Role> {
        let by_address =
            person.address.as_ref().and_then(|text| self.by_address.get(&folded(text)));
        let by_number = person.number.as_ref().and_then(|text| self.by_number.get(&folded(text)));
        by_address.or(by_number).copied()
    }
}

/// Invitations to create: one for each person in the list, or, if the list is empty, one for the
/// first person to open the link.
#[derive(Deserialize)]
pub(super) struct InviteForm {
    role: String,
    #[serde(default)]
    names: String,
    /// Given if people with an address get their link by mail.
    mail: Option<String>,
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
            people_page(&app, &viewer, &attendance, "", typed).await
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
    let list = read("list", form.names.as_bytes())?;
    // Before any link is created, so that a list is accepted as a whole or not at all.
    refuse_all_escalations(app.store(), attendance, &viewer.person, &list.people).await?;
    // The list may come without a preview, or people may have joined since.
    let members = Members::load(app, attendance).await?;
    let people = members.without(&list.people, role);
    // Without people, a link without a name would be made.
    if people.is_empty() && !list.people.is_empty() {
        return list_page(app, viewer, attendance, (role, list), &members);
    }
    if form.mail.is_some() && app.config().mail.is_some() {
        return mailed_links(app, viewer, attendance, role, &people).await;
    }
    links(app, viewer, attendance, role, &people).await
}

/// Links of invitations, which are shown once.
#[derive(Template)]
#[template(path = "manage_links.html")]
struct Links {
    frame: PageFrame,
    slug: String,
    links: Vec<(String, String)>,
    /// Number of people who get their link by mail.
    mailed: usize,
    /// The links as CSV, and as the address of a download.
    csv: String,
    download: String,
}

/// Makes a link for each person, or one without a name, and returns their page.
async fn links(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    role: Role,
    people: &[NewPerson],
) -> Result<Response, RequestFailure> {
    let (store, now) = (viewer.acting(app), Timestamp::now());
    let new = invitation(&attendance.course.id, role, now);
    let secrets = match people {
        [] => {
            let made = store.invite_as(viewer.maker(), &new, now).await;
            vec![made.map_err(RequestFailure::internal)?.1]
        }
        people => {
            let made = store.invite_people(Some(viewer.maker()), &new, people, now).await;
            made.map_err(not_fitting)?
        }
    };
    let links: Vec<String> = secrets.iter().map(|secret| address(app, secret)).collect();
    if people.is_empty() {
        return links_page(viewer, attendance, &[NewPerson::default()], links);
    }
    links_page(viewer, attendance, people, links)
}

/// Sends a link to each person with an address, and returns the page with the links of the others.
async fn mailed_links(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    role: Role,
    people: &[NewPerson],
) -> Result<Response, RequestFailure> {
    let (store, now) = (viewer.acting(app), Timestamp::now());
    let new = invitation(&attendance.course.id, role, now);
    let made = store.invite_by_mail(Some(viewer.maker()), &new, people, now).await;
    let made = people.iter().zip(made.map_err(not_fitting)?);
    let shown = made.filter_map(|(one, secret)| Some((one.clone(), address(app, &secret?))));
    let (others, links): (Vec<NewPerson>, Vec<String>) = shown.unzip();
    let mailed = people.len() - others.len();
    page_of_links(viewer, attendance, (&others, links), mailed)
}

/// The page with the links of people.
pub(super) fn links_page(
    viewer: &Viewer,
    attendance: &Attendance,
    people: &[NewPerson],
    links: Vec<String>,
) -> Result<Response, RequestFailure> {
    page_of_links(viewer, attendance, (people, links), 0)
}

fn page_of_links(
    viewer: &Viewer,
    attendance: &Attendance,
    (people, links): (&[NewPerson], Vec<String>),
    mailed: usize,
) -> Result<Response, RequestFailure> {
    let csv = link_sheet(people, &links).map_err(RequestFailure::internal)?;
    let words = viewer.language.words();
    shown(&Links {
        frame: PageFrame::new(viewer, words.t("people.links")).in_course(attendance.link()),
        slug: attendance.course.slug.clone(),
        links: people.iter().map(called).zip(links).collect(),
        mailed,
        download: format!("data:text/csv;charset=utf-8;base64,{}", STANDARD.encode(&csv)),
        csv,
    })
}

fn invitation(course: &CourseId, role: Role, now: Timestamp) -> NewInvitation {
    let expires_at = now.after(LIFETIME);
    NewInvitation { course: Some(course.clone()), role, person: None, listed: None, expires_at }
}

fn address(app: &App, secret: &Token) -> String {
    format!("{}/join/{}", app.config().base_url(), secret.reveal())
}

/// Creates a link for a known person.
pub(super) async fn link_for(
    app: &App,
    viewer: &Viewer,
    course: &CourseId,
    (role, person): (Role, &PersonId),
) -> Result<String, RequestFailure> {
    let now = Timestamp::now();
    let new = NewInvitation { person: Some(person.clone()), ..invitation(course, role, now) };
    let made = viewer.acting(app).invite_as(viewer.maker(), &new, now).await;
    Ok(address(app, &made.map_err(RequestFailure::internal)?.1))
}

/// Refuses an administrator's list with staff of another course or another administrator, because
/// an administrator's links sign in to any account. The operator's command creates such links.
/// Other instructors' links do not sign in as these people, and a refusal would reveal them.
async fn refuse_all_escalations(
    store: &Store,
    attendance: &Attendance,
    maker: &Person,
    people: &[NewPerson],
) -> Result<(), RequestFailure> {
    if !maker.is_administrator {
        return Ok(());
    }
    for new in people {
        let Some(address) = &new.address else { continue };
        let known = store.person_by_address(address).await.map_err(RequestFailure::internal)?;
        let Some(known) = known.filter(|known| known.id != maker.id) else { continue };
        if has_power_elsewhere(store, &attendance.course.id, &known).await? {
            let name = new.name.clone();
            return Err(RequestFailure::Refused("refusal.invited_elsewhere", name));
        }
    }
    Ok(())
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

/// Revokes an invitation.
pub(super) async fn take_back(
    State(app): State<App>,
    viewer: Viewer,
    Path((slug, id)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let id: InvitationId = id.parse().map_err(|_| RequestFailure::NotFound)?;
    let course = &attendance.course.id;
    let taken = viewer.acting(&app).take_back(course, &id, Timestamp::now()).await;
    match taken.map_err(RequestFailure::internal)? {
        true => Ok(Redirect::to(&format!("/c/{slug}/manage/people")).into_response()),
        false => Err(RequestFailure::NotFound),
    }
}

/// The invitations to revoke: those for a person, or all.
#[derive(Deserialize)]
pub(super) struct RevokeForm {
    #[serde(default)]
    person: String,
    #[serde(default)]
    sure: String,
}

/// Revokes all open invitations to a course, or those for a person. All need a confirmation.
pub(super) async fn take_back_all(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(form): Form<RevokeForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let person: Option<PersonId> = match form.person.as_str() {
        "" if form.sure == "yes" => None,
        "" => return Err(RequestFailure::Bad("error.bad_request")),
        id => Some(id.parse().map_err(|_| RequestFailure::NotFound)?),
    };
    let course = &attendance.course.id;
    let taken = viewer.acting(&app).take_back_all(course, person.as_ref(), Timestamp::now()).await;
    let many = taken.map_err(RequestFailure::internal)?;
    tracing::info!(%course, many, "invitations revoked");
    Ok(Redirect::to(&format!("/c/{slug}/manage/people")).into_response())
}
