//! Arrival times of submissions: all day, and increasingly many in the two hours before a deadline.

use crate::events::{HOUR, Luck, SECOND, Time};

/// A day.
pub(crate) const DAY: Time = 24 * HOUR;

/// Time of the deadline.
pub(crate) const DEADLINE: Time = 22 * HOUR;

/// The last hours before the due date, with more submissions.
const HURRY: Time = 2 * HOUR;

/// Share of a day's submissions that arrive in that time.
const IN_HURRY: f64 = 0.4;

/// Submissions per second at a time of a day with `submissions` submissions.
#[expect(clippy::cast_precision_loss, reason = "a simulation")]
pub(crate) fn rate(submissions: u64, now: Time) -> f64 {
    let seconds = |time: Time| time as f64 / SECOND as f64;
    let all_day = (1.0 - IN_HURRY) / seconds(DAY);
    let begun = DEADLINE - HURRY;
    let hurry = match (begun..DEADLINE).contains(&now) {
        true => 2.0 * IN_HURRY / seconds(HURRY) * seconds(now - begun) / seconds(HURRY),
        false => 0.0,
    };
    submissions as f64 * (all_day + hurry)
}

/// The time of the next submission. Candidates are drawn at the highest rate, and surplus ones are
/// dropped.
pub(crate) fn next_arrival(submissions: u64, luck: &mut Luck, mut now: Time) -> Time {
    let highest = rate(submissions, DEADLINE - 1);
    loop {
        now += luck.until_next(highest);
        if luck.part() * highest < rate(submissions, now) {
            return now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_its_submissions_with_a_peak_at_the_deadline() {
        let (mut luck, mut now, mut all, mut late) = (Luck::new(3), 0, 0_u32, 0_u32);
        loop {
            now = next_arrival(20_000, &mut luck, now);
            if now >= DAY {
                break;
            }
            all += 1;
            late += u32::from((DEADLINE - HURRY..DEADLINE).contains(&now));
        }
        assert!((19_500..20_500).contains(&all), "{all}");
        // Two fifths, and a twelfth of the rest.
        assert!((8_700..9_300).contains(&late), "{late}");
    }
}
