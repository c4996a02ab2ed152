//! Rules for late submissions. Moments are milliseconds since the beginning of 1970, UTC; nothing
//! here reads a clock.

use std::fmt;
use std::str::FromStr;

use judge_core::Lateness;
use serde::{Deserialize, Serialize};

/// Milliseconds in a minute.
const MINUTE: i64 = 60_000;

/// Milliseconds in a day. A late day has 24 hours, even when clocks change.
const DAY: i64 = 24 * 60 * MINUTE;

/// The treatment of a submission after its due date and the grace period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LatePolicy {
    /// It is refused.
    Refuse,
    /// It is graded, and earns no points.
    NoPoints,
    /// Each started day takes a percentage of its points.
    PerDay,
}

/// A word that is not a policy for late submissions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a policy for late submissions")]
pub struct NotAPolicy(String);

impl LatePolicy {
    /// All policies.
    pub const ALL: &[LatePolicy] = &[LatePolicy::Refuse, LatePolicy::NoPoints, LatePolicy::PerDay];

    /// The word for this policy in files and databases.
    pub fn name(self) -> &'static str {
        match self {
            LatePolicy::Refuse => "refuse",
            LatePolicy::NoPoints => "no_points",
            LatePolicy::PerDay => "per_day",
        }
    }
}

impl fmt::Display for LatePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for LatePolicy {
    type Err = NotAPolicy;

    fn from_str(word: &str) -> Result<LatePolicy, NotAPolicy> {
        let known = LatePolicy::ALL.iter().copied().find(|policy| policy.name() == word);
        known.ok_or_else(|| NotAPolicy(word.to_owned()))
    }
}

/// A suite's rules for late submissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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

/// Writes the rules as in a file: `per_day, percent_per_day 10, free_days 2`. Values that are zero
/// or that the policy does not use are left out.
impl fmt::Display for LateRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.policy.fmt(f)?;
        let is_per_day = self.policy == LatePolicy::PerDay;
        for (name, value, is_used) in [
            ("percent_per_day", self.percent_per_day, is_per_day),
            ("free_days", self.free_days, is_per_day),
            ("grace_minutes", self.grace_minutes, true),
        ] {
            if is_used && value > 0 {
                write!(f, ", {name} {value}")?;
            }
        }
        Ok(())
    }
}

impl LateRules {
    /// The lateness of a submission of that moment that was accepted.
    pub fn lateness(&self, due: Option<i64>, at: i64) -> Lateness {
        let Some(due) = due.filter(|due| at > self.end_of_grace(*due)) else {
            return Lateness::ON_TIME;
        };
        let late = u64::try_from(at.saturating_sub(due)).unwrap_or_default();
        let days = u32::try_from(late.div_ceil(DAY.unsigned_abs())).unwrap_or(u32::MAX);
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

    /// The lateness of a submission that is graded although the policy may refuse it: then it
    /// earns nothing.
    pub fn lateness_without_refusal(&self, due: i64, at: i64) -> Lateness {
        let lateness = self.lateness(Some(due), at);
        match self.policy {
            LatePolicy::Refuse if lateness.days > 0 => Lateness { percent: 0, ..lateness },
            _ => lateness,
        }
    }

    /// The last moment at which a submission can earn points.
    pub fn last_with_points(&self, due: i64) -> i64 {
        let grace = self.end_of_grace(due);
        if self.policy != LatePolicy::PerDay {
            return grace;
        }
        let days = 100_u32.div_ceil(self.percent_per_day.max(1)) - 1;
        let days = i64::from(days.saturating_add(self.free_days));
        grace.max(due.saturating_add(DAY.saturating_mul(days)))
    }

    /// The last moment at which a submission is accepted; `None` if it always is.
    pub fn last_accepted(&self, due: i64) -> Option<i64> {
        (self.policy != LatePolicy::NoPoints).then(|| self.last_with_points(due))
    }

    fn end_of_grace(&self, due: i64) -> i64 {
        due.saturating_add(i64::from(self.grace_minutes) * MINUTE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 60 * MINUTE;

    #[test]
    fn each_started_day_after_the_due_date_costs_its_percentage() {
        let rules = LateRules {
            policy: LatePolicy::PerDay,
            grace_minutes: 60,
            percent_per_day: 30,
            free_days: 1,
        };
        for (at, days, percent) in [
            (-HOUR, 0, 100),
            (0, 0, 100),
            (HOUR, 0, 100),
            (HOUR + 1, 1, 100),
            (24 * HOUR, 1, 100),
            (24 * HOUR + 1, 2, 70),
            (73 * HOUR, 4, 10),
            (96 * HOUR, 4, 10),
            (96 * HOUR + 1, 5, 0),
            (i64::MAX, u32::MAX, 0),
        ] {
            assert_eq!(rules.lateness(Some(0), at), Lateness { days, percent }, "{at} ms");
        }
        // Three charged days cost 90 %, and the first is free.
        assert_eq!(rules.last_accepted(0), Some(4 * DAY));
        assert_eq!(rules.lateness(None, 1000 * HOUR), Lateness::ON_TIME);
    }

    #[test]
    fn refused_and_unpaid_late_submissions_get_no_points() {
        let refuse = LateRules { grace_minutes: 90, ..LateRules::default() };
        assert_eq!(refuse.last_accepted(0), Some(90 * MINUTE));
        assert_eq!(refuse.lateness(Some(0), 30 * HOUR), Lateness { days: 2, percent: 100 });
        let graded = |at| refuse.lateness_without_refusal(0, at);
        assert_eq!(graded(30 * HOUR), Lateness { days: 2, percent: 0 });
        assert_eq!(graded(90 * MINUTE), Lateness::ON_TIME);
        assert_eq!(graded(90 * MINUTE + 1), Lateness { days: 1, percent: 0 });
        let unpaid = LateRules { policy: LatePolicy::NoPoints, ..refuse };
        assert_eq!(unpaid.last_accepted(0), None);
        assert_eq!(unpaid.lateness(Some(0), HOUR), Lateness::ON_TIME);
        assert_eq!(unpaid.lateness(Some(0), 2 * HOUR), Lateness { days: 1, percent: 0 });
        let all = LateRules { policy: LatePolicy::PerDay, percent_per_day: 100, ..refuse };
        assert_eq!(all.last_accepted(0), refuse.last_accepted(0));
    }

    #[test]
    fn written_policies_read_back() {
        for policy in LatePolicy::ALL {
            assert_eq!(policy.to_string().parse(), Ok(*policy));
            let json = serde_json::to_string(policy).expect("JSON");
            assert_eq!(json, format!("\"{policy}\""));
        }
        let error = "later".parse::<LatePolicy>().expect_err("not a policy").to_string();
        assert_eq!(error, "`later` is not a policy for late submissions");
    }
}
