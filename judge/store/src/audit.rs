//! The log of acts: who changed what in courses and accounts, and when. Each entry is written in
//! the transaction of its act, and never changed.

use std::time::Duration;

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{self, ArenaId, CourseId, PersonId, SuiteId};
use crate::basics::time::Timestamp;
use crate::row::{Columns as _, words};
use crate::store::{Actor, Store};

words! {
    /// An act of staff, of an administrator or of the operator.
    Act {
        /// A course was created.
        CourseCreated = "course_created",
        /// Title or time zone of a course changed.
        CourseChanged = "course_changed",
        /// A course was copied.
        CourseCopied = "course_copied",
        /// A course was archived.
        CourseArchived = "course_archived",
        /// An archived course was brought back.
        CourseBroughtBack = "course_brought_back",
        /// A course was deleted.
        CourseDeleted = "course_deleted",
        /// The webhook of a course changed.
        WebhookSet = "webhook_set",
        /// A course was connected with a course of a campus system.
        LtiConnected = "lti_connected",
        /// The connection with a course of a campus system was ended.
        LtiDisconnected = "lti_disconnected",
        /// Members were added from a campus system's list.
        LtiMembers = "lti_members",
        /// Marks were sent to a campus system.
        MarksSent = "marks_sent",
        /// A suite was added.
        SuiteAdded = "suite_added",
        /// Settings of a suite changed.
        SuiteChanged = "suite_changed",
        /// The title of a suite changed.
        SuiteCalled = "suite_called",
        /// The files of a suite changed.
        SuiteFiles = "suite_files",
        /// Submissions are graded again.
        Rejudged = "rejudged",
        /// The results of a new grading were accepted.
        GradingAccepted = "grading_accepted",
        /// The results of a new grading were discarded.
        GradingDiscarded = "grading_discarded",
        /// A suite was deleted.
        SuiteDeleted = "suite_deleted",
        /// A student got their own due date, or lost it.
        Extended = "extended",
        /// The points of a submission were adjusted, or the adjustment taken back.
        PointsAdjusted = "points_adjusted",
        /// A request for a review was answered.
        ReviewAnswered = "review_answered",
        /// A line of a source was commented on.
        Commented = "commented",
        /// A comment on a source was removed.
        CommentRemoved = "comment_removed",
        /// Groups of students changed.
        GroupsChanged = "groups_changed",
        /// A member's role changed.
        RoleChanged = "role_changed",
        /// A member was removed.
        MemberRemoved = "member_removed",
        /// A member was signed out.
        SignedOut = "signed_out",
        /// Links to a course were made.
        Invited = "invited",
        /// Links to a course were revoked.
        LinksRevoked = "links_revoked",
        /// An arena was created.
        ArenaCreated = "arena_created",
        /// Settings of an arena changed.
        ArenaChanged = "arena_changed",
        /// Title or end of a season changed.
        SeasonChanged = "season_changed",
        /// A season was ended.
        SeasonEnded = "season_ended",
        /// A person's data was exported.
        PersonExported = "person_exported",
        /// A person's data was erased.
        PersonErased = "person_erased",
    }
}

/// An entry of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// When it happened.
    pub at: Timestamp,
    /// The act.
    pub act: Act,
    /// Id of the person who did it; none for the operator or the server.
    pub made_by: Option<PersonId>,
    /// Their name; none for the operator or the server.
    pub by: Option<String>,
    /// Short name of the course, if the act is about one.
    pub course: Option<String>,
    /// Short name of the suite or arena, if it is about one.
    pub part: Option<String>,
    /// Name of the person concerned, if there is one.
    pub person: Option<String>,
    /// Further details, without names of people.
    pub detail: String,
}

/// The object of an act.
#[derive(Debug, Clone, Copy)]
pub(crate) enum About<'a> {
    Course(&'a CourseId),
    Suite(&'a SuiteId),
    Arena(&'a ArenaId),
    /// An account.
    Account,
}

/// A statement that adds an entry about the object that this query finds.
macro_rules! entry {
    ($columns:literal, $from:literal) => {
        concat!(
            "INSERT INTO audit (id, at, act, made_by, person, detail, course, course_slug, part) \
             SELECT $1, $2, $3, $4, $5, $6, ",
            $columns,
            " FROM ",
            $from
        )
    };
}

const OF_COURSE: &str = entry!("c.id, c.slug, NULL", "course c WHERE c.id = $7");
const OF_SUITE: &str =
    entry!("c.id, c.slug, u.slug", "suite u JOIN course c ON c.id = u.course WHERE u.id = $7");
const OF_ARENA: &str =
    entry!("c.id, c.slug, a.slug", "arena a JOIN course c ON c.id = a.course WHERE a.id = $7");
const OF_ACCOUNT: &str = "INSERT INTO audit (id, at, act, made_by, person, detail) \
    VALUES ($1, $2, $3, $4, $5, $6)";
/// Entries with the names of people, as far as the reader knows them.
macro_rules! entries {
    ($rest:literal) => {
        concat!(
            "SELECT a.*, COALESCE(m.name, e.name, p.name) AS by_name, \
             COALESCE(n.name, f.name, q.name) AS its_name \
             FROM audit a LEFT JOIN person p ON p.id = a.made_by \
             LEFT JOIN membership m ON m.person = a.made_by AND m.course = a.course \
             LEFT JOIN former_member e ON e.person = a.made_by AND e.course = a.course \
             LEFT JOIN person q ON q.id = a.person \
             LEFT JOIN membership n ON n.person = a.person AND n.course = a.course \
             LEFT JOIN former_member f ON f.person = a.person AND f.course = a.course ",
            $rest
        )
    };
}
const IN_COURSE: &str =
    entries!("WHERE a.course = $1 ORDER BY a.at DESC, a.id DESC LIMIT $2 OFFSET $3");
const ALL: &str = entries!("ORDER BY a.at DESC, a.id DESC LIMIT $1 OFFSET $2");
const FORGET: &str = "DELETE FROM audit WHERE at < $1";

impl Store {
    /// This store for acts of a person, or of the operator, at that moment: they are logged.
    #[must_use]
    pub fn acting(&self, by: Option<&PersonId>, now: Timestamp) -> Store {
        let mut store = self.clone();
        store.actor = Some(Actor { by: by.cloned(), at: now });
        store
    }

    /// Logs an act in the caller's transaction, if this store is [`Store::acting`].
    pub(crate) async fn log(
        &self,
        connection: &mut AnyConnection,
        act: Act,
        about: About<'_>,
        (person, detail): (Option<&PersonId>, &str),
    ) -> Result<(), Error> {
        let Some(Actor { by, at }) = &self.actor else { return Ok(()) };
        let (sql, object) = match about {
            About::Course(id) => (OF_COURSE, Some(id.as_str())),
            About::Suite(id) => (OF_SUITE, Some(id.as_str())),
            About::Arena(id) => (OF_ARENA, Some(id.as_str())),
            About::Account => (OF_ACCOUNT, None),
        };
        let query = sqlx::query(sql).bind(id::random(10)?).bind(at.millis()).bind(act.name());
        let query = query.bind(by.as_ref().map(ToString::to_string));
        let query = query.bind(person.map(ToString::to_string)).bind(detail.to_owned());
        let query = match object {
            Some(id) => query.bind(id.to_owned()),
            None => query,
        };
        query.execute(connection).await?;
        Ok(())
    }

    /// The log of a course, the newest entries first: at most `most`, after `skipped` others.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn log_of_course(
        &self,
        course: &CourseId,
        skipped: u32,
        most: u32,
    ) -> Result<Vec<AuditEntry>, Error> {
        let query = sqlx::query(IN_COURSE).bind(course.as_str());
        let query = query.bind(i64::from(most)).bind(i64::from(skipped));
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows.iter().map(entry).collect::<Result<_, _>>()?)
    }

    /// The whole log, the newest entries first: at most `most`, after `skipped` others.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn whole_log(&self, skipped: u32, most: u32) -> Result<Vec<AuditEntry>, Error> {
        let query = sqlx::query(ALL).bind(i64::from(most)).bind(i64::from(skipped));
        let rows = query.fetch_all(&self.pool).await?;
        Ok(rows.iter().map(entry).collect::<Result<_, _>>()?)
    }

    /// Removes entries that are older than that. Returns their number.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forget_log(&self, kept: Duration, now: Timestamp) -> Result<u64, Error> {
        let query = sqlx::query(FORGET).bind(now.before(kept).millis());
        Ok(query.execute(&self.pool).await?.rows_affected())
    }
}

fn entry(row: &AnyRow) -> Result<AuditEntry, sqlx::Error> {
    Ok(AuditEntry {
        at: row.time("at")?,
        act: row.parsed("act")?,
        made_by: row.maybe_parsed("made_by")?,
        by: row.maybe_text("by_name")?,
        course: row.maybe_text("course_slug")?,
        part: row.maybe_text("part")?,
        person: row.maybe_text("its_name")?,
        detail: row.text("detail")?,
    })
}

/// The changed ones of named values, as `due_at: old -> new`.
pub(crate) fn changes(values: &[(&str, String, String)]) -> String {
    let changed = values.iter().filter(|(_, old, new)| old != new);
    let texts: Vec<String> =
        changed.map(|(name, old, new)| format!("{name}: {old} -> {new}")).collect();
    texts.join("; ")
}
