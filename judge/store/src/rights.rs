//! Ends access to an account when it gains or loses rights.
//!
//! An instructor can create a link that signs in to an account of their course, and keep the
//! session that it began. Such a session must not get the rights that the account gains later in
//! another course. So all access that could have been prepared ends when the account gains a course
//! or a role of staff. When the instructor leaves the course or loses their role, the sessions that
//! their links began end too, with all that was made in them.
//!
//! All of this happens in the transaction of the change. Transactions lock all their courses first,
//! then people, each in the order of ids, so that they cannot deadlock.

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::account_events::{AccountEventKind, Note, note};
use crate::basics::error::Error;
use crate::basics::id::{CourseId, InvitationId, PersonId, TokenId};
use crate::basics::time::Timestamp;
use crate::role::Role;
use crate::row::Columns as _;
use crate::store::Store;
use crate::unlinked;

const LOCK_COURSE: &str = "UPDATE course SET slug = slug WHERE id = $1";
const LOCK_PERSON: &str = "UPDATE person SET name = name WHERE id = $1";
const LOCK_WHOLE_PERSON: &str = "SELECT 1 FROM person WHERE id = $1 FOR UPDATE";
const ROLE: &str = "SELECT role FROM membership WHERE course = $1 AND person = $2";
const ADMINISTRATOR: &str = "SELECT 1 FROM person WHERE id = $1 AND administrator = 1";
const PROVEN: &str = "SELECT 1 FROM identity WHERE person = $1 AND proven = 1 LIMIT 1";
const LIVE: &str = "SELECT invitation FROM token \
    WHERE id = $1 AND person = $2 AND revoked_at IS NULL AND expires_at > $3";
const END_TOKENS: &str = "UPDATE token SET revoked_at = $3 \
    WHERE person = $1 AND id <> $2 AND revoked_at IS NULL AND expires_at > $3";
const END_LINKS: &str = "UPDATE invitation SET revoked_at = $2 \
    WHERE person = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2";
const LIMIT_LINKS: &str = "UPDATE invitation SET reach = 'none' \
    WHERE person = $1 AND used_at IS NULL AND revoked_at IS NULL AND reach <> 'none'";
const END_UNPROVEN: &str = "DELETE FROM identity WHERE person = $1 AND proven = 0 \
    AND (issuer <> $2 OR subject <> $3)";
// A link without a name could bring the person back, too. The links that they created are also
// revoked.
const END_LINKS_BACK: &str = "UPDATE invitation SET revoked_at = $3 WHERE course = $1 \
    AND used_at IS NULL AND revoked_at IS NULL AND (person = $2 OR made_by = $2 \
    OR (person IS NULL AND CASE role WHEN 'observer' THEN 0 WHEN 'student' THEN 1 \
    WHEN 'assistant' THEN 2 ELSE 3 END > $4))";
// Staff of a course who joined it by a person's links.
const STAFF_BY_LINK: &str = "SELECT DISTINCT i.used_by AS person FROM invitation i \
    JOIN membership m ON m.course = i.course AND m.person = i.used_by \
    WHERE i.course = $1 AND i.made_by = $2 AND i.used_at IS NOT NULL \
    AND m.role IN ('assistant', 'instructor')";
// Accounts to which a person's links to a course still give access; with $4 = 1, only those for
// staff.
const GUESTS: &str = "SELECT t.person FROM token t JOIN invitation i ON i.id = t.invitation \
    WHERE i.course = $1 AND i.made_by = $2 AND t.revoked_at IS NULL AND t.expires_at > $3 \
    AND ($4 = 0 OR i.role IN ('assistant', 'instructor')) \
    UNION SELECT d.person FROM identity d JOIN invitation i ON i.id = d.invitation \
    WHERE i.course = $1 AND i.made_by = $2 \
    AND ($4 = 0 OR i.role IN ('assistant', 'instructor'))";
const END_GUESTS_TOKENS: &str = "UPDATE token SET revoked_at = $3 \
    WHERE revoked_at IS NULL AND expires_at > $3 AND invitation IN \
    (SELECT i.id FROM invitation i WHERE i.course = $1 AND i.made_by = $2 \
    AND ($4 = 0 OR i.role IN ('assistant', 'instructor')))";
const END_GUESTS_IDENTITIES: &str = "DELETE FROM identity WHERE invitation IN \
    (SELECT i.id FROM invitation i WHERE i.course = $1 AND i.made_by = $2 \
    AND ($3 = 0 OR i.role IN ('assistant', 'instructor')))";
// Teachers there become instructors here, so the person could come back by another account there.
const END_CONNECTIONS: [&str; 3] = [
    "DELETE FROM lti_mark WHERE EXISTS (SELECT 1 FROM lti_column c \
     JOIN lti_course l ON l.platform = c.platform AND l.deployment = c.deployment \
     AND l.context = c.context WHERE c.suite = lti_mark.suite \
     AND c.platform = lti_mark.platform AND c.line_item = lti_mark.line_item \
     AND l.course = $1 AND l.connected_by = $2)",
    "DELETE FROM lti_column WHERE EXISTS (SELECT 1 FROM lti_course l \
     WHERE l.platform = lti_column.platform AND l.deployment = lti_column.deployment \
     AND l.context = lti_column.context AND l.course = $1 AND l.connected_by = $2)",
    "DELETE FROM lti_course WHERE course = $1 AND connected_by = $2",
];
const END_LINKS_TO_STAFF: &str = "UPDATE invitation SET revoked_at = $3 \
    WHERE course = $1 AND made_by = $2 AND used_at IS NULL AND revoked_at IS NULL \
    AND (person IS NULL OR role IN ('assistant', 'instructor'))";
// Links for a member, as their page makes them, have no name of a list.
const END_LINKS_MADE: &str = "UPDATE invitation SET revoked_at = $2 \
    WHERE made_by = $1 AND used_at IS NULL AND revoked_at IS NULL \
    AND (person IS NULL OR name IS NULL OR role IN ('assistant', 'instructor'))";
const END_SESSIONS_AS_MEMBERS: &str = "UPDATE token SET revoked_at = $2 \
    WHERE revoked_at IS NULL AND expires_at > $2 AND invitation IN \
    (SELECT i.id FROM invitation i \
    WHERE i.made_by = $1 AND i.person IS NOT NULL AND i.name IS NULL)";

/// A query over links made in sessions as other members, which a person's links for them began, and
/// over links made in the sessions that these began, and so on. `$1` is the person, `$2` the course;
/// all courses if it is empty.
macro_rules! prepared {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            " IN (WITH RECURSIVE prepared (id) AS (\
             SELECT c.id FROM invitation c JOIN invitation i ON c.made_in = i.id \
             WHERE i.made_by = $1 AND ($2 = '' OR i.course = $2) \
             AND i.person IS NOT NULL AND i.name IS NULL \
             UNION SELECT c.id FROM invitation c JOIN prepared p ON c.made_in = p.id) \
             SELECT id FROM prepared)",
            $after
        )
    };
}

// Students of a list keep their sessions: the list is the work of the course.
const PREPARED_GUESTS: &str = prepared!(
    "SELECT person FROM token WHERE revoked_at IS NULL AND expires_at > $3 AND invitation",
    ""
);
const END_PREPARED_LINKS: &str = prepared!(
    "UPDATE invitation SET revoked_at = $3 WHERE used_at IS NULL AND revoked_at IS NULL \
    AND ($4 = 1 OR person IS NULL OR name IS NULL OR role IN ('assistant', 'instructor')) AND id",
    ""
);
const END_PREPARED_TOKENS: &str = prepared!(
    "UPDATE token SET revoked_at = $3 WHERE revoked_at IS NULL AND expires_at > $3 \
    AND NOT EXISTS (SELECT 1 FROM invitation l WHERE l.id = token.invitation \
    AND l.person IS NOT NULL AND l.name IS NOT NULL AND l.role IN ('observer', 'student')) \
    AND invitation",
    ""
);
const PREPARED_IDENTITIES: &str =
    prepared!("SELECT DISTINCT person FROM identity WHERE invitation", "");
const END_PREPARED_IDENTITIES: &str = prepared!("DELETE FROM identity WHERE invitation", "");

/// Locks a course, so that changes to its members happen one after the other.
pub(crate) async fn lock_course(
    connection: &mut AnyConnection,
    course: &CourseId,
) -> Result<(), Error> {
    sqlx::query(LOCK_COURSE).bind(course.as_str()).execute(connection).await?;
    Ok(())
}

/// Locks an account, so that changes to its rights and its tokens happen one after the other.
pub(crate) async fn lock_person(
    connection: &mut AnyConnection,
    person: &PersonId,
) -> Result<(), Error> {
    sqlx::query(LOCK_PERSON).bind(person.as_str()).execute(connection).await?;
    Ok(())
}

/// Locks an account also against new rows that refer to it, such as links for the person.
pub(crate) async fn lock_whole_person(
    connection: &mut AnyConnection,
    person: &PersonId,
) -> Result<(), Error> {
    // SQLite has one writer anyway.
    if connection.backend_name() == "PostgreSQL" {
        sqlx::query(LOCK_WHOLE_PERSON).bind(person.as_str()).execute(connection).await?;
    }
    Ok(())
}

/// The role of a person in a course; none if they are not in it.
pub(crate) async fn role(
    connection: &mut AnyConnection,
    course: &CourseId,
    person: &PersonId,
) -> Result<Option<Role>, Error> {
    let query = sqlx::query(ROLE).bind(course.as_str()).bind(person.as_str());
    let row = query.fetch_optional(connection).await?;
    Ok(row.map(|row| row.parsed("role")).transpose()?)
}

/// A session or token that has neither ended nor expired.
pub(crate) struct LiveToken {
    /// The invitation that its access comes from, if any.
    pub(crate) invitation: Option<InvitationId>,
}

/// A session or token of a person; none if it has ended or expired.
pub(crate) async fn live(
    connection: &mut AnyConnection,
    person: &PersonId,
    token: &TokenId,
    now: Timestamp,
) -> Result<Option<LiveToken>, Error> {
    let query = sqlx::query(LIVE).bind(token.as_str()).bind(person.as_str()).bind(now.millis());
    let row = query.fetch_optional(connection).await?;
    let invitation = row.map(|row: AnyRow| row.maybe_parsed("invitation")).transpose()?;
    Ok(invitation.map(|invitation| LiveToken { invitation }))
}

/// True if a person may create courses.
pub(crate) async fn is_administrator(
    connection: &mut AnyConnection,
    person: &PersonId,
) -> Result<bool, Error> {
    let query = sqlx::query(ADMINISTRATOR).bind(person.as_str());
    Ok(query.fetch_optional(connection).await?.is_some())
}

/// The treatment of the open links for an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenLinks {
    /// They are revoked.
    Revoked,
    /// They only add memberships, for the signed-in person.
    Limited,
}

/// The access by which a person accepts a role. It does not end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct KeptAccess<'a> {
    /// The session.
    pub(crate) session: Option<&'a TokenId>,
    /// The issuer and the subject by which they came.
    pub(crate) identity: Option<(&'a str, &'a str)>,
}

impl<'a> KeptAccess<'a> {
    /// A session, if there is one.
    pub(crate) fn session(session: Option<&'a TokenId>) -> KeptAccess<'a> {
        KeptAccess { session, identity: None }
    }
}

/// Ends the sessions and tokens of an account, except for `keep`, its identities that only a
/// session has vouched for, and the right of its links to sign in. Returns true if it had any.
pub(crate) async fn end_access(
    connection: &mut AnyConnection,
    person: &PersonId,
    keep: KeptAccess<'_>,
    links: OpenLinks,
    now: Timestamp,
) -> Result<bool, Error> {
    let session = keep.session.map_or("", TokenId::as_str);
    let query = sqlx::query(END_TOKENS).bind(person.as_str()).bind(session.to_owned());
    let mut ended = query.bind(now.millis()).execute(&mut *connection).await?.rows_affected();
    ended += u64::from(end_unproven(connection, person, keep.identity).await?);
    if links == OpenLinks::Revoked {
        let query = sqlx::query(END_LINKS).bind(person.as_str()).bind(now.millis());
        ended += query.execute(connection).await?.rows_affected();
    } else {
        limit_links(connection, person).await?;
    }
    Ok(ended > 0)
}

/// Ends the identities of an account that only a session has vouched for, except for `keep`. Returns
/// true if it had any.
pub(crate) async fn end_unproven(
    connection: &mut AnyConnection,
    person: &PersonId,
    keep: Option<(&str, &str)>,
) -> Result<bool, Error> {
    unlinked::remember(connection, person).await?;
    let (issuer, subject) = keep.unwrap_or_default();
    let query = sqlx::query(END_UNPROVEN).bind(person.as_str());
    let query = query.bind(issuer.to_owned()).bind(subject.to_owned());
    Ok(query.execute(connection).await?.rows_affected() > 0)
}

/// Takes from all open links for an account the right to sign in.
pub(crate) async fn limit_links(
    connection: &mut AnyConnection,
    person: &PersonId,
) -> Result<(), Error> {
    sqlx::query(LIMIT_LINKS).bind(person.as_str()).execute(connection).await?;
    Ok(())
}

/// Ends the access that was prepared before the role of an account in a course rose from `old` to
/// `new`. `keep` is the access by which the person accepted.
pub(crate) async fn gained(
    connection: &mut AnyConnection,
    person: &PersonId,
    (old, new): (Option<Role>, Role),
    keep: KeptAccess<'_>,
    now: Timestamp,
) -> Result<(), Error> {
    // Instructors' links do not sign in to an administrator, so no access can have been prepared.
    if is_administrator(connection, person).await? {
        return Ok(());
    }
    let is_promoted = new.is_staff() && old.is_none_or(|old| new.rank() > old.rank());
    let links = match (is_promoted, old) {
        (true, _) => OpenLinks::Revoked,
        (false, None) if !is_proven(connection, person).await? => OpenLinks::Limited,
        // The owner signs in by the verified address; others may have linked a further identity.
        (false, None) => {
            if end_unproven(connection, person, keep.identity).await? {
                note(connection, person, Note::new(AccountEventKind::AccessEnded), now).await?;
            }
            return Ok(());
        }
        (false, _) => return Ok(()),
    };
    if end_access(connection, person, keep, links, now).await? {
        note(connection, person, Note::new(AccountEventKind::AccessEnded), now).await?;
    }
    Ok(())
}

async fn is_proven(connection: &mut AnyConnection, person: &PersonId) -> Result<bool, Error> {
    let query = sqlx::query(PROVEN).bind(person.as_str());
    Ok(query.fetch_optional(connection).await?.is_some())
}

/// Ends the links that were made in sessions as other members, which a person's links began, with the
/// sessions, tokens, identities and further links that came from them. Without `lists`, open links for students of a list stay.
async fn end_prepared(
    connection: &mut AnyConnection,
    person: &PersonId,
    course: Option<&CourseId>,
    (lists, now): (bool, Timestamp),
) -> Result<(), Error> {
    let course = course.map_or("", CourseId::as_str);
    let both = |sql| sqlx::query(sql).bind(person.to_string()).bind(course.to_owned());
    let query = both(END_PREPARED_LINKS).bind(now.millis()).bind(i64::from(lists));
    query.execute(&mut *connection).await?;
    both(END_PREPARED_TOKENS).bind(now.millis()).execute(&mut *connection).await?;
    for row in both(PREPARED_IDENTITIES).fetch_all(&mut *connection).await? {
        unlinked::remember(connection, &row.parsed("person")?).await?;
    }
    both(END_PREPARED_IDENTITIES).execute(&mut *connection).await?;
    Ok(())
}

/// Revokes the open links of an account for others, unless they are for students of a list, and
/// ends the sessions as other members that its links began, with all that was prepared in them.
pub(crate) async fn end_links_made(
    connection: &mut AnyConnection,
    person: &PersonId,
    now: Timestamp,
) -> Result<(), Error> {
    end_prepared(connection, person, None, (false, now)).await?;
    for end in [END_LINKS_MADE, END_SESSIONS_AS_MEMBERS] {
        let query = sqlx::query(end).bind(person.as_str()).bind(now.millis());
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// A maker of links to a course.
struct Maker {
    person: PersonId,
    /// True if this is not the person who lost rights, but staff who joined by their links. Only
    /// links for staff count then, because only they could give the rights back.
    is_later: bool,
}

/// A person, and the staff of the course who joined by their links, directly or by links of such
/// staff.
async fn makers(
    connection: &mut AnyConnection,
    course: &CourseId,
    person: &PersonId,
) -> Result<Vec<Maker>, Error> {
    let mut makers = vec![Maker { person: person.clone(), is_later: false }];
    let mut next = 0;
    while let Some(maker) = makers.get(next) {
        let query = sqlx::query(STAFF_BY_LINK).bind(course.as_str());
        let rows = query.bind(maker.person.to_string()).fetch_all(&mut *connection).await?;
        for row in &rows {
            let person: PersonId = row.parsed("person")?;
            if makers.iter().all(|known| known.person != person) {
                makers.push(Maker { person, is_later: true });
            }
        }
        next += 1;
    }
    Ok(makers)
}

/// Locks an account, and the accounts to which its links to courses gave access, as [`lost`] needs
/// it. The order of their ids keeps transactions for two courses from waiting for each other. The
/// courses are locked.
pub(crate) async fn lock_with_guests(
    connection: &mut AnyConnection,
    courses: &[CourseId],
    person: &PersonId,
    now: Timestamp,
) -> Result<(), Error> {
    let mut people = vec![person.clone()];
    for course in courses {
        for maker in makers(connection, course, person).await? {
            people.extend(guests(connection, course, &maker, now).await?);
            people.extend(prepared_guests(connection, course, &maker.person, now).await?);
        }
    }
    people.sort();
    people.dedup();
    for person in &people {
        lock_person(connection, person).await?;
    }
    Ok(())
}

impl Store {
    /// True if links of a member gave another person access to their account, which ends when the
    /// member loses their role or leaves the course.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn has_access_from(
        &self,
        (course, member): (&CourseId, &PersonId),
        person: &PersonId,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let mut connection = self.pool.acquire().await?;
        for maker in makers(&mut connection, course, member).await? {
            let guests = guests(&mut connection, course, &maker, now).await?;
            let prepared = prepared_guests(&mut connection, course, &maker.person, now).await?;
            if guests.contains(person) || prepared.contains(person) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

async fn guests(
    connection: &mut AnyConnection,
    course: &CourseId,
    maker: &Maker,
    now: Timestamp,
) -> Result<Vec<PersonId>, Error> {
    let query = sqlx::query(GUESTS).bind(course.as_str()).bind(maker.person.as_str());
    let query = query.bind(now.millis()).bind(i64::from(maker.is_later));
    let rows = query.fetch_all(connection).await?;
    Ok(rows.iter().map(|row| row.parsed("person")).collect::<Result<_, _>>()?)
}

/// Accounts with a session that was prepared in a session as another member.
async fn prepared_guests(
    connection: &mut AnyConnection,
    course: &CourseId,
    person: &PersonId,
    now: Timestamp,
) -> Result<Vec<PersonId>, Error> {
    let query = sqlx::query(PREPARED_GUESTS).bind(person.as_str()).bind(course.as_str());
    let rows = query.bind(now.millis()).fetch_all(connection).await?;
    Ok(rows.iter().map(|row| row.parsed("person")).collect::<Result<_, _>>()?)
}

/// Ends the sessions that a person's links to a course began, and the tokens and identities that
/// were made in these sessions.
async fn end_guests_access(
    connection: &mut AnyConnection,
    course: &CourseId,
    maker: &Maker,
    now: Timestamp,
) -> Result<(), Error> {
    let guests = guests(connection, course, maker, now).await?;
    let is_later = i64::from(maker.is_later);
    let query = sqlx::query(END_GUESTS_TOKENS).bind(course.as_str()).bind(maker.person.as_str());
    query.bind(now.millis()).bind(is_later).execute(&mut *connection).await?;
    for guest in &guests {
        unlinked::remember(connection, guest).await?;
    }
    let query = sqlx::query(END_GUESTS_IDENTITIES).bind(course.as_str());
    let query = query.bind(maker.person.as_str()).bind(is_later);
    query.execute(&mut *connection).await?;
    let kind = AccountEventKind::LinkMakerLost;
    let event = Note { kind, course: Some(course), role: None, by: Some(&maker.person) };
    for guest in &guests {
        note(connection, guest, event, now).await?;
    }
    Ok(())
}

/// Revokes the open links with which a person who lost rights in a course could get them back, and
/// ends the access that this person's links gave, and the connections with campus systems that they
/// made; `left` is the remaining role. Does the same with
/// links for staff that were made by staff who joined by this person's links. The accounts are
/// locked by [`lock_with_guests`].
pub(crate) async fn lost(
    connection: &mut AnyConnection,
    (course, person): (&CourseId, &PersonId),
    left: Option<Role>,
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(END_LINKS_BACK).bind(course.as_str()).bind(person.as_str());
    let query = query.bind(now.millis()).bind(left.map_or(-1, Role::rank));
    query.execute(&mut *connection).await?;
    for sql in END_CONNECTIONS {
        let query = sqlx::query(sql).bind(course.as_str()).bind(person.as_str());
        query.execute(&mut *connection).await?;
    }
    for maker in makers(connection, course, person).await? {
        if maker.is_later {
            let query = sqlx::query(END_LINKS_TO_STAFF).bind(course.as_str());
            let query = query.bind(maker.person.as_str()).bind(now.millis());
            query.execute(&mut *connection).await?;
        }
        end_prepared(connection, &maker.person, Some(course), (true, now)).await?;
        end_guests_access(connection, course, &maker, now).await?;
    }
    Ok(())
}
