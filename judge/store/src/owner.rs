//! Owners of submissions and ladder bots: persons and groups, and the members of groups.

use std::collections::BTreeMap;
use std::fmt;

use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{CourseId, GroupId, PersonId, SuiteId};
use crate::basics::time::Timestamp;
use crate::row::Columns as _;

/// The person or the group that a submission belongs to, and that has one line on a scoreboard.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// A person.
    Person(PersonId),
    /// A group.
    Group(GroupId),
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Owner {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Owner::Person(id) => id.as_str(),
            Owner::Group(id) => id.as_str(),
        }
    }

    /// The group; none for a person.
    pub fn group(&self) -> Option<&GroupId> {
        match self {
            Owner::Person(_) => None,
            Owner::Group(id) => Some(id),
        }
    }
}

const PRESENT: &str = "SELECT group_id FROM group_member \
    WHERE course = $1 AND person = $2 AND left_at IS NULL";
const MEMBERS: &str = "SELECT person FROM group_member WHERE group_id = $1 AND left_at IS NULL \
    ORDER BY person";
const ALL: &str = "SELECT group_id, person, left_at FROM group_member \
    WHERE course = (SELECT course FROM suite WHERE id = $1)";

/// A student's present group in a course, read by that connection.
pub(crate) async fn present(
    connection: &mut AnyConnection,
    course: &CourseId,
    person: &PersonId,
) -> Result<Option<GroupId>, Error> {
    let query = sqlx::query(PRESENT).bind(course.as_str()).bind(person.as_str());
    let row = query.fetch_optional(connection).await?;
    Ok(row.map(|row| row.parsed("group_id")).transpose()?)
}

/// The present members of a group, read by that connection.
pub(crate) async fn present_members(
    connection: &mut AnyConnection,
    group: &GroupId,
) -> Result<Vec<PersonId>, Error> {
    let rows = sqlx::query(MEMBERS).bind(group.as_str()).fetch_all(connection).await?;
    Ok(rows.iter().map(|row| row.parsed("person")).collect::<Result<_, _>>()?)
}

/// The owner in a row with the columns `owner` and `person`.
pub(crate) fn owner(row: &AnyRow) -> Result<Owner, sqlx::Error> {
    let person: PersonId = row.parsed("person")?;
    Ok(match row.text("owner")? == person.as_str() {
        true => Owner::Person(person),
        false => Owner::Group(row.parsed("owner")?),
    })
}

/// Members of groups with the moment at which they left, for due dates.
pub(crate) struct Memberships(BTreeMap<String, Vec<(PersonId, Option<Timestamp>)>>);

impl Memberships {
    /// Those of the course of a suite.
    pub(crate) async fn load(
        connection: &mut AnyConnection,
        suite: &SuiteId,
    ) -> Result<Memberships, Error> {
        let rows = sqlx::query(ALL).bind(suite.as_str()).fetch_all(connection).await?;
        let mut all = BTreeMap::<String, Vec<_>>::new();
        for row in &rows {
            let member = (row.parsed("person")?, row.maybe_time("left_at")?);
            all.entry(row.text("group_id")?).or_default().push(member);
        }
        Ok(Memberships(all))
    }

    /// The people who have a submission of an owner that was received at that moment.
    pub(crate) fn people<'a>(&'a self, owner: &'a Owner, at: Timestamp) -> Vec<&'a PersonId> {
        let group = match owner {
            Owner::Person(person) => return vec![person],
            Owner::Group(group) => group,
        };
        let members = self.0.get(group.as_str()).into_iter().flatten();
        let has = |left: &Option<Timestamp>| left.is_none_or(|left| at < left);
        members.filter(|(_, left)| has(left)).map(|(person, _)| person).collect()
    }
}
