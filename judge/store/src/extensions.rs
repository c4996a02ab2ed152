//! Due dates of single students. A change counts the points of earlier submissions again. For a
//! group, the latest due date of its members counts.

use std::collections::BTreeMap;

use judge_core::Lateness;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::archive::ChangedPart;
use crate::audit::{About, Act};
use crate::basics::error::Error;
use crate::basics::id::{CourseId, PersonId, SubmissionId, SuiteId};
use crate::basics::time::Timestamp;
use crate::late::{self, late_rules, lateness};
use crate::owner::{self, Memberships, Owner};
use crate::row::Columns as _;
use crate::store::Store;

const EXTEND: &str = "INSERT INTO extension (suite, person, due_at, made_by, made_at) \
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (suite, person) DO UPDATE \
    SET due_at = excluded.due_at, made_by = excluded.made_by, made_at = excluded.made_at";
const END_EXTENSION: &str = "DELETE FROM extension WHERE suite = $1 AND person = $2";
const RULES: &str = "SELECT due_at, late, grace_minutes, percent_per_day, free_days FROM suite \
    WHERE id = $1";
const EXTENSIONS: &str = "SELECT person, due_at FROM extension WHERE suite = $1";
const SET_END: &str = "UPDATE suite SET ends_at = $2 WHERE id = $1";
// Submissions of staff are on time as long as their author is staff. Imported ones, which have no day,
// always are.
const SUBMITTED: &str = "SELECT id, person, owner, received_at, of_day, late_days, late_percent, \
    CASE WHEN EXISTS (SELECT 1 FROM suite u JOIN membership m ON m.course = u.course \
    WHERE u.id = submission.suite AND m.person = submission.person \
    AND m.role IN ('assistant', 'instructor')) THEN 1 ELSE 0 END AS of_staff \
    FROM submission WHERE suite = $1 AND (of_day > 0 OR day_ends_at > received_at) \
    AND ($2 = '' OR owner = $2 \
    OR owner IN (SELECT group_id FROM group_member WHERE person = $2)) ORDER BY id";
// Suites to which a person submitted as staff.
const AS_STAFF: &str = "SELECT DISTINCT s.suite FROM submission s JOIN suite u ON u.id = s.suite \
    WHERE u.course = $1 AND s.person = $2 AND s.of_day = 0 AND s.day_ends_at > s.received_at";
const SET_LATENESS: &str = "UPDATE submission SET late_days = $2, late_percent = $3 WHERE id = $1";
const SET_LATENESS_OF_RESULTS: &str =
    "UPDATE result SET late_days = $2, late_percent = $3 WHERE submission = $1";

impl Store {
    /// Gives a student their own due date on a suite, or takes it back, and counts the points of
    /// their submissions again.
    ///
    /// # Errors
    /// When the suite or the person does not exist, or the database fails.
    pub async fn extend(
        &self,
        (suite, person): (&SuiteId, &PersonId),
        due_at: Option<Timestamp>,
        by: &PersonId,
        now: Timestamp,
    ) -> Result<(), Error> {
        let mut transaction = self.change(ChangedPart::Suite(suite)).await?;
        let both = |sql| sqlx::query(sql).bind(suite.to_string()).bind(person.to_string());
        let query = match due_at {
            Some(due) => both(EXTEND).bind(due.millis()).bind(by.to_string()).bind(now.millis()),
            None => both(END_EXTENSION),
        };
        query.execute(&mut *transaction).await?;
        recount(&mut transaction, suite, Some(person)).await?;
        let detail = due_at.map_or("none".to_owned(), |due| due.to_string());
        let about = About::Suite(suite);
        self.log(&mut transaction, Act::Extended, about, (Some(person), &detail)).await?;
        Ok(transaction.commit().await?)
    }

    /// The due dates that single students have on a suite.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn extensions(
        &self,
        suite: &SuiteId,
    ) -> Result<BTreeMap<PersonId, Timestamp>, Error> {
        extensions(&mut *self.pool.acquire().await?, suite).await
    }
}

/// The due dates of a suite.
pub(crate) struct DueDates {
    due: Option<Timestamp>,
    extensions: BTreeMap<PersonId, Timestamp>,
    memberships: Memberships,
}

impl DueDates {
    /// Those of a suite with that due date.
    pub(crate) async fn load(
        connection: &mut AnyConnection,
        suite: &SuiteId,
        due: Option<Timestamp>,
    ) -> Result<DueDates, Error> {
        let extensions = extensions(connection, suite).await?;
        let memberships = Memberships::load(connection, suite).await?;
        Ok(DueDates { due, extensions, memberships })
    }

    /// The due date for a submission of that moment: the latest one of the people it belongs to,
    /// and none if one of them has no due date.
    pub(crate) fn for_owner(&self, owner: &Owner, at: Timestamp) -> Option<Timestamp> {
        let people = self.memberships.people(owner, at);
        let dates = people.into_iter().map(|one| self.extensions.get(one).copied().or(self.due));
        dates.reduce(|one, other| Some(one?.max(other?))).unwrap_or(self.due)
    }
}

pub(crate) async fn extensions(
    connection: &mut AnyConnection,
    suite: &SuiteId,
) -> Result<BTreeMap<PersonId, Timestamp>, Error> {
    let rows = sqlx::query(EXTENSIONS).bind(suite.as_str()).fetch_all(connection).await?;
    let one = |row: &AnyRow| Ok((row.parsed("person")?, row.time("due_at")?));
    Ok(rows.iter().map(one).collect::<Result<_, sqlx::Error>>()?)
}

/// Computes the lateness of the submissions to a suite again, of a person or of all, after a change
/// of due dates or rules. Results keep the points that they earned.
pub(crate) async fn recount(
    connection: &mut AnyConnection,
    id: &SuiteId,
    person: Option<&PersonId>,
) -> Result<(), Error> {
    let row = sqlx::query(RULES).bind(id.as_str()).fetch_optional(&mut *connection).await?;
    let missing = || Error::Missing { what: "suite", value: id.to_string() };
    let row = row.ok_or_else(missing)?;
    let (rules, due) = (late_rules(&row)?, row.maybe_time("due_at")?);
    let due_dates = DueDates::load(connection, id, due).await?;
    let extensions = &due_dates.extensions;
    let last = due.into_iter().chain(extensions.values().copied().filter(|_| due.is_some())).max();
    let end = last.map(|due| rules.last_with_points(due.millis()));
    sqlx::query(SET_END).bind(id.as_str()).bind(end).execute(&mut *connection).await?;
    let query = sqlx::query(SUBMITTED).bind(id.as_str());
    let query = query.bind(person.map_or("", PersonId::as_str).to_owned());
    for row in query.fetch_all(&mut *connection).await? {
        let owner = owner::owner(&row)?;
        let at = row.time("received_at")?;
        let due = due_dates.for_owner(&owner, at).map(Timestamp::millis);
        let was_staff = row.number("of_day")? == 0;
        let Lateness { days, percent } = match due {
            _ if was_staff && row.flag("of_staff")? => Lateness::ON_TIME,
            // The policy would have refused it, if the author had been a student then.
            Some(due) if was_staff => rules.lateness_without_refusal(due, at.millis()),
            due => rules.lateness(due, at.millis()),
        };
        if lateness(&row)? == (Lateness { days, percent }) {
            continue;
        }
        let submission: SubmissionId = row.parsed("id")?;
        for sql in [SET_LATENESS, SET_LATENESS_OF_RESULTS] {
            let query = sqlx::query(sql).bind(submission.as_str()).bind(i64::from(days));
            query.bind(i64::from(percent)).execute(&mut *connection).await?;
        }
        late::recompute(connection, &submission).await?;
    }
    Ok(())
}

/// Computes the lateness of the submissions that a person made as staff, after a change of their role.
pub(crate) async fn recount_as_staff(
    connection: &mut AnyConnection,
    (course, person): (&CourseId, &PersonId),
) -> Result<(), Error> {
    let query = sqlx::query(AS_STAFF).bind(course.as_str()).bind(person.as_str());
    for row in query.fetch_all(&mut *connection).await? {
        recount(connection, &row.parsed("suite")?, Some(person)).await?;
    }
    Ok(())
}
