//! Events of an account, which its person sees: changes to their rights, and links that signed in.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{self, CourseId, PersonId};
use crate::basics::time::Timestamp;
use crate::role::Role;
use crate::row::{Columns as _, words};
use crate::store::Store;

words! {
    /// Kind of an account event.
    AccountEventKind {
        /// A link for this account was created.
        LinkMade = "link_made",
        /// A link signed a browser in to this account.
        LinkUsed = "link_used",
        /// The account became a member of a course.
        Joined = "joined",
        /// The role in a course was changed.
        RoleChanged = "role_changed",
        /// The account was removed from a course.
        Removed = "removed",
        /// The account got the right to create courses.
        Administrator = "administrator",
        /// An instructor ended all sessions, tokens and links.
        SignedOut = "signed_out",
        /// An instructor ended the sessions, tokens and links that their course began.
        SignedOutOfCourse = "signed_out_of_course",
        /// Sessions, tokens or links ended because the account gained rights.
        AccessEnded = "access_ended",
        /// Sessions and tokens ended because the instructor who made the link to them lost the role.
        LinkMakerLost = "link_maker_lost",
        /// An account at an issuer was linked.
        IdentityLinked = "identity_linked",
        /// An account at an issuer was unlinked.
        IdentityUnlinked = "identity_unlinked",
        /// The pseudonym was replaced because it looked like the name of a new member.
        PseudonymReplaced = "pseudonym_replaced",
    }
}

/// An event of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountEvent {
    /// Its kind.
    pub kind: AccountEventKind,
    /// When it happened.
    pub at: Timestamp,
    /// Title of the course, if it is about one.
    pub course: Option<String>,
    /// The role that was given, if one was.
    pub role: Option<Role>,
    /// Name of the person who did it; none for the operator, the server or the person themselves.
    pub by: Option<String>,
}

/// An event to record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Note<'a> {
    pub(crate) kind: AccountEventKind,
    pub(crate) course: Option<&'a CourseId>,
    pub(crate) role: Option<Role>,
    pub(crate) by: Option<&'a PersonId>,
}

impl Note<'_> {
    /// An event that is not about a course.
    pub(crate) fn new(kind: AccountEventKind) -> Note<'static> {
        Note { kind, course: None, role: None, by: None }
    }
}

const INSERT: &str = "INSERT INTO account_event (id, person, kind, at, course, role, made_by) \
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
// Repetition must not push other events off the page.
const FORGET_LIKE: &str = "DELETE FROM account_event WHERE person = $1 AND kind = $2 \
    AND COALESCE(course, '') = $3 AND COALESCE(role, '') = $4 AND COALESCE(made_by, '') = $5";
const LATEST: &str = "SELECT e.kind, e.at, e.role, c.title, p.name FROM account_event e \
    LEFT JOIN course c ON c.id = e.course LEFT JOIN person p ON p.id = e.made_by \
    WHERE e.person = $1 ORDER BY e.at DESC, e.id LIMIT 50";

/// Records an event. Of events that differ only in time, the last one is kept, except for links
/// that signed in.
pub(crate) async fn note(
    connection: &mut AnyConnection,
    person: &PersonId,
    note: Note<'_>,
    now: Timestamp,
) -> Result<(), Error> {
    let course = note.course.map(ToString::to_string);
    let role = note.role.map(|role| role.name().to_owned());
    let by = note.by.filter(|by| *by != person).map(ToString::to_string);
    if note.kind != AccountEventKind::LinkUsed {
        let query = sqlx::query(FORGET_LIKE).bind(person.as_str()).bind(note.kind.name());
        let query = query.bind(course.clone().unwrap_or_default());
        let query = query.bind(role.clone().unwrap_or_default());
        query.bind(by.clone().unwrap_or_default()).execute(&mut *connection).await?;
    }
    let query = sqlx::query(INSERT).bind(id::random(10)?).bind(person.as_str());
    let query = query.bind(note.kind.name()).bind(now.millis()).bind(course).bind(role).bind(by);
    query.execute(connection).await?;
    Ok(())
}

impl Store {
    /// The latest events of an account, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn account_events(&self, person: &PersonId) -> Result<Vec<AccountEvent>, Error> {
        let rows = sqlx::query(LATEST).bind(person.as_str()).fetch_all(&self.pool).await?;
        Ok(rows.iter().map(event).collect::<Result<_, _>>()?)
    }
}

fn event(row: &AnyRow) -> Result<AccountEvent, sqlx::Error> {
    Ok(AccountEvent {
        kind: row.parsed("kind")?,
        at: row.time("at")?,
        course: row.maybe_text("title")?,
        role: row.maybe_parsed("role")?,
        by: row.maybe_text("name")?,
    })
}
