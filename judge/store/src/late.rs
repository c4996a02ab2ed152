//! Rules for late submissions, and the share of the points that counts. All shares are whole
//! percentages, so points stay exact.

use std::time::Duration;

use judge_core::Points;
use sqlx::any::AnyRow;

use crate::basics::time::{DAY, Timestamp};
use crate::row::{Columns as _, words};

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
    pub fn counted(self, points: Points) -> Points {
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

/// The lateness in a row of a submission or a result.
pub(crate) fn lateness(row: &AnyRow) -> Result<Lateness, sqlx::Error> {
    let small = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    let (days, percent) = (row.number("late_days")?, row.number("late_percent")?);
    Ok(Lateness { days: small(days), percent: small(percent) })
}

/// The rules in a suite's row.
pub(crate) fn late_rules(row: &AnyRow) -> Result<LateRules, sqlx::Error> {
    let small = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    Ok(LateRules {
        policy: row.parsed("late")?,
        grace_minutes: small(row.number("grace_minutes")?),
        percent_per_day: small(row.number("percent_per_day")?),
        free_days: small(row.number("free_days")?),
    })
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
        assert_eq!(late(25).counted(point).thousandths(), 233, "rounded down");
        assert_eq!(late(97).counted(point), Points::ZERO);
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
