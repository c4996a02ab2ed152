//! Ends access to an account when it gains or loses rights.
//!
//! An instructor can create a link that signs in to an account of their course, and keep the
//! session that it began. Such a session must not get the rights that the account gains later in
//! another course. So all access that could have been prepared ends when the account gains a course
//! or a role of staff.
//!
//! All of this happens in the transaction of the change. Transactions lock the course first, then
//! the person, so that they cannot deadlock.

use sqlx::AnyConnection;

use crate::account_events::{AccountEventKind, Note, note};
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId, TokenId};
use crate::basics::time::Timestamp;
use crate::role::Role;
use crate::row::Columns as _;

const LOCK_COURSE: &str = "UPDATE course SET slug = slug WHERE id = $1";
const LOCK_PERSON: &str = "UPDATE person SET name = name WHERE id = $1";
const ROLE: &str = "SELECT role FROM membership WHERE course = $1 AND person = $2";
const ADMINISTRATOR: &str = "SELECT 1 FROM person WHERE id = $1 AND administrator = 1";
const PROVEN: &str = "SELECT 1 FROM identity WHERE person = $1 AND proven = 1 LIMIT 1";
const LIVE: &str = "SELECT 1 FROM token WHERE id = $1 AND person = $2 AND revoked_at IS NULL \
    AND expires_at > $3";
const END_TOKENS: &str = "UPDATE token SET revoked_at = $3 \
    WHERE person = $1 AND id <> $2 AND revoked_at IS NULL AND expires_at > $3";
const END_LINKS: &str = "UPDATE invitation SET revoked_at = $2 \
    WHERE person = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2";
const LIMIT_LINKS: &str = "UPDATE invitation SET reach = 'none' \
    WHERE person = $1 AND used_at IS NULL AND revoked_at IS NULL AND reach <> 'none'";
const END_UNPROVEN: &str = "DELETE FROM identity WHERE person = $1 AND proven = 0";
// A link without a name could bring the person back, too. The links that they created are also
// revoked.
const END_LINKS_BACK: &str = "UPDATE invitation SET revoked_at = $3 WHERE course = $1 \
    AND used_at IS NULL AND revoked_at IS NULL AND (person = $2 OR made_by = $2 \
    OR (person IS NULL AND CASE role WHEN 'observer' THEN 0 WHEN 'student' THEN 1 \
    WHEN 'assistant' THEN 2 ELSE 3 END > $4))";

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

/// True if a session or token of a person has neither ended nor expired.
pub(crate) async fn is_live(
    connection: &mut AnyConnection,
    person: &PersonId,
    token: &TokenId,
    now: Timestamp,
) -> Result<bool, Error> {
    let query = sqlx::query(LIVE).bind(token.as_str()).bind(person.as_str()).bind(now.millis());
    Ok(query.fetch_optional(connection).await?.is_some())
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

/// Ends the sessions and tokens of an account, except for `keep`, its identities that only a
/// session has vouched for, and the power of its links to sign in. Returns true if it had any.
pub(crate) async fn end_access(
    connection: &mut AnyConnection,
    person: &PersonId,
    keep: Option<&TokenId>,
    links: OpenLinks,
    now: Timestamp,
) -> Result<bool, Error> {
    let keep = keep.map_or("", TokenId::as_str);
    let query = sqlx::query(END_TOKENS).bind(person.as_str()).bind(keep.to_owned());
    let mut ended = query.bind(now.millis()).execute(&mut *connection).await?.rows_affected();
    let query = sqlx::query(END_UNPROVEN).bind(person.as_str());
    ended += query.execute(&mut *connection).await?.rows_affected();
    if links == OpenLinks::Revoked {
        let query = sqlx::query(END_LINKS).bind(person.as_str()).bind(now.millis());
        ended += query.execute(connection).await?.rows_affected();
    } else {
        limit_links(connection, person).await?;
    }
    Ok(ended > 0)
}

/// Takes from all open links for an account the power to sign in.
pub(crate) async fn limit_links(
    connection: &mut AnyConnection,
    person: &PersonId,
) -> Result<(), Error> {
    sqlx::query(LIMIT_LINKS).bind(person.as_str()).execute(connection).await?;
    Ok(())
}

/// Ends the access that was prepared before the role of an account in a course rose from `old` to
/// `new`. `keep` is the session of the person who accepted.
pub(crate) async fn gained(
    connection: &mut AnyConnection,
    person: &PersonId,
    (old, new): (Option<Role>, Role),
    keep: Option<&TokenId>,
    now: Timestamp,
) -> Result<(), Error> {
    // Instructors' links do not sign in to an administrator, so no access can have been prepared.
    if is_administrator(connection, person).await? {
        return Ok(());
    }
    let is_promoted = new.is_staff() && old.is_none_or(|old| new.rank() > old.rank());
    let links = match (is_promoted, old) {
        (true, _) => OpenLinks::Revoked,
        // The same holds once an issuer has vouched for the person's own address.
        (false, None) if !is_proven(connection, person).await? => OpenLinks::Limited,
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

/// Revokes the open links with which a person who lost rights in a course could get them back;
/// `left` is the remaining role.
pub(crate) async fn lost(
    connection: &mut AnyConnection,
    (course, person): (&CourseId, &PersonId),
    left: Option<Role>,
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(END_LINKS_BACK).bind(course.as_str()).bind(person.as_str());
    let query = query.bind(now.millis()).bind(left.map_or(-1, Role::rank));
    query.execute(connection).await?;
    Ok(())
}
