//! Ends the sessions, API tokens and open links of a person: all of them, or those that a course
//! began.

use sqlx::AnyConnection;

use crate::account_events::{AccountEventKind, Note, note};
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId};
use crate::basics::time::Timestamp;
use crate::rights::{self, KeptAccess, OpenLinks};
use crate::row::Columns as _;
use crate::store::Store;
use crate::unlinked;

const ELSEWHERE: &str = "SELECT 1 FROM person p WHERE p.id = $1 AND (p.administrator = 1 \
    OR EXISTS (SELECT 1 FROM membership m WHERE m.person = p.id AND m.course <> $2))";
const COUNT: &str = "SELECT COUNT(*) AS many FROM token \
    WHERE person = $1 AND revoked_at IS NULL AND expires_at > $2";
const COUNT_OF_COURSE: &str = "SELECT COUNT(*) AS many FROM token \
    WHERE person = $1 AND revoked_at IS NULL AND expires_at > $2 \
    AND invitation IN (SELECT i.id FROM invitation i WHERE i.course = $3)";
const END_TOKENS: &str = "UPDATE token SET revoked_at = $2 \
    WHERE person = $1 AND revoked_at IS NULL AND expires_at > $2 \
    AND invitation IN (SELECT i.id FROM invitation i WHERE i.course = $3)";
const END_LINKS: &str = "UPDATE invitation SET revoked_at = $2 \
    WHERE person = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2 \
    AND course = $3";
const END_UNPROVEN: &str = "DELETE FROM identity WHERE person = $1 AND proven = 0 \
    AND invitation IN (SELECT i.id FROM invitation i WHERE i.course = $2)";

/// True if an account also belongs to another course, or to the server as an administrator.
async fn is_elsewhere(
    connection: &mut AnyConnection,
    course: &CourseId,
    person: &PersonId,
) -> Result<bool, Error> {
    let query = sqlx::query(ELSEWHERE).bind(person.as_str()).bind(course.as_str());
    Ok(query.fetch_optional(connection).await?.is_some())
}

/// Ends the sessions and tokens that the links of a course began, and its open links.
async fn end_of_course(
    connection: &mut AnyConnection,
    (course, person): (&CourseId, &PersonId),
    now: Timestamp,
) -> Result<(), Error> {
    for end in [END_TOKENS, END_LINKS] {
        let query = sqlx::query(end).bind(person.as_str()).bind(now.millis());
        query.bind(course.as_str()).execute(&mut *connection).await?;
    }
    unlinked::remember(connection, person).await?;
    let query = sqlx::query(END_UNPROVEN).bind(person.as_str()).bind(course.as_str());
    query.execute(connection).await?;
    Ok(())
}

impl Store {
    /// Ends all sessions, API tokens and open links of a person, in the name of `by` or of the
    /// person themselves. Also ends what a thief of a session could have prepared: their open links
    /// for others than students of a list, and sessions as other members that their links began.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sign_out_everywhere(
        &self,
        person: &PersonId,
        by: Option<&PersonId>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.begin().await?;
        rights::lock_person(&mut transaction, person).await?;
        let keep = KeptAccess::default();
        rights::end_access(&mut transaction, person, keep, OpenLinks::Revoked, now).await?;
        rights::end_links_made(&mut transaction, person, now).await?;
        let event = Note { by, ..Note::new(AccountEventKind::SignedOut) };
        note(&mut transaction, person, event, now).await?;
        Ok(transaction.commit().await?)
    }

    /// Ends the access to a member's account, in the name of the instructor `by`: as
    /// [`Store::sign_out_everywhere`] if the account belongs to this course only. Otherwise only the
    /// sessions and tokens that links of this course began, and its open links, because an
    /// instructor has no right to what the person does elsewhere.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sign_out_member(
        &self,
        course: &CourseId,
        person: &PersonId,
        by: &PersonId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.begin().await?;
        rights::lock_person(&mut transaction, person).await?;
        let event = Note { by: Some(by), ..Note::new(AccountEventKind::SignedOut) };
        if is_elsewhere(&mut transaction, course, person).await? {
            end_of_course(&mut transaction, (course, person), now).await?;
            let kind = AccountEventKind::SignedOutOfCourse;
            let event = Note { kind, course: Some(course), ..event };
            note(&mut transaction, person, event, now).await?;
        } else {
            let keep = KeptAccess::default();
            rights::end_access(&mut transaction, person, keep, OpenLinks::Revoked, now).await?;
            rights::end_links_made(&mut transaction, person, now).await?;
            note(&mut transaction, person, event, now).await?;
        }
        let about = About::Course(course);
        self.log(&mut transaction, Act::SignedOut, about, (Some(person), "")).await?;
        Ok(transaction.commit().await?)
    }

    /// Number of the sessions and tokens that [`Store::sign_out_member`] would end.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn ended_by_sign_out(
        &self,
        course: &CourseId,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<u64, Error> {
        let mut connection = self.pool.acquire().await?;
        let both = |sql| sqlx::query(sql).bind(person.to_string()).bind(now.millis());
        let query = match is_elsewhere(&mut connection, course, person).await? {
            true => both(COUNT_OF_COURSE).bind(course.as_str()),
            false => both(COUNT),
        };
        Ok(query.fetch_one(&mut *connection).await?.count("many")?)
    }
}
