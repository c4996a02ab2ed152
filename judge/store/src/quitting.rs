//! Consequences of changed roles and groups: memberships that end, and due dates that follow.

use sqlx::AnyConnection;

use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId, SuiteId};
use crate::basics::time::Timestamp;
use crate::extensions;
use crate::owner::present;
use crate::role::Role;
use crate::row::Columns as _;

// Later than each submission that the group has: the person keeps all of them.
const LEAVE: &str = "UPDATE group_member SET left_at = (\
    SELECT CASE WHEN MAX(s.received_at) >= $3 THEN MAX(s.received_at) + 1 ELSE $3 END \
    FROM suite u JOIN submission s ON s.suite = u.id \
    WHERE u.course = $1 AND s.owner = group_member.group_id) \
    WHERE course = $1 AND person = $2 AND left_at IS NULL";
const SUITES: &str = "SELECT DISTINCT s.suite FROM submission s \
    JOIN student_group g ON g.id = s.owner WHERE g.course = $1";

/// Takes a person out of their group, in the caller's transaction, which has locked the course.
pub(crate) async fn quit(
    connection: &mut AnyConnection,
    (course, person): (&CourseId, &PersonId),
    now: Timestamp,
) -> Result<(), Error> {
    let query = sqlx::query(LEAVE).bind(course.as_str()).bind(person.as_str());
    query.bind(now.millis()).execute(connection).await?;
    Ok(())
}

/// Applies a person's new role, or the lack of one: only students are in a group, and only their
/// submissions can be late.
pub(crate) async fn follow_role(
    connection: &mut AnyConnection,
    (course, person): (&CourseId, &PersonId),
    role: Option<Role>,
    now: Timestamp,
) -> Result<(), Error> {
    extensions::recount_as_staff(connection, (course, person)).await?;
    if role == Some(Role::Student) || present(connection, course, person).await?.is_none() {
        return Ok(());
    }
    quit(connection, (course, person), now).await?;
    recount(connection, course).await
}

/// Computes the lateness of groups' submissions again, because the due dates of members count.
pub(crate) async fn recount(
    connection: &mut AnyConnection,
    course: &CourseId,
) -> Result<(), Error> {
    let rows = sqlx::query(SUITES).bind(course.as_str()).fetch_all(&mut *connection).await?;
    for row in &rows {
        let suite: SuiteId = row.parsed("suite")?;
        extensions::recount(connection, &suite, None).await?;
    }
    Ok(())
}
