//! Deletion of courses whose period after the archive is over, and erasure of the accounts that
//! nothing else needs then. The transaction that deletes a course marks its people, so that a later
//! call completes an interrupted one.

use crate::archive;
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId};
use crate::basics::time::Timestamp;
use crate::deletion::delete_unused_modules;
use crate::row::Columns as _;
use crate::store::Store;

const EXPIRED: &str =
    "SELECT id FROM course WHERE archived_at IS NOT NULL AND archived_at < $1 ORDER BY id";
const IS_EXPIRED: &str = "SELECT 1 FROM course WHERE id = $1 AND archived_at < $2";
// Members, former members, and people who were invited and never came.
const PEOPLE: &str = "SELECT person FROM membership WHERE course = $1 \
    UNION SELECT person FROM former_member WHERE course = $1 \
    UNION SELECT person FROM invitation WHERE course = $1 AND person IS NOT NULL ORDER BY person";
const MARK: &str = "UPDATE person SET expired_at = $2 WHERE id = $1 AND erased_at IS NULL";
const MARKED: &str = "SELECT id FROM person WHERE expired_at IS NOT NULL ORDER BY id";

impl Store {
    /// Deletes the courses that were archived before that moment, and marks their people for
    /// [`Store::erase_expired`], which also deletes their modules. Returns the number of courses.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_expired(&self, before: Timestamp, now: Timestamp) -> Result<u64, Error> {
        let rows = sqlx::query(EXPIRED).bind(before.millis()).fetch_all(&self.pool).await?;
        let mut many = 0;
        for row in &rows {
            many += u64::from(self.delete_if_expired(&row.parsed("id")?, before, now).await?);
        }
        Ok(many)
    }

    /// Deletes a course unless it was brought back or deleted meanwhile.
    async fn delete_if_expired(
        &self,
        course: &CourseId,
        before: Timestamp,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut transaction = self.begin().await?;
        archive::lock_for(&mut transaction, course, None).await?;
        let query = sqlx::query(IS_EXPIRED).bind(course.as_str()).bind(before.millis());
        if query.fetch_optional(&mut *transaction).await?.is_none() {
            return Ok(false);
        }
        let query = sqlx::query(PEOPLE).bind(course.as_str());
        // One by one: transactions lock people in the order of their ids.
        for row in query.fetch_all(&mut *transaction).await? {
            let query = sqlx::query(MARK).bind(row.text("person")?).bind(now.millis());
            query.execute(&mut *transaction).await?;
        }
        self.delete_whole_course(&mut transaction, course, None, now).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Erases the people of expired courses who are in no other course and have no open link,
    /// except for administrators. Deletes modules that are not used any more. Returns the number of
    /// people.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn erase_expired(&self, now: Timestamp) -> Result<u64, Error> {
        let rows = sqlx::query(MARKED).fetch_all(&self.pool).await?;
        let (mut many, mut failed) = (0, None);
        for row in &rows {
            let person: PersonId = row.parsed("id")?;
            match self.erase_if_unneeded(&person, now).await {
                Ok(erased) => many += u64::from(erased),
                // The others do not wait for this one.
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        delete_unused_modules(&mut *self.pool.acquire().await?).await?;
        self.empty_log().await?;
        failed.map_or(Ok(many), Err)
    }
}
