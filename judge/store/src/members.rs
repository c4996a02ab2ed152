//! Changes to the roles of members, and their removal. A course keeps at least one instructor.

use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId, SuiteId};
use crate::people::Role;
use crate::row::Columns as _;
use crate::store::Store;

const CHANGE: &str = "UPDATE membership SET role = $3 WHERE course = $1 AND person = $2 \
    AND ($4 = 1 OR role <> 'instructor' OR EXISTS (SELECT 1 FROM membership o \
    WHERE o.course = $1 AND o.person <> $2 AND o.role = 'instructor'))";
const LEAVE: &str = "DELETE FROM membership WHERE course = $1 AND person = $2 \
    AND (role <> 'instructor' OR EXISTS (SELECT 1 FROM membership o \
    WHERE o.course = $1 AND o.person <> $2 AND o.role = 'instructor'))";

// Two instructors who take each other's role at once would both find the other one still there.
const LOCK: &str = "UPDATE course SET slug = slug WHERE id = $1";

impl Store {
    /// Changes the role of a member; returns false if the person is not a member, or if the course
    /// would be left without an instructor.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn change_role(
        &self,
        course: &CourseId,
        person: &PersonId,
        role: Role,
    ) -> Result<bool, Error> {
        let query = sqlx::query(CHANGE).bind(course.as_str()).bind(person.as_str());
        let query = query.bind(role.name()).bind(i64::from(role == Role::Instructor));
        let mut transaction = self.begin().await?;
        sqlx::query(LOCK).bind(course.as_str()).execute(&mut *transaction).await?;
        let changed = query.execute(&mut *transaction).await?.rows_affected() > 0;
        transaction.commit().await?;
        Ok(changed)
    }

    /// Removes a member from a course; returns false if the person is not a member, or if the course
    /// would be left without an instructor. Submissions and results are kept.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn leave(&self, course: &CourseId, person: &PersonId) -> Result<bool, Error> {
        let query = sqlx::query(LEAVE).bind(course.as_str()).bind(person.as_str());
        let mut transaction = self.begin().await?;
        sqlx::query(LOCK).bind(course.as_str()).execute(&mut *transaction).await?;
        let left = query.execute(&mut *transaction).await?.rows_affected() > 0;
        transaction.commit().await?;
        Ok(left)
    }
}

/// Somebody who has handed in to a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// Who.
    pub person: PersonId,
    /// Real name.
    pub name: String,
    /// E-mail address.
    pub address: Option<String>,
    /// Number at the school.
    pub number: Option<String>,
    /// What they are in the course; none for somebody who was removed from it.
    pub role: Option<Role>,
}

const AUTHORS: &str = "SELECT p.id, p.name, p.address, p.number, m.role FROM person p \
    LEFT JOIN membership m ON m.person = p.id \
    AND m.course = (SELECT course FROM suite WHERE id = $1) \
    WHERE p.id IN (SELECT person FROM submission WHERE suite = $1) ORDER BY p.name, p.id";

impl Store {
    /// Everybody who has handed in to a suite, members of the course or not any more.
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
