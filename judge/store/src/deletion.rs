//! Deletes suites and courses with everything that belongs to them. Accounts stay.

use sqlx::AnyConnection;

use crate::account_events::{AccountEventKind, Note, note};
use crate::archive::{self, ChangedPart};
use crate::audit::{About, Act};
use crate::basics::access_refusal::AccessRefusal;
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId, SuiteId};
use crate::basics::time::Timestamp;
use crate::people::need_course;
use crate::rights;
use crate::role::Role;
use crate::row::Columns as _;
use crate::secrets;
use crate::store::Store;
use crate::suites::suites_in;

/// Statements that delete the data of a suite, in an order that foreign keys allow. Bots on ladders stay: their
/// modules are in the arena.
const SUITE: [&str; 18] = [
    "DELETE FROM lti_mark WHERE suite = $1",
    "DELETE FROM lti_column WHERE suite = $1",
    "DELETE FROM mail WHERE submission IN (SELECT id FROM submission WHERE suite = $1)",
    "DELETE FROM badge WHERE suite = $1",
    "DELETE FROM extension WHERE suite = $1",
    "UPDATE ladder_version SET submission = NULL \
     WHERE submission IN (SELECT id FROM submission WHERE suite = $1)",
    "DELETE FROM review WHERE submission IN (SELECT id FROM submission WHERE suite = $1)",
    "DELETE FROM source_comment WHERE submission IN (SELECT id FROM submission WHERE suite = $1)",
    "DELETE FROM adjustment WHERE submission IN (SELECT id FROM submission WHERE suite = $1)",
    "DELETE FROM report WHERE submission IN (SELECT id FROM submission WHERE suite = $1)",
    "DELETE FROM result WHERE suite = $1",
    "DELETE FROM attempt WHERE suite = $1",
    "DELETE FROM suite_scope WHERE suite = $1",
    "DELETE FROM round_cost WHERE run IN (SELECT id FROM run WHERE suite = $1)",
    "DELETE FROM round WHERE run IN (SELECT id FROM run WHERE suite = $1)",
    "DELETE FROM fact WHERE run IN (SELECT id FROM run WHERE suite = $1)",
    "DELETE FROM run WHERE suite = $1",
    "DELETE FROM submission WHERE suite = $1",
];

/// The suite itself, after its secrets.
const FILES: [&str; 3] = [
    "DELETE FROM suite_file WHERE suite = $1",
    "DELETE FROM suite_generation WHERE suite = $1",
    "DELETE FROM suite WHERE id = $1",
];

// Later no instructor could end the sessions that its links began.
const END_SESSIONS: &str = "UPDATE token SET revoked_at = COALESCE(revoked_at, $2), \
    invitation = NULL WHERE invitation IN (SELECT id FROM invitation WHERE course = $1)";

/// Statements that lock a suite, its runs and its submissions in PostgreSQL, so that a grading that is
/// under way adds nothing to them before they are deleted.
const LOCK_SUITE: [&str; 3] = [
    "SELECT 1 FROM suite WHERE id = $1 FOR UPDATE",
    "SELECT 1 FROM run WHERE suite = $1 ORDER BY id FOR UPDATE",
    "SELECT 1 FROM submission WHERE suite = $1 ORDER BY id FOR UPDATE",
];

/// Statements that delete a course without suites, in an order that foreign keys allow.
const COURSE: [&str; 20] = [
    "DELETE FROM lti_member WHERE course = $1",
    "DELETE FROM lti_course WHERE course = $1",
    "DELETE FROM ladder_round WHERE pair IN (SELECT p.id FROM ladder_pair p \
     JOIN arena a ON a.id = p.arena WHERE a.course = $1)",
    "DELETE FROM ladder_pair WHERE arena IN (SELECT id FROM arena WHERE course = $1)",
    "DELETE FROM ladder_version WHERE bot IN (SELECT b.id FROM ladder_bot b \
     JOIN arena a ON a.id = b.arena WHERE a.course = $1)",
    "DELETE FROM ladder_bot WHERE arena IN (SELECT id FROM arena WHERE course = $1)",
    "DELETE FROM season WHERE arena IN (SELECT id FROM arena WHERE course = $1)",
    "DELETE FROM arena WHERE course = $1",
    "DELETE FROM identity WHERE proven = 0 \
     AND invitation IN (SELECT id FROM invitation WHERE course = $1)",
    "UPDATE identity SET invitation = NULL \
     WHERE invitation IN (SELECT id FROM invitation WHERE course = $1)",
    "UPDATE invitation SET made_in = NULL \
     WHERE made_in IN (SELECT id FROM invitation WHERE course = $1)",
    "DELETE FROM mail WHERE invitation IN (SELECT id FROM invitation WHERE course = $1)",
    "DELETE FROM invitation WHERE course = $1",
    // Unused links that could not sign in while the account was in two courses must not do so now.
    "UPDATE invitation SET reach = 'none' WHERE used_at IS NULL AND reach = 'course' \
     AND person IN (SELECT person FROM account_event WHERE course = $1 AND kind = 'joined')",
    "DELETE FROM account_event WHERE course = $1",
    "DELETE FROM membership WHERE course = $1",
    "DELETE FROM group_member WHERE course = $1",
    "DELETE FROM student_group WHERE course = $1",
    "DELETE FROM former_member WHERE course = $1",
    "DELETE FROM course WHERE id = $1",
];

const MEMBERS: &str = "SELECT person FROM membership WHERE course = $1";
// Modules are shared by courses.
const UNUSED_MODULES: &str = "DELETE FROM module \
    WHERE NOT EXISTS (SELECT 1 FROM submission s WHERE s.module = module.hash) \
    AND NOT EXISTS (SELECT 1 FROM submission s WHERE s.source = module.hash) \
    AND NOT EXISTS (SELECT 1 FROM ladder_version v WHERE v.module = module.hash)";

impl Store {
    /// Deletes a suite with its submissions, results and rounds, in the name of an instructor or of
    /// the operator. Bots that were entered in a ladder keep playing there.
    ///
    /// # Errors
    /// [`Error::Archived`] if the course is archived, [`AccessRefusal::NotAnInstructor`] if `by` is
    /// not an instructor; when the database fails.
    pub async fn delete_suite(&self, id: &SuiteId, by: Option<&PersonId>) -> Result<(), Error> {
        let course = self.need_suite(id).await?.course;
        let mut transaction = self.change(ChangedPart::Suite(id)).await?;
        refuse_others(&mut transaction, &course, by).await?;
        self.log(&mut transaction, Act::SuiteDeleted, About::Suite(id), (None, "")).await?;
        delete_suite(&mut transaction, id).await?;
        delete_unused_modules(&mut transaction).await?;
        transaction.commit().await?;
        self.empty_log().await
    }

    /// Deletes an archived course with its suites and arenas, in the name of an instructor or of
    /// the operator. The log keeps its acts.
    ///
    /// # Errors
    /// [`Error::NotArchived`] if it is not archived, [`AccessRefusal::NotAnInstructor`] if `by` is
    /// not an instructor; when the database fails.
    pub async fn delete_course(
        &self,
        id: &CourseId,
        by: Option<&PersonId>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.begin().await?;
        archive::lock_for(&mut transaction, id, by).await?;
        if !need_course(&mut transaction, id).await?.is_archived() {
            return Err(Error::NotArchived);
        }
        self.delete_whole_course(&mut transaction, id, by, now).await?;
        delete_unused_modules(&mut transaction).await?;
        transaction.commit().await?;
        self.empty_log().await
    }

    /// Deletes a course in the caller's transaction, which has locked it. Modules stay.
    pub(crate) async fn delete_whole_course(
        &self,
        connection: &mut AnyConnection,
        id: &CourseId,
        by: Option<&PersonId>,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.log(connection, Act::CourseDeleted, About::Course(id), (None, "")).await?;
        for suite in suites_in(connection, id).await? {
            delete_suite(connection, &suite.id).await?;
        }
        let rows = sqlx::query(MEMBERS).bind(id.as_str()).fetch_all(&mut *connection).await?;
        let query = sqlx::query(END_SESSIONS).bind(id.as_str()).bind(now.millis());
        query.execute(&mut *connection).await?;
        for sql in COURSE {
            sqlx::query(sql).bind(id.as_str()).execute(&mut *connection).await?;
        }
        for row in rows {
            let event = Note { by, ..Note::new(AccountEventKind::Removed) };
            note(connection, &row.parsed("person")?, event, now).await?;
        }
        Ok(())
    }
}

/// Deletes a suite in the caller's transaction.
async fn delete_suite(connection: &mut AnyConnection, id: &SuiteId) -> Result<(), Error> {
    lock_rows(connection, &LOCK_SUITE, id.as_str()).await?;
    for sql in SUITE {
        sqlx::query(sql).bind(id.as_str()).execute(&mut *connection).await?;
    }
    secrets::delete(connection, id).await?;
    for sql in FILES {
        sqlx::query(sql).bind(id.as_str()).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Locks rows against new rows that refer to them. SQLite has one writer anyway.
pub(crate) async fn lock_rows(
    connection: &mut AnyConnection,
    statements: &[&'static str],
    id: &str,
) -> Result<(), Error> {
    if connection.backend_name() == "PostgreSQL" {
        for sql in statements {
            sqlx::query(*sql).bind(id.to_owned()).fetch_all(&mut *connection).await?;
        }
    }
    Ok(())
}

/// Deletes modules and sources that no submission and no bot refers to, in the caller's transaction.
pub(crate) async fn delete_unused_modules(connection: &mut AnyConnection) -> Result<(), Error> {
    sqlx::query(UNUSED_MODULES).execute(connection).await?;
    Ok(())
}

async fn refuse_others(
    connection: &mut AnyConnection,
    course: &CourseId,
    by: Option<&PersonId>,
) -> Result<(), Error> {
    let Some(by) = by else { return Ok(()) };
    match rights::role(connection, course, by).await? {
        Some(Role::Instructor) => Ok(()),
        _ => Err(AccessRefusal::NotAnInstructor.into()),
    }
}
