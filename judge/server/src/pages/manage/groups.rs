//! Groups of students: their page and its forms. Students submit in them to suites by groups.

use std::collections::BTreeMap;
use std::path::Path as FilePath;

use askama::Template;
use axum::extract::{Form, Multipart, Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use judge_runner::base::names::folded;
use judge_runner::bots::student_list::{ListedStudent, StudentList};
use judge_store::{Group, GroupId, GroupMove, Member, PersonId, Role, Timestamp};
use serde::Deserialize;

use super::super::Attendance;
use super::super::home::not_fitting;
use super::invite::ListParts;
use crate::App;
use crate::web::{Fields, PageFrame, RequestFailure, Typed, Viewer, filled, shown};

#[derive(Template)]
#[template(path = "manage_groups.html")]
struct GroupsPage {
    frame: PageFrame,
    slug: String,
    instructor: bool,
    groups: Vec<GroupEntry>,
    /// Pages and names of students without a group.
    without_group: Vec<(String, String)>,
    typed: Typed,
}

/// A group on the page.
struct GroupEntry {
    id: String,
    name: String,
    /// Pages and names of the members.
    members: Vec<(String, String)>,
}

/// A change to the groups of a course.
#[derive(Debug, Clone)]
pub enum GroupChange {
    /// Creates a group with that name.
    Create(String),
    /// Gives a group another name.
    Rename(GroupId, String),
    /// Ends a group.
    Dissolve(GroupId),
    /// Moves students to groups by name.
    Move(Vec<GroupMove>),
}

/// Changes the groups of a course, and informs open scoreboards.
///
/// # Errors
/// When a group or a student does not exist, a name cannot be used, a group is full, the course is
/// archived, or the database fails.
pub async fn change_groups(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    change: GroupChange,
) -> Result<(), RequestFailure> {
    let (store, course, now) = (viewer.acting(app), &attendance.course.id, Timestamp::now());
    let changed = match change {
        GroupChange::Create(name) => store.create_group(course, &name, now).await.map(|_| ()),
        GroupChange::Rename(group, name) => store.rename_group(course, &group, &name).await,
        GroupChange::Dissolve(group) => store.dissolve_group(course, &group, now).await,
        GroupChange::Move(moves) => store.set_groups(course, &moves, now).await,
    };
    changed.map_err(not_fitting)?;
    announce(app, attendance).await
}

/// Shows the scoreboards of suites by groups again.
async fn announce(app: &App, attendance: &Attendance) -> Result<(), RequestFailure> {
    app.scoreboards().forget();
    let suites = app.store().suites_of(&attendance.course.id).await;
    let suites = suites.map_err(RequestFailure::internal)?.into_iter();
    for suite in suites.filter(|suite| suite.settings.by_groups) {
        app.hub().board_moved(&suite.id);
    }
    Ok(())
}

/// The groups of a course, and its students without one.
///
/// # Errors
/// When the database fails.
pub async fn groups_and_others(
    app: &App,
    attendance: &Attendance,
) -> Result<(Vec<Group>, Vec<Member>), RequestFailure> {
    let (store, course) = (app.store(), &attendance.course.id);
    let groups = store.groups(course).await.map_err(RequestFailure::internal)?;
    let members = store.members(course).await.map_err(RequestFailure::internal)?;
    let is_other = |one: &Member| {
        let mut all = groups.iter().flat_map(|group| &group.members);
        one.role == Role::Student && all.all(|member| member.person != one.person)
    };
    let others = members.into_iter().filter(is_other).collect();
    Ok((groups, others))
}

/// `/c/{course}/manage/groups`.
pub(super) async fn page(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.staff()?;
    groups_page(&app, &viewer, &attendance, Typed::default()).await
}

/// The page of the groups, with the typed text of one of its forms.
async fn groups_page(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    typed: Typed,
) -> Result<Response, RequestFailure> {
    let slug = attendance.course.slug.clone();
    let (groups, others) = groups_and_others(app, attendance).await?;
    // Only instructors see the page of a member.
    let link = |person: &PersonId| match attendance.role {
        Role::Instructor => format!("/c/{slug}/manage/people/{person}"),
        _ => format!("/c/{slug}/people/{person}"),
    };
    let entry = |group: Group| GroupEntry {
        id: group.id.to_string(),
        name: group.name,
        members: group.members.into_iter().map(|one| (link(&one.person), one.name)).collect(),
    };
    let words = viewer.language.words();
    let page = GroupsPage {
        frame: PageFrame::new(viewer, words.t("group.title")).in_course(attendance.link()),
        instructor: attendance.may_change(),
        groups: groups.into_iter().map(entry).collect(),
        without_group: others.into_iter().map(|one| (link(&one.person), one.name)).collect(),
        slug: slug.clone(),
        typed,
    };
    page.typed.shown(&page)
}

/// The name of a group.
#[derive(Deserialize)]
struct NameForm {
    name: String,
}

/// Answers a form of the page: the page again, with the reason if the change was refused.
async fn answer(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    (form, fields): (&'static str, Fields),
    change: Result<GroupChange, RequestFailure>,
) -> Result<Response, RequestFailure> {
    let changed = match change {
        Ok(change) => change_groups(app, viewer, attendance, change).await,
        Err(failure) => Err(failure),
    };
    match changed {
        Ok(()) => {
            let slug = &attendance.course.slug;
            Ok(Redirect::to(&format!("/c/{slug}/manage/groups")).into_response())
        }
        Err(failure) => {
            let typed = Typed::read(failure, form, fields, viewer)?;
            groups_page(app, viewer, attendance, typed).await
        }
    }
}

/// Creates a group.
pub(super) async fn create(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let change = filled(&fields).map(|NameForm { name }| GroupChange::Create(name));
    answer(&app, &viewer, &attendance, ("create", fields), change).await
}

/// Gives a group another name.
pub(super) async fn rename(
    State(app): State<App>,
    viewer: Viewer,
    Path((slug, group)): Path<(String, String)>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let group: GroupId = group.parse().map_err(|_| RequestFailure::NotFound)?;
    let change = filled(&fields).map(|NameForm { name }| GroupChange::Rename(group, name));
    answer(&app, &viewer, &attendance, ("rename", fields), change).await
}

/// Ends a group.
pub(super) async fn dissolve(
    State(app): State<App>,
    viewer: Viewer,
    Path((slug, group)): Path<(String, String)>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let group = group.parse().map_err(|_| RequestFailure::NotFound)?;
    let change = Ok(GroupChange::Dissolve(group));
    answer(&app, &viewer, &attendance, ("dissolve", Fields::new()), change).await
}

/// The id of a group; empty for none.
#[derive(Deserialize)]
pub(super) struct PlaceForm {
    group: String,
}

/// Moves a student to a group, or out of all groups.
pub(super) async fn place(
    State(app): State<App>,
    viewer: Viewer,
    Path((slug, person)): Path<(String, String)>,
    Form(form): Form<PlaceForm>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let person: PersonId = person.parse().map_err(|_| RequestFailure::NotFound)?;
    let group: Option<GroupId> = match form.group.as_str() {
        "" => None,
        id => Some(id.parse().map_err(|_| RequestFailure::NotFound)?),
    };
    let whom = (&attendance.course.id, &person);
    let moved = viewer.acting(&app).move_to_group(whom, group.as_ref(), Timestamp::now()).await;
    moved.map_err(not_fitting)?;
    announce(&app, &attendance).await?;
    Ok(Redirect::to(&format!("/c/{slug}/manage/people/{person}")).into_response())
}

/// The preview of a list: the students as they were found, and their groups.
#[derive(Template)]
#[template(path = "manage_group_list.html")]
struct Preview {
    frame: PageFrame,
    slug: String,
    lines: Vec<PreviewLine>,
    /// Number of students who change their group.
    moves: usize,
    /// The changes as JSON, for the form.
    list: String,
}

/// A line of the preview.
struct PreviewLine {
    name: String,
    /// The student of the course; none if there is no such student.
    student: Option<String>,
    before: String,
    after: String,
}

/// Shows how a list with groups was understood, before anyone is moved.
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
            let typed = Typed::read(failure, "list", parts.fields, &viewer)?;
            groups_page(&app, &viewer, &attendance, typed).await
        }
    }
}

async fn previewed(
    app: &App,
    viewer: &Viewer,
    attendance: &Attendance,
    parts: &ListParts,
) -> Result<Response, RequestFailure> {
    let listed = read(parts.bytes())?;
    let store = app.store();
    let members = store.members(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    let groups = store.groups(&attendance.course.id).await.map_err(RequestFailure::internal)?;
    let before: BTreeMap<&PersonId, &str> = groups
        .iter()
        .flat_map(|group| group.members.iter().map(|one| (&one.person, group.name.as_str())))
        .collect();
    let mut moves = BTreeMap::new();
    let mut lines = Vec::new();
    for (one, after) in &listed {
        let student = student(&members, one);
        let present = student.and_then(|student| before.get(&student.person).copied());
        if let Some(student) = student
            && moves.insert(student.person.to_string(), after).is_some_and(|other| other != after)
        {
            return Err(RequestFailure::Refused("group.twice", student.name.clone()));
        }
        lines.push(PreviewLine {
            name: one.name.clone(),
            student: student.map(|student| student.name.clone()),
            before: present.unwrap_or_default().to_owned(),
            after: after.clone(),
        });
    }
    let stays = |line: &PreviewLine| folded(&line.before) == folded(&line.after);
    let words = viewer.language.words();
    shown(&Preview {
        frame: PageFrame::new(viewer, words.t("group.preview")).in_course(attendance.link()),
        slug: attendance.course.slug.clone(),
        moves: lines.iter().filter(|line| line.student.is_some() && !stays(line)).count(),
        list: serde_json::to_string(&moves).map_err(RequestFailure::internal)?,
        lines,
    })
}

/// The students of a list who have a group on it, with the name of the group.
fn read(bytes: &[u8]) -> Result<Vec<(ListedStudent, String)>, RequestFailure> {
    let of_export = ListedStudent::of_gradescope(&String::from_utf8_lossy(bytes));
    let wrong = |why: String| RequestFailure::Refused("group.list", why);
    let listed = match of_export.is_empty() {
        false => of_export,
        true => {
            let list = StudentList::parse(FilePath::new("list"), bytes);
            let list = list.map_err(|error| wrong(error.to_string()))?;
            if let Some(remark) = list.wrong().first() {
                return Err(wrong(format!("{}: {}", remark.line, remark.what)));
            }
            list.students().collect()
        }
    };
    let grouped = listed.into_iter().filter_map(|one| {
        let group = one.group.clone().filter(|name| !name.trim().is_empty())?;
        Some((one, group))
    });
    let grouped: Vec<_> = grouped.collect();
    match grouped.is_empty() {
        true => Err(RequestFailure::Bad("group.no_column")),
        false => Ok(grouped),
    }
}

/// The student of the course on a line of a list: by address, number, or a name that fits only one
/// student and contradicts neither.
fn student<'a>(members: &'a [Member], one: &ListedStudent) -> Option<&'a Member> {
    let same = |one: &Option<String>, other: &Option<String>| {
        let both = one.as_ref().zip(other.as_ref());
        both.map(|(one, other)| folded(one) == folded(other))
    };
    let students = || members.iter().filter(|member| member.role == Role::Student);
    let by_address = students().find(|member| same(&member.address, &one.address) == Some(true));
    let by_number = || students().find(|member| same(&member.number, &one.id) == Some(true));
    let is_named = |member: &&Member| {
        let differs = [same(&member.address, &one.address), same(&member.number, &one.id)];
        folded(&member.name) == folded(&one.name) && !differs.contains(&Some(false))
    };
    let by_name = || {
        let mut named = students().filter(is_named);
        named.next().filter(|_| named.next().is_none())
    };
    by_address.or_else(by_number).or_else(by_name)
}

/// The changes of a preview: names of groups by the ids of students, as JSON.
#[derive(Deserialize)]
struct MovesForm {
    list: String,
}

impl MovesForm {
    fn moves(&self) -> Result<GroupChange, RequestFailure> {
        let bad = RequestFailure::Bad("error.bad_request");
        let moves: BTreeMap<String, String> =
            serde_json::from_str(&self.list).map_err(|_| bad.clone())?;
        let change = |(person, group): (String, String)| {
            let person = person.parse().map_err(|_| bad.clone())?;
            Ok(GroupMove { person, group: Some(group) })
        };
        Ok(GroupChange::Move(moves.into_iter().map(change).collect::<Result<_, RequestFailure>>()?))
    }
}

/// Moves the students of a list to their groups.
pub(super) async fn set(
    State(app): State<App>,
    viewer: Viewer,
    Path(slug): Path<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &slug).await?.instructor()?;
    let change = filled(&fields).and_then(|form: MovesForm| form.moves());
    answer(&app, &viewer, &attendance, ("list", Fields::new()), change).await
}
