//! API of groups of students.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use judge_store::{Group, GroupMember, GroupMove, Member};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::types::ApiProblem;
use super::wrong;
use crate::App;
use crate::pages::{Attendance, GroupChange, change_groups, groups_and_others};
use crate::web::{RequestFailure, TokenViewer, Viewer};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(all, create))
        .routes(routes!(mine))
        .routes(routes!(set))
        .routes(routes!(rename))
        .routes(routes!(dissolve))
}

/// A student in a group, or without one.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct GroupMemberInfo {
    /// The person's id.
    id: String,
    /// Real name.
    name: String,
    /// Number at the school.
    number: Option<String>,
}

/// A group of students.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct GroupInfo {
    /// Id.
    id: String,
    /// Name.
    name: String,
    /// The members, in the order of their names.
    members: Vec<GroupMemberInfo>,
}

/// The groups of a course.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct GroupList {
    /// The groups, in the order of their names.
    groups: Vec<GroupInfo>,
    /// Students without a group.
    without_group: Vec<GroupMemberInfo>,
}

impl From<GroupMember> for GroupMemberInfo {
    fn from(one: GroupMember) -> GroupMemberInfo {
        GroupMemberInfo { id: one.person.to_string(), name: one.name, number: one.number }
    }
}

impl From<Member> for GroupMemberInfo {
    fn from(one: Member) -> GroupMemberInfo {
        GroupMemberInfo { id: one.person.to_string(), name: one.name, number: one.number }
    }
}

impl From<Group> for GroupInfo {
    fn from(group: Group) -> GroupInfo {
        let members = group.members.into_iter().map(GroupMemberInfo::from).collect();
        GroupInfo { id: group.id.to_string(), name: group.name, members }
    }
}

/// The name of a group.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupNameRequest {
    /// The name, unique in the course.
    #[schema(example = "Red")]
    name: String,
}

/// A student to move.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupMoveRequest {
    /// The person's id.
    person: String,
    /// Name of the group, which is created if it is missing; null for no group.
    #[serde(default)]
    group: Option<String>,
}

async fn list(app: &App, attendance: &Attendance) -> Result<Json<GroupList>, RequestFailure> {
    let (groups, others) = groups_and_others(app, attendance).await?;
    Ok(Json(GroupList {
        groups: groups.into_iter().map(GroupInfo::from).collect(),
        without_group: others.into_iter().map(GroupMemberInfo::from).collect(),
    }))
}

/// Changes groups for an instructor, and returns all of them.
async fn changed(
    app: &App,
    viewer: &Viewer,
    course: &str,
    change: impl FnOnce() -> Result<GroupChange, RequestFailure>,
) -> Result<Json<GroupList>, RequestFailure> {
    let attendance = Attendance::load(app, viewer, course).await?.instructor()?;
    change_groups(app, viewer, &attendance, change()?).await?;
    list(app, &attendance).await
}

/// Lists the groups of a course, for staff.
#[utoipa::path(get, path = "/courses/{course}/groups",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    responses((status = 200, body = GroupList), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
async fn all(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
) -> Result<Json<GroupList>, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?.staff()?;
    list(&app, &attendance).await
}

/// Shows your own group with its members; null if you are in none.
#[utoipa::path(get, path = "/courses/{course}/group",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    responses((status = 200, body = Option<GroupInfo>), (status = 401, body = ApiProblem),
        (status = 404, body = ApiProblem)))]
async fn mine(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
) -> Result<Json<Option<GroupInfo>>, RequestFailure> {
    let attendance = Attendance::load(&app, &viewer, &course).await?;
    let group = app.store().group_of(&attendance.course.id, &viewer.person.id).await;
    Ok(Json(group.map_err(RequestFailure::internal)?.map(GroupInfo::from)))
}

/// Creates a group without members.
#[utoipa::path(post, path = "/courses/{course}/groups",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    request_body = GroupNameRequest,
    responses((status = 200, body = GroupList), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem)))]
async fn create(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
    body: Result<Json<GroupNameRequest>, JsonRejection>,
) -> Result<Json<GroupList>, RequestFailure> {
    let change = || Ok(GroupChange::Create(body.map_err(|error| wrong(&error))?.0.name));
    changed(&app, &viewer, &course, change).await
}

/// Moves students to groups, as a whole or not at all. Earlier submissions of another group stay theirs.
#[utoipa::path(post, path = "/courses/{course}/groups/moves",
    params(("course" = String, Path, description = "The course's short name for URLs")),
    request_body = Vec<GroupMoveRequest>,
    responses((status = 200, body = GroupList), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem)))]
async fn set(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path(course): Path<String>,
    body: Result<Json<Vec<GroupMoveRequest>>, JsonRejection>,
) -> Result<Json<GroupList>, RequestFailure> {
    let change = || {
        let Json(moves) = body.map_err(|error| wrong(&error))?;
        let one = |GroupMoveRequest { person, group }: GroupMoveRequest| {
            let person = person.parse().map_err(|_| RequestFailure::NotFound)?;
            Ok(GroupMove { person, group })
        };
        let moves = moves.into_iter().map(one).collect::<Result<_, RequestFailure>>()?;
        Ok(GroupChange::Move(moves))
    };
    changed(&app, &viewer, &course, change).await
}

/// Gives a group another name.
#[utoipa::path(post, path = "/courses/{course}/groups/{group}",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("group" = String, Path, description = "The group's id")),
    request_body = GroupNameRequest,
    responses((status = 200, body = GroupList), (status = 400, body = ApiProblem),
        (status = 401, body = ApiProblem), (status = 403, body = ApiProblem),
        (status = 404, body = ApiProblem), (status = 409, body = ApiProblem),
        (status = 413, body = ApiProblem)))]
async fn rename(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, group)): Path<(String, String)>,
    body: Result<Json<GroupNameRequest>, JsonRejection>,
) -> Result<Json<GroupList>, RequestFailure> {
    let change = || {
        let Json(GroupNameRequest { name }) = body.map_err(|error| wrong(&error))?;
        let group = group.parse().map_err(|_| RequestFailure::NotFound)?;
        Ok(GroupChange::Rename(group, name))
    };
    changed(&app, &viewer, &course, change).await
}

/// Ends a group. Its submissions stay with the people who were its members.
#[utoipa::path(post, path = "/courses/{course}/groups/{group}/dissolve",
    params(("course" = String, Path, description = "The course's short name for URLs"),
        ("group" = String, Path, description = "The group's id")),
    responses((status = 200, body = GroupList), (status = 401, body = ApiProblem),
        (status = 403, body = ApiProblem), (status = 404, body = ApiProblem),
        (status = 409, body = ApiProblem)))]
async fn dissolve(
    State(app): State<App>,
    TokenViewer(viewer): TokenViewer,
    Path((course, group)): Path<(String, String)>,
) -> Result<Json<GroupList>, RequestFailure> {
    let change = || {
        let group = group.parse().map_err(|_| RequestFailure::NotFound)?;
        Ok(GroupChange::Dissolve(group))
    };
    changed(&app, &viewer, &course, change).await
}
