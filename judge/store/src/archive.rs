//! Archived courses, which can be read and not changed. Every change to a course begins with
//! [`Store::change`] or [`lock_open`], so this is the only place that checks it.

use sqlx::{Any, AnyConnection, Transaction};

use crate::audit::{About, Act};
use crate::basics::access_refusal::AccessRefusal;
use crate::basics::error::Error;
use crate::basics::id::{ArenaId, BotId, CourseId, PersonId, SubmissionId, SuiteId};
use crate::basics::time::Timestamp;
use crate::rights;
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::Store;

/// The part of a course that a change is about.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ChangedPart<'a> {
    Course(&'a CourseId),
    Suite(&'a SuiteId),
    Submission(&'a SubmissionId),
    Arena(&'a ArenaId),
    Bot(&'a BotId),
}

/// Statements that lock a course, and read whether it is archived: for one change at a time, and
/// for several at the same time, in PostgreSQL and in SQLite, which has one writer anyway.
macro_rules! locks {
    ($which:literal) => {
        [
            concat!("UPDATE course SET slug = slug WHERE id = ", $which, " RETURNING archived_at"),
            concat!("SELECT archived_at FROM course WHERE id = ", $which, " FOR SHARE"),
            concat!("SELECT archived_at FROM course WHERE id = ", $which),
        ]
    };
}

const LOCKS: [&str; 3] = locks!("$1");
const LOCKS_OF_SUITE: [&str; 3] = locks!("(SELECT course FROM suite WHERE id = $1)");
const LOCKS_OF_SUBMISSION: [&str; 3] =
    locks!("(SELECT u.course FROM submission s JOIN suite u ON u.id = s.suite WHERE s.id = $1)");
const LOCKS_OF_ARENA: [&str; 3] = locks!("(SELECT course FROM arena WHERE id = $1)");
const LOCKS_OF_BOT: [&str; 3] =
    locks!("(SELECT a.course FROM ladder_bot b JOIN arena a ON a.id = b.arena WHERE b.id = $1)");
const ARCHIVE: &str = "UPDATE course SET archived_at = $2 WHERE id = $1 AND archived_at IS NULL";
const BRING_BACK: &str =
    "UPDATE course SET archived_at = NULL WHERE id = $1 AND archived_at IS NOT NULL";
// They are handed back, so that they do not count as failed.
const END_GRADINGS: &str = "UPDATE attempt SET ended_at = $2, handed_back = 1 \
    WHERE ended_at IS NULL AND suite IN (SELECT id FROM suite WHERE course = $1)";
const END_PAIRS: &str = "UPDATE ladder_pair SET lease_until = 0 \
    WHERE state = 'waiting' AND arena IN (SELECT id FROM arena WHERE course = $1)";
const WAITING: &str = "SELECT COUNT(*) AS many FROM submission s JOIN suite u ON u.id = s.suite \
    WHERE u.course = $1 AND NOT EXISTS (SELECT 1 FROM result r WHERE r.submission = s.id)";

impl Store {
    /// Begins a transaction that changes a course. The course is locked, so that it cannot be
    /// archived before the transaction ends.
    ///
    /// # Errors
    /// [`Error::Archived`] if it is archived; when the database fails.
    pub(crate) async fn change(
        &self,
        part: ChangedPart<'_>,
    ) -> Result<Transaction<'static, Any>, Error> {
        let mut transaction = self.begin().await?;
        lock_open(&mut transaction, part).await?;
        Ok(transaction)
    }

    /// [`Store::change`] for changes that may happen at the same time, such as submissions of
    /// several people. They still keep the course from being archived.
    ///
    /// # Errors
    /// Those of [`Store::change`].
    pub(crate) async fn change_together(
        &self,
        part: ChangedPart<'_>,
    ) -> Result<Transaction<'static, Any>, Error> {
        let mut transaction = self.begin().await?;
        share_open(&mut transaction, part).await?;
        Ok(transaction)
    }

    /// Makes a course read-only, in the name of an instructor or of the operator, and ends the
    /// leases of its gradings and pairs; false if it was archived already. Waiting submissions and
    /// pairs stay, and are graded and played if the course comes back.
    ///
    /// # Errors
    /// [`AccessRefusal::NotAnInstructor`] if `by` is not one; when the database fails.
    pub async fn archive_course(
        &self,
        course: &CourseId,
        by: Option<&PersonId>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut transaction = self.begin().await?;
        lock_for(&mut transaction, course, by).await?;
        let both = |sql| sqlx::query(sql).bind(course.to_string()).bind(now.millis());
        let is_new = both(ARCHIVE).execute(&mut *transaction).await?.rows_affected() > 0;
        both(END_GRADINGS).execute(&mut *transaction).await?;
        sqlx::query(END_PAIRS).bind(course.as_str()).execute(&mut *transaction).await?;
        if is_new {
            let about = About::Course(course);
            self.log(&mut transaction, Act::CourseArchived, about, (None, "")).await?;
        }
        transaction.commit().await?;
        Ok(is_new)
    }

    /// Lets an archived course be changed again, in the name of an instructor or of the operator;
    /// false if it was not archived.
    ///
    /// # Errors
    /// [`AccessRefusal::NotAnInstructor`] if `by` is not one; when the database fails.
    pub async fn bring_back_course(
        &self,
        course: &CourseId,
        by: Option<&PersonId>,
    ) -> Result<bool, Error> {
        let mut transaction = self.begin().await?;
        lock_for(&mut transaction, course, by).await?;
        let query = sqlx::query(BRING_BACK).bind(course.as_str());
        let is_back = query.execute(&mut *transaction).await?.rows_affected() > 0;
        if is_back {
            let about = About::Course(course);
            self.log(&mut transaction, Act::CourseBroughtBack, about, (None, "")).await?;
        }
        transaction.commit().await?;
        Ok(is_back)
    }

    /// The number of submissions to a course that wait for their first result.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn waiting_in(&self, course: &CourseId) -> Result<u64, Error> {
        let query = sqlx::query(WAITING).bind(course.as_str());
        Ok(query.fetch_one(&self.pool).await?.count("many")?)
    }
}

/// Locks a course for a change in the caller's transaction.
///
/// # Errors
/// [`Error::Archived`] if it is archived; when the database fails.
pub(crate) async fn lock_open(
    connection: &mut AnyConnection,
    part: ChangedPart<'_>,
) -> Result<(), Error> {
    refuse_archived(connection, part, 0).await
}

/// [`lock_open`] for changes that may happen at the same time.
///
/// # Errors
/// Those of [`lock_open`].
pub(crate) async fn share_open(
    connection: &mut AnyConnection,
    part: ChangedPart<'_>,
) -> Result<(), Error> {
    let kind = if connection.backend_name() == "PostgreSQL" { 1 } else { 2 };
    refuse_archived(connection, part, kind).await
}

async fn refuse_archived(
    connection: &mut AnyConnection,
    part: ChangedPart<'_>,
    kind: usize,
) -> Result<(), Error> {
    let (statements, id) = match part {
        ChangedPart::Course(id) => (LOCKS, id.as_str()),
        ChangedPart::Suite(id) => (LOCKS_OF_SUITE, id.as_str()),
        ChangedPart::Submission(id) => (LOCKS_OF_SUBMISSION, id.as_str()),
        ChangedPart::Arena(id) => (LOCKS_OF_ARENA, id.as_str()),
        ChangedPart::Bot(id) => (LOCKS_OF_BOT, id.as_str()),
    };
    let query = sqlx::query(statements[kind]).bind(id.to_owned());
    let row = query.fetch_optional(connection).await?;
    let archived_at = row.map(|row| row.maybe_time("archived_at")).transpose()?.flatten();
    if archived_at.is_some() { Err(Error::Archived) } else { Ok(()) }
}

/// Locks a course, archived or not, for an act of one of its instructors or of the operator.
pub(crate) async fn lock_for(
    connection: &mut AnyConnection,
    course: &CourseId,
    by: Option<&PersonId>,
) -> Result<(), Error> {
    rights::lock_course(connection, course).await?;
    if let Some(by) = by
        && rights::role(connection, course, by).await? != Some(Role::Instructor)
    {
        return Err(AccessRefusal::NotAnInstructor.into());
    }
    Ok(())
}
