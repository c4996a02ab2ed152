//! Changes to who is what in a course. A course never loses its last instructor by them.

use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId};
use crate::people::Role;
use crate::store::Store;

const CHANGE: &str = "UPDATE membership SET role = $3 WHERE course = $1 AND person = $2 \
    AND ($4 = 1 OR role <> 'instructor' OR EXISTS (SELECT 1 FROM membership o \
    WHERE o.course = $1 AND o.person <> $2 AND o.role = 'instructor'))";
const LEAVE: &str = "DELETE FROM membership WHERE course = $1 AND person = $2 \
    AND (role <> 'instructor' OR EXISTS (SELECT 1 FROM membership o \
    WHERE o.course = $1 AND o.person <> $2 AND o.role = 'instructor'))";

impl Store {
    /// Changes what a member of a course is there; false if nobody like that is in it, or nobody else
    /// would be its instructor.
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
        let changed = query.execute(&mut *transaction).await?.rows_affected() > 0;
        transaction.commit().await?;
        Ok(changed)
    }

    /// Takes somebody out of a course; false if nobody like that is in it, or nobody else would be its
    /// instructor. What they handed in stays.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn leave(&self, course: &CourseId, person: &PersonId) -> Result<bool, Error> {
        let query = sqlx::query(LEAVE).bind(course.as_str()).bind(person.as_str());
        let mut transaction = self.begin().await?;
        let left = query.execute(&mut *transaction).await?.rows_affected() > 0;
        transaction.commit().await?;
        Ok(left)
    }
}
