//! Groups of students who submit together. A submission belongs to the group of its author at that
//! time: to all present members, and to former members if it was received before they left.

use std::collections::BTreeMap;

use judge_runner::base::names::folded;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::{CourseId, GroupId, PersonId, SubmissionId};
use crate::basics::time::Timestamp;
use crate::names::tidy;
use crate::owner::{present, present_members};
use crate::people::taken;
use crate::quitting::{quit, recount};
use crate::rights;
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::Store;

/// Most members of a group. A signed report names all of them in one header.
pub const MOST_MEMBERS: usize = 12;

/// A group of students in a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Id.
    pub id: GroupId,
    /// Name, unique in the course: only for staff and members.
    pub name: String,
    /// The present members, in the order of their names.
    pub members: Vec<GroupMember>,
}

/// A member of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupMember {
    /// The person.
    pub person: PersonId,
    /// Real name by the list of the course.
    pub name: String,
    /// Number at the school by the list of the course.
    pub number: Option<String>,
}

/// A change to the group of a student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupMove {
    /// The student.
    pub person: PersonId,
    /// Name of the group, which is created if it is missing; none for no group.
    pub group: Option<String>,
}

// Groups that a member of the course is in, with the people of the group.
const GROUPS: &str = "SELECT g.id, g.name, m.person, m.name AS member, m.number FROM student_group g \
    LEFT JOIN group_member x ON x.group_id = g.id AND x.left_at IS NULL \
    LEFT JOIN membership m ON m.course = g.course AND m.person = x.person \
    WHERE g.course = $1 AND g.dissolved_at IS NULL \
    AND ($2 = '' OR g.id IN (SELECT o.group_id FROM group_member o \
    WHERE o.course = $1 AND o.person = $2 AND o.left_at IS NULL)) \
    ORDER BY g.folded_name, g.id, m.folded_name, m.person";
const NAMES: &str = "SELECT id, name FROM student_group WHERE course = $1";
const OPEN: &str = "SELECT id FROM student_group \
    WHERE id = $1 AND course = $2 AND dissolved_at IS NULL";
const BY_NAME: &str = "SELECT id FROM student_group \
    WHERE course = $1 AND folded_name = $2 AND dissolved_at IS NULL";
const INSERT: &str = "INSERT INTO student_group (id, course, name, folded_name, created_at) \
    VALUES ($1, $2, $3, $4, $5)";
const RENAME: &str = "UPDATE student_group SET name = $2, folded_name = $3 WHERE id = $1";
const DISSOLVE: &str = "UPDATE student_group SET dissolved_at = $2 WHERE id = $1";
const JOIN: &str = "INSERT INTO group_member (group_id, person, course, joined_at) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (group_id, person) DO UPDATE \
    SET joined_at = excluded.joined_at, left_at = NULL";
// The people who have a submission of a group: present members, and those who left later. An erased
// member has no name to list.
const AUTHORS: &str = "SELECT g.person, COALESCE(m.name, f.name, p.name) AS member, \
    CASE WHEN m.name IS NOT NULL THEN m.number WHEN f.name IS NOT NULL THEN f.number \
    ELSE p.number END AS number FROM submission s \
    JOIN group_member g ON g.group_id = s.owner \
    AND (g.left_at IS NULL OR s.received_at < g.left_at) \
    JOIN person p ON p.id = g.person AND p.erased_at IS NULL \
    LEFT JOIN membership m ON m.course = g.course AND m.person = g.person \
    LEFT JOIN former_member f ON f.course = g.course AND f.person = g.person \
    WHERE s.id = $1 ORDER BY member, g.person";

impl Store {
    /// The groups of a course with their present members, in the order of their names.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn groups(&self, course: &CourseId) -> Result<Vec<Group>, Error> {
        let query = sqlx::query(GROUPS).bind(course.as_str()).bind("");
        groups(&query.fetch_all(&self.pool).await?)
    }

    /// The names of all groups of a course, dissolved ones included.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn group_names(&self, course: &CourseId) -> Result<BTreeMap<GroupId, String>, Error> {
        let rows = sqlx::query(NAMES).bind(course.as_str()).fetch_all(&self.pool).await?;
        let name = |row: &AnyRow| Ok((row.parsed("id")?, row.text("name")?));
        Ok(rows.iter().map(name).collect::<Result<_, sqlx::Error>>()?)
    }

    /// A student's present group in a course.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn group_of(
        &self,
        course: &CourseId,
        person: &PersonId,
    ) -> Result<Option<Group>, Error> {
        let query = sqlx::query(GROUPS).bind(course.as_str()).bind(person.as_str());
        Ok(groups(&query.fetch_all(&self.pool).await?)?.into_iter().next())
    }

    /// The members to whom a group's submission belongs; empty if it is not a group's.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn members_with(&self, submission: &SubmissionId) -> Result<Vec<GroupMember>, Error> {
        let rows = sqlx::query(AUTHORS).bind(submission.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(member).collect::<Result<_, _>>()?)
    }

    /// Creates a group without members.
    ///
    /// # Errors
    /// When the name is taken or cannot be used, or the database fails.
    pub async fn create_group(
        &self,
        course: &CourseId,
        name: &str,
        now: Timestamp,
    ) -> Result<GroupId, Error> {
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        let id = insert(&mut transaction, course, name, now).await?;
        self.log_groups(&mut transaction, course, (None, "created one")).await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// Gives a group another name.
    ///
    /// # Errors
    /// When the group does not exist, the name is taken or cannot be used, or the database fails.
    pub async fn rename_group(
        &self,
        course: &CourseId,
        group: &GroupId,
        name: &str,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        need_open(&mut transaction, course, group).await?;
        let name = tidy("group", name)?;
        let query = sqlx::query(RENAME).bind(group.as_str()).bind(&name).bind(folded(&name));
        taken(query.execute(&mut *transaction).await, "group", &name)?;
        self.log_groups(&mut transaction, course, (None, "renamed one")).await?;
        Ok(transaction.commit().await?)
    }

    /// Ends a group. Its submissions stay with the people who were its members.
    ///
    /// # Errors
    /// When the group does not exist, or the database fails.
    pub async fn dissolve_group(
        &self,
        course: &CourseId,
        group: &GroupId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        need_open(&mut transaction, course, group).await?;
        for person in present_members(&mut transaction, group).await? {
            quit(&mut transaction, (course, &person), now).await?;
        }
        let query = sqlx::query(DISSOLVE).bind(group.as_str()).bind(now.millis());
        query.execute(&mut *transaction).await?;
        recount(&mut transaction, course).await?;
        self.log_groups(&mut transaction, course, (None, "dissolved one")).await?;
        Ok(transaction.commit().await?)
    }

    /// Moves a student to a group of the course, or out of all groups.
    ///
    /// # Errors
    /// When the group or the student does not exist, the group is full, or the database fails.
    pub async fn move_to_group(
        &self,
        (course, person): (&CourseId, &PersonId),
        group: Option<&GroupId>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        if let Some(group) = group {
            need_open(&mut transaction, course, group).await?;
        }
        enter(&mut transaction, (course, person), group, now).await?;
        if let Some(group) = group {
            refuse_crowd(&mut transaction, group).await?;
        }
        recount(&mut transaction, course).await?;
        self.log_groups(&mut transaction, course, (Some(person), "moved")).await?;
        Ok(transaction.commit().await?)
    }

    /// Moves students to groups by name, as a whole or not at all. Missing groups are created.
    ///
    /// # Errors
    /// When a name cannot be used, a person is not a student of the course, a group is full, or the
    /// database fails. Nothing was changed then.
    pub async fn set_groups(
        &self,
        course: &CourseId,
        moves: &[GroupMove],
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Course(course)).await?;
        let mut changed = Vec::new();
        for GroupMove { person, group } in moves {
            let group = match group {
                Some(name) => Some(called(&mut transaction, course, name, now).await?),
                None => None,
            };
            enter(&mut transaction, (course, person), group.as_ref(), now).await?;
            changed.extend(group);
        }
        // After all moves: until then, a group can have members who are about to leave it.
        for group in &changed {
            refuse_crowd(&mut transaction, group).await?;
        }
        recount(&mut transaction, course).await?;
        let detail = format!("moved {}", moves.len());
        self.log_groups(&mut transaction, course, (None, &detail)).await?;
        Ok(transaction.commit().await?)
    }

    async fn log_groups(
        &self,
        connection: &mut AnyConnection,
        course: &CourseId,
        what: (Option<&PersonId>, &str),
    ) -> Result<(), Error> {
        self.log(connection, Act::GroupsChanged, About::Course(course), what).await
    }
}

async fn insert(
    connection: &mut AnyConnection,
    course: &CourseId,
    name: &str,
    now: Timestamp,
) -> Result<GroupId, Error> {
    let (id, name) = (GroupId::random()?, tidy("group", name)?);
    let query = sqlx::query(INSERT).bind(id.as_str()).bind(course.as_str());
    let query = query.bind(&name).bind(folded(&name)).bind(now.millis());
    taken(query.execute(connection).await, "group", &name)?;
    Ok(id)
}

/// The group with that name, which is created if it is missing.
async fn called(
    connection: &mut AnyConnection,
    course: &CourseId,
    name: &str,
    now: Timestamp,
) -> Result<GroupId, Error> {
    let wanted = folded(&tidy("group", name)?);
    let query = sqlx::query(BY_NAME).bind(course.as_str()).bind(wanted);
    match query.fetch_optional(&mut *connection).await? {
        Some(row) => Ok(row.parsed("id")?),
        None => insert(connection, course, name, now).await,
    }
}

async fn need_open(
    connection: &mut AnyConnection,
    course: &CourseId,
    group: &GroupId,
) -> Result<(), Error> {
    let query = sqlx::query(OPEN).bind(group.as_str()).bind(course.as_str());
    let missing = || Error::Missing { what: "group", value: group.to_string() };
    query.fetch_optional(connection).await?.ok_or_else(missing)?;
    Ok(())
}

/// Moves a student to a group, unless they are in it already.
async fn enter(
    connection: &mut AnyConnection,
    (course, person): (&CourseId, &PersonId),
    group: Option<&GroupId>,
    now: Timestamp,
) -> Result<(), Error> {
    if rights::role(connection, course, person).await? != Some(Role::Student) {
        return Err(Error::Missing { what: "student", value: person.to_string() });
    }
    if present(connection, course, person).await?.as_ref() == group {
        return Ok(());
    }
    quit(connection, (course, person), now).await?;
    let Some(group) = group else { return Ok(()) };
    let query = sqlx::query(JOIN).bind(group.as_str()).bind(person.as_str());
    query.bind(course.as_str()).bind(now.millis()).execute(connection).await?;
    Ok(())
}

async fn refuse_crowd(connection: &mut AnyConnection, group: &GroupId) -> Result<(), Error> {
    match present_members(connection, group).await?.len() > MOST_MEMBERS {
        true => Err(Error::GroupFull { allowed: MOST_MEMBERS }),
        false => Ok(()),
    }
}

fn member(row: &AnyRow) -> Result<GroupMember, sqlx::Error> {
    Ok(GroupMember {
        person: row.parsed("person")?,
        name: row.text("member")?,
        number: row.maybe_text("number")?,
    })
}

/// The groups of rows in the order of groups and members. A group without members has one row.
fn groups(rows: &[AnyRow]) -> Result<Vec<Group>, Error> {
    let mut groups: Vec<Group> = Vec::new();
    for row in rows {
        let id: GroupId = row.parsed("id")?;
        if groups.last().is_none_or(|last| last.id != id) {
            groups.push(Group { id, name: row.text("name")?, members: Vec::new() });
        }
        if row.maybe_text("person")?.is_some()
            && let Some(group) = groups.last_mut()
        {
            group.members.push(member(row)?);
        }
    }
    Ok(groups)
}
