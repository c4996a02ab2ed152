//! Moments in the local time of a course.

use judge_store::{Course, Suite, Timestamp, Zone};

use crate::words::Words;

/// The time zone of a course, for the clock on its pages.
pub(super) struct CourseClock(Option<Zone>, String);

impl CourseClock {
    pub(super) fn from_course(course: &Course) -> CourseClock {
        CourseClock(course.zone().ok(), course.time_zone.clone())
    }

    /// `2026-11-23 08:30`, by the course's clock.
    pub(super) fn local(&self, at: Timestamp) -> String {
        self.0.as_ref().map_or_else(|| at.to_string(), |zone| zone.local(at))
    }

    /// The local time with seconds, if they are not zero, and the zone's name, for deadlines.
    pub(super) fn exact(&self, at: Timestamp) -> String {
        match &self.0 {
            Some(zone) => format!("{} ({})", zone.exact(at), self.1),
            None => at.to_string(),
        }
    }

    /// The text of a form's field, from which the same moment can be parsed; empty without a
    /// moment.
    pub(super) fn field(&self, at: Option<Timestamp>) -> String {
        let text =
            |at: Timestamp| self.0.as_ref().map_or_else(|| at.to_string(), |zone| zone.exact(at));
        at.map(text).unwrap_or_default()
    }

    /// Parses a field for a beginning: a date is the beginning of its day. None for an empty text.
    pub(super) fn begin(&self, text: &str) -> Result<Option<Timestamp>, judge_store::Error> {
        self.read(text, Zone::moment)
    }

    /// Parses a field for an end: a date is the last second of its day. None for an empty text.
    pub(super) fn end(&self, text: &str) -> Result<Option<Timestamp>, judge_store::Error> {
        self.read(text, Zone::last_moment)
    }

    fn read(
        &self,
        text: &str,
        read: fn(&Zone, &str) -> Result<Timestamp, judge_store::Error>,
    ) -> Result<Option<Timestamp>, judge_store::Error> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        let utc = || Zone::new("UTC");
        let zone = self.0.clone().map_or_else(utc, Ok)?;
        read(&zone, text).map(Some)
    }

    /// `Due 2026-11-23 08:30 (Asia/Shanghai)`, or a text for a missing or past due date.
    pub(super) fn due(&self, words: &Words, due: Option<Timestamp>, now: Timestamp) -> String {
        match due {
            None => words.t("suite.no_due").to_owned(),
            Some(due) if due < now => words.t1("suite.was_due", self.exact(due)),
            Some(due) => words.t1("suite.due", self.exact(due)),
        }
    }

    /// When it opens, if that is in the future.
    pub(super) fn opens(&self, words: &Words, suite: &Suite, now: Timestamp) -> Option<String> {
        let opens = suite.settings.opens_at.filter(|opens| *opens > now)?;
        Some(words.t1("suite.opens", self.exact(opens)))
    }
}
