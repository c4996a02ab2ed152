//! The rules for late submissions in words.

use judge_store::{LatePolicy, LateRules, Lateness, Timestamp};

use super::when::CourseClock;
use crate::words::Words;

/// The rules of a suite for a due date, and what a submission of this moment would count.
pub(super) fn rules(
    words: &Words,
    clock: &CourseClock,
    rules: &LateRules,
    (due, now): (Option<Timestamp>, Timestamp),
) -> Option<String> {
    let due = due?;
    let mut texts = Vec::new();
    if rules.grace_minutes > 0 {
        texts.push(words.many("late.grace", rules.grace_minutes));
    }
    match rules.policy {
        LatePolicy::Refuse => {}
        LatePolicy::NoPoints => texts.push(words.t("late.no_points").to_owned()),
        LatePolicy::PerDay => {
            texts.push(words.t1("late.per_day", rules.percent_per_day));
            if rules.free_days > 0 {
                texts.push(words.many("late.free", rules.free_days));
            }
            let end = rules.last_with_points(due.millis());
            texts.push(words.t1("late.until", clock.exact(Timestamp::from_millis(end))));
        }
    }
    let is_open = rules.last_accepted(due.millis()).is_none_or(|end| now.millis() <= end);
    let late = rules.lateness(Some(due.millis()), now.millis());
    texts.extend(lateness(words, late).filter(|_| is_open));
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// The lateness of a submission in words; none if it is on time.
pub(super) fn lateness(words: &Words, late: Lateness) -> Option<String> {
    (late.days > 0).then(|| words.t2("late.counts", late.days, late.percent))
}
