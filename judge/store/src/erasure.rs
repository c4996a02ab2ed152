//! Erases what the database knows about a person. An account without a name stays, because pairs
//! that other people's ratings need, and acts in the log, refer to it.

use sqlx::{Any, AnyConnection, Transaction};

use crate::account_events::{AccountEventKind, Note, note};
use crate::audit::{About, Act};
use crate::basics::access_refusal::AccessRefusal;
use crate::basics::error::Error;
use crate::basics::id::{BotId, CourseId, PersonId};
use crate::basics::time::Timestamp;
use crate::deletion::{delete_unused_modules, lock_rows};
use crate::quitting;
use crate::rights;
use crate::row::Columns as _;
use crate::store::Store;

/// Name of an erased account.
pub const ERASED: &str = "(erased)";

const KNOWN: &str = "SELECT 1 FROM person WHERE id = $1";
const COURSES: &str = "SELECT course FROM membership WHERE person = $1 ORDER BY course";
// Their submissions and bots are in courses that they left, too.
const ALL_COURSES: &str = "SELECT course FROM membership WHERE person = $1 \
    UNION SELECT course FROM former_member WHERE person = $1 ORDER BY course";
const ONLY_INSTRUCTOR: &str = "SELECT c.slug FROM membership m JOIN course c ON c.id = m.course \
    WHERE m.person = $1 AND m.role = 'instructor' AND c.archived_at IS NULL \
    AND NOT EXISTS (SELECT 1 FROM membership o WHERE o.course = m.course \
    AND o.person <> $1 AND o.role = 'instructor') ORDER BY c.slug LIMIT 1";
const ONLY_ADMINISTRATOR: &str = "SELECT 1 FROM person WHERE id = $1 AND administrator = 1 \
    AND NOT EXISTS (SELECT 1 FROM person o WHERE o.id <> $1 AND o.administrator = 1)";
// An account of an expired course that is in no other course and has no open link, unless it is an
// administrator's.
const UNNEEDED: &str = "SELECT 1 FROM person WHERE id = $1 AND expired_at IS NOT NULL \
    AND administrator = 0 \
    AND NOT EXISTS (SELECT 1 FROM membership m WHERE m.person = person.id) \
    AND NOT EXISTS (SELECT 1 FROM former_member f WHERE f.person = person.id) \
    AND NOT EXISTS (SELECT 1 FROM invitation i WHERE i.person = person.id \
    AND i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $2)";
// While a link is open, the mark stays, because the link may expire unused.
const UNMARK: &str = "UPDATE person SET expired_at = NULL WHERE id = $1 AND (administrator = 1 \
    OR EXISTS (SELECT 1 FROM membership m WHERE m.person = person.id) \
    OR EXISTS (SELECT 1 FROM former_member f WHERE f.person = person.id))";
const LEAVE: &str = "DELETE FROM membership WHERE course = $1 AND person = $2";
// A link that the person used can have begun other people's sessions, so the row stays.
const BLANK_LINKS: &str = "UPDATE invitation SET name = NULL, number = NULL, \
    revoked_at = CASE WHEN used_at IS NULL THEN COALESCE(revoked_at, $2) ELSE revoked_at END \
    WHERE person = $1 OR used_by = $1";
const BOTS: &str = "SELECT id FROM ladder_bot WHERE owner = $1 OR (EXISTS \
    (SELECT 1 FROM group_member g WHERE g.group_id = owner AND g.person = $1) AND NOT EXISTS \
    (SELECT 1 FROM group_member g JOIN person p ON p.id = g.person WHERE g.group_id = owner \
    AND g.person <> $1 AND p.erased_at IS NULL AND (g.left_at IS NULL OR entered_at < g.left_at)))";
const BLANK_BOT: &str = "UPDATE ladder_bot SET name = $2, name_key = $2, \
    withdrawn_at = COALESCE(withdrawn_at, $3) WHERE id = $1";
const BLANK_PERSON: &str = "UPDATE person SET name = $2, folded_name = $2, address = NULL, \
    number = NULL, language = NULL, administrator = 0, expired_at = NULL, \
    erased_at = COALESCE(erased_at, $3) WHERE id = $1";

/// A bot with played pairs stays for the ratings of its opponents, without module, texts and
/// records.
const BOT: [&str; 4] = [
    "UPDATE ladder_pair SET state = 'cancelled' WHERE state = 'waiting' \
     AND (one IN (SELECT id FROM ladder_version WHERE bot = $1) \
     OR other IN (SELECT id FROM ladder_version WHERE bot = $1))",
    "UPDATE ladder_round SET record = NULL WHERE pair IN (SELECT id FROM ladder_pair \
     WHERE one IN (SELECT id FROM ladder_version WHERE bot = $1) \
     OR other IN (SELECT id FROM ladder_version WHERE bot = $1))",
    "UPDATE ladder_round SET detail = NULL WHERE (failed = 1 AND pair IN (SELECT id \
     FROM ladder_pair WHERE one IN (SELECT id FROM ladder_version WHERE bot = $1))) \
     OR (failed = 2 AND pair IN (SELECT id \
     FROM ladder_pair WHERE other IN (SELECT id FROM ladder_version WHERE bot = $1)))",
    "UPDATE ladder_version SET submission = NULL, module = NULL WHERE bot = $1",
];

/// Submissions of this person, and those of their groups that belong to no other person who is not
/// erased: a group's submission is the mark of each person who was a member then, or joined later.
macro_rules! own_submissions {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            " IN (SELECT id FROM submission WHERE owner = $1 OR (EXISTS \
             (SELECT 1 FROM group_member g WHERE g.group_id = owner AND g.person = $1) \
             AND NOT EXISTS \
             (SELECT 1 FROM group_member g JOIN person p ON p.id = g.person \
             WHERE g.group_id = owner AND g.person <> $1 AND p.erased_at IS NULL \
             AND (g.left_at IS NULL OR received_at < g.left_at))))",
            $after
        )
    };
}

/// Runs that only these submissions use.
macro_rules! own_runs {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            " IN (SELECT r.id FROM run r WHERE EXISTS (SELECT 1 FROM submission s \
             WHERE s.suite = r.suite AND s.module = r.module AND ",
            own_submissions!("s.id", ")"),
            " AND NOT EXISTS (SELECT 1 FROM submission o \
             WHERE o.suite = r.suite AND o.module = r.module AND NOT ",
            own_submissions!("o.id", "))"),
            $after
        )
    };
}

/// Statements that lock the suites, runs and submissions of a person in PostgreSQL, so that a grading
/// that is under way adds nothing to them before they are deleted. Without a new run of the suites,
/// a round cannot be added.
const LOCK: [&str; 3] = [
    own_submissions!(
        "SELECT 1 FROM suite WHERE id IN (SELECT l.suite FROM submission l WHERE l.id",
        ") ORDER BY id FOR UPDATE"
    ),
    own_runs!("SELECT 1 FROM run WHERE id", " ORDER BY id FOR UPDATE"),
    own_submissions!("SELECT 1 FROM submission WHERE id", " ORDER BY id FOR UPDATE"),
];

/// Everything else about a person, in the order in which it can be deleted. Rounds of others against
/// a submission of this person have its name in them, and nothing depends on them.
const ERASE: [&str; 29] = [
    "DELETE FROM lti_member WHERE person = $1",
    "DELETE FROM lti_mark WHERE person = $1",
    "UPDATE lti_course SET connected_by = NULL WHERE connected_by = $1",
    "DELETE FROM mail WHERE person = $1",
    "DELETE FROM mail_subscription WHERE person = $1",
    "DELETE FROM token WHERE person = $1",
    "DELETE FROM identity WHERE person = $1",
    "DELETE FROM badge WHERE person = $1",
    concat!(
        "DELETE FROM human_round WHERE person = $1 OR module IN (SELECT s.module FROM submission s \
         WHERE ",
        own_submissions!("s.id", ""),
        " AND NOT EXISTS (SELECT 1 FROM submission o WHERE o.module = s.module AND NOT ",
        own_submissions!("o.id", "))")
    ),
    "DELETE FROM account_event WHERE person = $1",
    "DELETE FROM former_member WHERE person = $1",
    own_runs!("DELETE FROM round_cost WHERE run", ""),
    own_runs!("DELETE FROM round WHERE run", ""),
    own_runs!("DELETE FROM fact WHERE run", ""),
    own_runs!("DELETE FROM run WHERE id", ""),
    own_submissions!("UPDATE ladder_version SET submission = NULL WHERE submission", ""),
    own_submissions!("DELETE FROM mail WHERE submission", ""),
    own_submissions!("DELETE FROM review WHERE submission", ""),
    own_submissions!("DELETE FROM source_comment WHERE submission", ""),
    own_submissions!("DELETE FROM adjustment WHERE submission", ""),
    own_submissions!("DELETE FROM report WHERE submission", ""),
    own_submissions!("DELETE FROM result WHERE submission", ""),
    own_submissions!("DELETE FROM attempt WHERE submission", ""),
    own_submissions!("DELETE FROM suite_scope WHERE submission", ""),
    own_submissions!("DELETE FROM submission WHERE id", ""),
    // Others of the group still see the answer.
    "UPDATE review SET request = '' WHERE asked_by = $1",
    // A submission that others keep has texts that this person chose.
    "UPDATE submission SET name = 'erased', file_name = '' WHERE person = $1 \
     AND owner IN (SELECT m.group_id FROM group_member m WHERE m.person = $1)",
    // The due dates of a group's submissions depend on all people to whom they belong. Once a group
    // has no person left who is not erased, nothing needs its members any more.
    "DELETE FROM group_member WHERE (person = $1 AND NOT EXISTS (SELECT 1 FROM submission s \
     WHERE s.owner = group_id AND s.received_at < left_at)) \
     OR (group_id IN (SELECT m.group_id FROM group_member m WHERE m.person = $1) \
     AND NOT EXISTS (SELECT 1 FROM group_member o JOIN person p ON p.id = o.person \
     WHERE o.group_id = group_member.group_id AND o.person <> $1 AND p.erased_at IS NULL))",
    "DELETE FROM extension WHERE (person = $1 \
     OR person IN (SELECT p.id FROM person p WHERE p.erased_at IS NOT NULL)) \
     AND NOT EXISTS (SELECT 1 FROM group_member g JOIN submission s ON s.owner = g.group_id \
     WHERE g.person = extension.person AND s.suite = extension.suite \
     AND s.received_at < g.left_at)",
];

impl Store {
    /// Erases a person's data in all courses, archived ones included: account, memberships,
    /// submissions, results and rounds. What others need stays without a name: pairs on ladders, the
    /// submissions of a group with other members, the due dates of these submissions, and the
    /// person's acts in the log, and the answers, comments and reasons that they wrote as staff.
    ///
    /// # Errors
    /// [`AccessRefusal::OnlyInstructor`] or [`AccessRefusal::OnlyAdministrator`] if they are the
    /// only one; when there is no such person, or the database fails.
    pub async fn erase_person(&self, person: &PersonId, now: Timestamp) -> Result<(), Error> {
        let (mut transaction, courses) = self.begin_erasure(person, now).await?;
        self.erase(&mut transaction, (person, &courses), now).await?;
        delete_unused_modules(&mut transaction).await?;
        transaction.commit().await?;
        self.empty_log().await
    }

    /// Erases a person of an expired course if nothing else needs the account; returns true if so.
    /// Otherwise, the next course that expires marks them again. Modules stay.
    ///
    /// # Errors
    /// When there is no such person, or the database fails.
    pub(crate) async fn erase_if_unneeded(
        &self,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let (mut transaction, courses) = self.begin_erasure(person, now).await?;
        let query = sqlx::query(UNNEEDED).bind(person.as_str()).bind(now.millis());
        let is_unneeded = query.fetch_optional(&mut *transaction).await?.is_some();
        if is_unneeded {
            self.erase(&mut transaction, (person, &courses), now).await?;
        } else {
            sqlx::query(UNMARK).bind(person.as_str()).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(is_unneeded)
    }

    /// Begins a transaction that has locked a person's present and former courses, then the person,
    /// and returns the present ones.
    async fn begin_erasure(
        &self,
        person: &PersonId,
        now: Timestamp,
    ) -> Result<(Transaction<'static, Any>, Vec<CourseId>), Error> {
        loop {
            let mut transaction = self.begin().await?;
            let query = sqlx::query(KNOWN).bind(person.as_str());
            if query.fetch_optional(&mut *transaction).await?.is_none() {
                return Err(Error::Missing { what: "person", value: person.to_string() });
            }
            let locked = courses(&mut transaction, ALL_COURSES, person).await?;
            for course in &locked {
                rights::lock_course(&mut transaction, course).await?;
            }
            rights::lock_with_guests(&mut transaction, &locked, person, now).await?;
            rights::lock_whole_person(&mut transaction, person).await?;
            // The person may have joined another course before the locks were held. A course must
            // not be locked after a person.
            if courses(&mut transaction, ALL_COURSES, person).await? == locked {
                let present = courses(&mut transaction, COURSES, person).await?;
                return Ok((transaction, present));
            }
            transaction.rollback().await?;
        }
    }

    /// Erases a person who is locked with their courses, in the caller's transaction.
    async fn erase(
        &self,
        connection: &mut AnyConnection,
        (person, courses): (&PersonId, &[CourseId]),
        now: Timestamp,
    ) -> Result<(), Error> {
        let own = |sql| sqlx::query(sql).bind(person.to_string());
        refuse_only_one(connection, person).await?;
        for course in courses {
            quitting::follow_role(connection, (course, person), None, now).await?;
            let query = sqlx::query(LEAVE).bind(course.as_str()).bind(person.as_str());
            query.execute(&mut *connection).await?;
            rights::lost(connection, (course, person), None, now).await?;
        }
        erase_bots(connection, person, now).await?;
        own(BLANK_LINKS).bind(now.millis()).execute(&mut *connection).await?;
        lock_rows(connection, &LOCK, person.as_str()).await?;
        for sql in ERASE {
            own(sql).execute(&mut *connection).await?;
        }
        own(BLANK_PERSON).bind(ERASED).bind(now.millis()).execute(&mut *connection).await?;
        // Open pages of this person end with this event.
        note(connection, person, Note::new(AccountEventKind::Removed), now).await?;
        self.log(connection, Act::PersonErased, About::Account, (Some(person), "")).await?;
        Ok(())
    }
}

async fn courses(
    connection: &mut AnyConnection,
    sql: &'static str,
    person: &PersonId,
) -> Result<Vec<CourseId>, Error> {
    let rows = sqlx::query(sql).bind(person.as_str()).fetch_all(connection).await?;
    Ok(rows.iter().map(|row| row.parsed("course")).collect::<Result<_, _>>()?)
}

async fn erase_bots(
    connection: &mut AnyConnection,
    person: &PersonId,
    now: Timestamp,
) -> Result<(), Error> {
    let rows = sqlx::query(BOTS).bind(person.as_str()).fetch_all(&mut *connection).await?;
    for row in &rows {
        let bot: BotId = row.parsed("id")?;
        for sql in BOT {
            sqlx::query(sql).bind(bot.as_str()).execute(&mut *connection).await?;
        }
        let query = sqlx::query(BLANK_BOT).bind(bot.as_str()).bind(format!("erased {bot}"));
        query.bind(now.millis()).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Refuses to erase the only instructor of a course, and the only administrator.
async fn refuse_only_one(connection: &mut AnyConnection, person: &PersonId) -> Result<(), Error> {
    let own = |sql| sqlx::query(sql).bind(person.to_string());
    if let Some(row) = own(ONLY_INSTRUCTOR).fetch_optional(&mut *connection).await? {
        return Err(AccessRefusal::OnlyInstructor { course: row.text("slug")? }.into());
    }
    match own(ONLY_ADMINISTRATOR).fetch_optional(connection).await? {
        Some(_) => Err(AccessRefusal::OnlyAdministrator.into()),
        None => Ok(()),
    }
}
