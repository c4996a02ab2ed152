//! Late submissions: due dates of single students, and the share of the points that counts. All
//! shares are whole percentages, so points stay exact.

use std::collections::BTreeMap;
use std::time::Duration;

use judge_core::Points;
use sqlx::AnyConnection;
use sqlx::any::AnyRow;

use crate::basics::error::Error;
use crate::basics::id::{PersonId, SuiteId};
use crate::basics::time::Timestamp;
use crate::row::{Columns as _, words};
use crate::store::Store;
use crate::submissions::DAY;
use crate::suites::{self, Suite};

words! {
    /// What happens with a submission after its due date and the grace period.
    LatePolicy {
        /// It is refused.
        Refuse = "refuse",
        /// It is graded, and earns no points.
        NoPoints = "no_points",
        /// Each started day takes a percentage of its points.
        PerDay = "per_day",
    }
}

/// A suite's rules for late submissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LateRules {
    /// The policy.
    pub policy: LatePolicy,
    /// Minutes after the due date in which a submission is not late.
    pub grace_minutes: u32,
    /// Percentage of the points that each started day takes, 1 to 100.
    pub percent_per_day: u32,
    /// Late days that take nothing.
    pub free_days: u32,
}

impl Default for LateRules {
    fn default() -> LateRules {
        let policy = LatePolicy::Refuse;
        LateRules { policy, grace_minutes: 0, percent_per_day: 10, free_days: 0 }
    }
}

/// The lateness of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lateness {
    /// Started days after the due date; 0 if it is on time.
    pub days: u32,
    /// Percentage of its points that counts.
    pub percent: u32,
}

impl Lateness {
    /// The lateness of a submission that is on time.
    pub const ON_TIME: Lateness = Lateness { days: 0, percent: 100 };

    /// The part of the points that counts, rounded down to a thousandth.
    #[must_use]
    pub fn of(self, points: Points) -> Points {
        let whole = u128::from(points.thousandths()) * u128::from(self.percent.min(100));
        Points::from_thousandths(u64::try_from(whole / 100).unwrap_or(u64::MAX))
    }
}

impl LateRules {
    /// The lateness of a submission of that moment.
    pub fn lateness(&self, due: Option<Timestamp>, at: Timestamp) -> Lateness {
        let Some(due) = due.filter(|due| at > self.end_of_grace(*due)) else {
            return Lateness::ON_TIME;
        };
        let late = u64::try_from(at.millis().saturating_sub(due.millis())).unwrap_or_default();
        let days = u32::try_from(late.div_ceil(millis(DAY))).unwrap_or(u32::MAX);
        let charged = days.saturating_sub(self.free_days);
        let percent = match self.policy {
            // It was accepted before the due date or the policy changed.
            LatePolicy::Refuse => 100,
            LatePolicy::NoPoints => 0,
            LatePolicy::PerDay => {
                100_u32.saturating_sub(charged.saturating_mul(self.percent_per_day))
            }
        };
        Lateness { days, percent }
    }

    /// The last moment at which a submission can earn points.
    pub fn last_with_points(&self, due: Timestamp) -> Timestamp {
        let grace = self.end_of_grace(due);
        if self.policy != LatePolicy::PerDay {
            return grace;
        }
        let days = 100_u32.div_ceil(self.percent_per_day.max(1)) - 1;
        let days = u64::from(days.saturating_add(self.free_days));
        grace.max(due.after(Duration::from_secs(DAY.as_secs().saturating_mul(days))))
    }

    /// The last moment at which a submission is accepted; none if there is no end.
    pub fn last_accepted(&self, due: Timestamp) -> Option<Timestamp> {
        (self.policy != LatePolicy::NoPoints).then(|| self.last_with_points(due))
    }

    fn end_of_grace(&self, due: Timestamp) -> Timestamp {
        due.after(Duration::from_secs(u64::from(self.grace_minutes) * 60))
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

const EXTEND: &str = "INSERT INTO extension (suite, person, due_at, made_by, made_at) \
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (suite, person) DO UPDATE \
    SET due_at = excluded.due_at, made_by = excluded.made_by, made_at = excluded.made_at";
const END_EXTENSION: &str = "DELETE FROM extension WHERE suite = $1 AND person = $2";
const EXTENSIONS: &str = "SELECT person, due_at FROM extension WHERE suite = $1";
const SET_END: &str = "UPDATE suite SET ends_at = $2 WHERE id = $1";
// Staff's submissions are never late.
const SUBMITTED: &str = "SELECT id, person, received_at, late_days, late_percent FROM submission \
    WHERE suite = $1 AND of_day > 0 AND ($2 = '' OR person = $2) ORDER BY id";
const SET_LATENESS: &str = "UPDATE submission SET late_days = $2, late_percent = $3 WHERE id = $1";
const SET_POINTS: &str = "UPDATE result SET late_days = $2, late_percent = $3, \
    points = earned_points * $3 / 100, open_points = earned_open_points * $3 / 100 \
    WHERE submission = $1";

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
        let mut transaction = self.begin().await?;
        let both = |sql| sqlx::query(sql).bind(suite.to_string()).bind(person.to_string());
        let query = match due_at {
            Some(due) => both(EXTEND).bind(due.millis()).bind(by.to_string()).bind(now.millis()),
            None => both(END_EXTENSION),
        };
        query.execute(&mut *transaction).await?;
        recount(&mut transaction, suite, Some(person)).await?;
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

    /// A person's due date on a suite: their own, or the suite's.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn due_of(
        &self,
        suite: &Suite,
        person: &PersonId,
    ) -> Result<Option<Timestamp>, Error> {
        let own = self.extensions(&suite.id).await?.get(person).copied();
        Ok(own.or(suite.settings.due_at))
    }
}

async fn extensions(
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
    let settings = suites::settings_of(connection, id).await?;
    let extensions = extensions(connection, id).await?;
    let (rules, due) = (settings.late, settings.due_at);
    let last = due.into_iter().chain(extensions.values().copied().filter(|_| due.is_some())).max();
    let end = last.map(|due| rules.last_with_points(due).millis());
    sqlx::query(SET_END).bind(id.as_str()).bind(end).execute(&mut *connection).await?;
    let query = sqlx::query(SUBMITTED).bind(id.as_str());
    let query = query.bind(person.map_or("", PersonId::as_str).to_owned());
    for row in query.fetch_all(&mut *connection).await? {
        let own = extensions.get(&row.parsed::<PersonId>("person")?).copied();
        let Lateness { days, percent } = rules.lateness(own.or(due), row.time("received_at")?);
        if lateness(&row)? == (Lateness { days, percent }) {
            continue;
        }
        for sql in [SET_LATENESS, SET_POINTS] {
            let query = sqlx::query(sql).bind(row.text("id")?).bind(i64::from(days));
            query.bind(i64::from(percent)).execute(&mut *connection).await?;
        }
    }
    Ok(())
}

/// The lateness in a row of a submission or a result.
pub(crate) fn lateness(row: &AnyRow) -> Result<Lateness, sqlx::Error> {
    let small = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    let (days, percent) = (row.number("late_days")?, row.number("late_percent")?);
    Ok(Lateness { days: small(days), percent: small(percent) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 60 * 60 * 1000;

    fn at(hours: i64) -> Timestamp {
        Timestamp::from_millis(hours * HOUR)
    }

    #[test]
    fn each_started_day_after_the_due_date_costs_its_percentage() {
        let rules = LateRules {
            policy: LatePolicy::PerDay,
            grace_minutes: 60,
            percent_per_day: 30,
            free_days: 1,
        };
        let due = at(0);
        let late = |hours| rules.lateness(Some(due), at(hours));
        for (hours, days, percent) in [
            (0, 0, 100),
            (1, 0, 100),
            (2, 1, 100),
            (24, 1, 100),
            (25, 2, 70),
            (73, 4, 10),
            (97, 5, 0),
        ] {
            assert_eq!(late(hours), Lateness { days, percent }, "{hours} h");
        }
        // Three charged days cost 90 %, and the first is free.
        assert_eq!(rules.last_accepted(due), Some(at(4 * 24)));
        assert_eq!(rules.lateness(None, at(1000)), Lateness::ON_TIME);
        let point = Points::from_thousandths(333);
        assert_eq!(late(25).of(point).thousandths(), 233, "rounded down");
        assert_eq!(late(97).of(point), Points::ZERO);
    }

    #[test]
    fn refused_and_unpaid_submissions_have_their_own_ends() {
        let due = at(0);
        let refuse = LateRules { grace_minutes: 90, ..LateRules::default() };
        assert_eq!(refuse.last_accepted(due), Some(Timestamp::from_millis(90 * 60 * 1000)));
        assert_eq!(refuse.lateness(Some(due), at(30)), Lateness { days: 2, percent: 100 });
        let unpaid = LateRules { policy: LatePolicy::NoPoints, ..refuse };
        assert_eq!(unpaid.last_accepted(due), None);
        assert_eq!(unpaid.lateness(Some(due), at(1)), Lateness::ON_TIME);
        assert_eq!(unpaid.lateness(Some(due), at(2)), Lateness { days: 1, percent: 0 });
        let all = LateRules { policy: LatePolicy::PerDay, percent_per_day: 100, ..refuse };
        assert_eq!(all.last_accepted(due), refuse.last_accepted(due));
    }
}
