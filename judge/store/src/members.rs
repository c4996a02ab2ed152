//! Changes to the roles of members, and their removal. A course keeps at least one instructor.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::account_events::{AccountEventKind, Note, note};
use crate::archive::{self, ChangedPart};
use crate::audit::{About, Act};
use crate::basics::access_refusal::AccessRefusal;
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId, SuiteId};
use crate::basics::time::Timestamp;
use crate::quitting;
use crate::rights::{self, KeptAccess};
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::Store;

const CHANGE: &str = "UPDATE membership SET role = $3 WHERE course = $1 AND person = $2 \
    AND ($4 = 1 OR role <> 'instructor' OR EXISTS (SELECT 1 FROM membership o \
    WHERE o.course = $1 AND o.person <> $2 AND o.role = 'instructor'))";
const REMEMBER: &str = "INSERT INTO former_member (course, person, name, number) \
    SELECT course, person, name, number FROM membership WHERE course = $1 AND person = $2 \
    ON CONFLICT (course, person) DO UPDATE SET name = excluded.name, number = excluded.number";
const LEAVE: &str = "DELETE FROM membership WHERE course = $1 AND person = $2 \
    AND (role <> 'instructor' OR EXISTS (SELECT 1 FROM membership o \
    WHERE o.course = $1 AND o.person <> $2 AND o.role = 'instructor'))";

impl Store {
    /// Changes the role of a member in the name of the instructor `by`, or of the operator; returns
    /// false if the person is not a member, or if the course would be left without an instructor. A
    /// promotion ends the person's sessions, tokens and open links; a demotion ends the open links
    /// that would take it back, and the sessions that the person's own links began. Only students
    /// stay in their group.
    ///
    /// # Errors
    /// [`AccessRefusal::NotAnInstructor`] if `by` is not one; when the database fails.
    pub async fn change_role(
        &self,
        course: &CourseId,
        person: &PersonId,
        role: Role,
        by: Option<&PersonId>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut transaction = self.begin().await?;
        let old = locked(&mut transaction, (course, person), by, now).await?;
        let query = sqlx::query(CHANGE).bind(course.as_str()).bind(person.as_str());
        let query = query.bind(role.name()).bind(i64::from(role == Role::Instructor));
        if query.execute(&mut *transaction).await?.rows_affected() == 0 {
            return Ok(false);
        }
        if let Some(old) = old.filter(|old| *old != role) {
            quitting::follow_role(&mut transaction, (course, person), Some(role), now).await?;
            if role.rank() < old.rank() {
                rights::lost(&mut transaction, (course, person), Some(role), now).await?;
            }
            let keep = KeptAccess::default();
            rights::gained(&mut transaction, person, (Some(old), role), keep, now).await?;
            let kind = AccountEventKind::RoleChanged;
            let event = Note { kind, course: Some(course), role: Some(role), by };
            note(&mut transaction, person, event, now).await?;
            let detail = format!("{old} -> {role}");
            let about = About::Course(course);
            self.log(&mut transaction, Act::RoleChanged, about, (Some(person), &detail)).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// Removes a member from a course, as [`Store::change_role`] does; returns false if the person
    /// is not a member, or if the course would be left without an instructor. Submissions and
    /// results are kept; open links back into the course end, and so do the sessions that the
    /// person's own links began.
    ///
    /// # Errors
    /// [`AccessRefusal::NotAnInstructor`] if `by` is not one; when the database fails.
    pub async fn leave(
        &self,
        course: &CourseId,
        person: &PersonId,
        by: Option<&PersonId>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut transaction = self.begin().await?;
        locked(&mut transaction, (course, person), by, now).await?;
        quitting::follow_role(&mut transaction, (course, person), None, now).await?;
        let query = sqlx::query(REMEMBER).bind(course.as_str()).bind(person.as_str());
        query.execute(&mut *transaction).await?;
        let query = sqlx::query(LEAVE).bind(course.as_str()).bind(person.as_str());
        if query.execute(&mut *transaction).await?.rows_affected() == 0 {
            return Ok(false);
        }
        rights::lost(&mut transaction, (course, person), None, now).await?;
        let kind = AccountEventKind::Removed;
        let event = Note { kind, course: Some(course), role: None, by };
        note(&mut transaction, person, event, now).await?;
        let about = About::Course(course);
        self.log(&mut transaction, Act::MemberRemoved, about, (Some(person), "")).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// Locks the course, the person and the accounts that their links sign in to, checks that `by` may
/// change roles, and returns the person's role.
async fn locked(
    connection: &mut AnyConnection,
    (course, person): (&CourseId, &PersonId),
    by: Option<&PersonId>,
    now: Timestamp,
) -> Result<Option<Role>, Error> {
    archive::lock_open(connection, ChangedPart::Course(course)).await?;
    rights::lock_with_guests(connection, std::slice::from_ref(course), person, now).await?;
    if let Some(by) = by
        && rights::role(connection, course, by).await? != Some(Role::Instructor)
    {
        return Err(AccessRefusal::NotAnInstructor.into());
    }
    rights::role(connection, course, person).await
}

/// The author of a submission to a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// The person.
    pub person: PersonId,
    /// Real name.
    pub name: String,
    /// E-mail address.
    pub address: Option<String>,
    /// Number at the school.
    pub number: Option<String>,
    /// The role in the course; none for a removed member.
    pub role: Option<Role>,
}

const WORK: &str = "SELECT COUNT(*) AS many FROM submission s JOIN suite u ON u.id = s.suite \
    WHERE u.course = $1 AND s.person = $2";
const AUTHORS: &str = "SELECT p.id, COALESCE(m.name, f.name, p.name) AS name, p.address, \
    CASE WHEN m.name IS NOT NULL THEN m.number WHEN f.name IS NOT NULL THEN f.number \
    ELSE p.number END AS number, m.role FROM person p \
    LEFT JOIN membership m ON m.person = p.id \
    AND m.course = (SELECT course FROM suite WHERE id = $1) \
    LEFT JOIN former_member f ON f.person = p.id \
    AND f.course = (SELECT course FROM suite WHERE id = $1) \
    WHERE p.erased_at IS NULL AND (p.id IN (SELECT person FROM submission WHERE suite = $1) \
    OR p.id IN (SELECT g.person FROM group_member g \
    JOIN submission s ON s.owner = g.group_id \
    WHERE s.suite = $1 AND (g.left_at IS NULL OR s.received_at < g.left_at))) \
    ORDER BY COALESCE(m.name, f.name, p.name), p.id";

impl Store {
    /// The number of a person's submissions in a course.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn work_of(&self, course: &CourseId, person: &PersonId) -> Result<u64, Error> {
        let query = sqlx::query(WORK).bind(course.as_str()).bind(person.as_str());
        Ok(query.fetch_one(&self.pool).await?.count("many")?)
    }

    /// All authors of submissions to a suite, and the members of their groups; former members of the
    /// course included.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn authors(&self, suite: &SuiteId) -> Result<Vec<Author>, Error> {
        let rows = sqlx::query(AUTHORS).bind(suite.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(author).collect::<Result<_, _>>()?)
    }
}

fn author(row: &AnyRow) -> Result<Author, sqlx::Error> {
    Ok(Author {
        person: row.parsed("id")?,
        name: row.text("name")?,
        address: row.maybe_text("address")?,
        number: row.maybe_text("number")?,
        role: row.maybe_parsed("role")?,
    })
}
