//! Moments and the days of a time zone.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::tz::TimeZone;
use judge_grading::WrittenMoment;

use crate::basics::error::Error;

/// A day. Processor time that a person used earlier does not count against them.
pub(crate) const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Most days by which dates can be moved, forwards or backwards.
pub(crate) const MOST_DAYS: i64 = 3660;

/// A moment, in milliseconds since the beginning of 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment `millis` milliseconds after the beginning of 1970.
    pub const fn from_millis(millis: i64) -> Timestamp {
        Timestamp(millis)
    }

    /// The milliseconds since the beginning of 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// The current moment by the system's clock. This crate never calls it.
    pub fn now() -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// The moment `time` later.
    #[must_use]
    pub fn after(self, time: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(millis(time)))
    }

    /// The moment `time` earlier.
    #[must_use]
    pub fn before(self, time: Duration) -> Timestamp {
        Timestamp(self.0.saturating_sub(millis(time)))
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// Writes RFC 3339 in UTC, to the second.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_second(self.0.div_euclid(1000)) {
            Ok(time) => write!(f, "{time}"),
            Err(_) => write!(f, "{} ms", self.0),
        }
    }
}

/// A time zone, which decides when a day begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone(TimeZone);

impl Zone {
    /// The zone with that IANA name, such as `Asia/Shanghai`.
    ///
    /// # Errors
    /// When the zone is unknown.
    pub fn new(name: &str) -> Result<Zone, Error> {
        let zone = TimeZone::get(name);
        zone.map(Zone).map_err(|_| Error::TimeZone { name: name.to_owned() })
    }

    /// Beginning and end of the day that contains a moment: 23 to 25 hours.
    pub fn day(&self, at: Timestamp) -> [Timestamp; 2] {
        let day = || {
            let at = jiff::Timestamp::from_millisecond(at.0)?.to_zoned(self.0.clone());
            let begin = at.start_of_day()?;
            let end = begin.tomorrow()?.start_of_day()?;
            let millis = |time: jiff::Zoned| Timestamp(time.timestamp().as_millisecond());
            Ok::<_, jiff::Error>([millis(begin), millis(end)])
        };
        // Only moments some thousand years away have no day.
        day().unwrap_or([at, at])
    }

    /// The moment with the same local time that many days later, or earlier for a negative number.
    /// A local time that clocks skip on that day becomes the later one; one that they repeat, the
    /// earlier.
    ///
    /// # Errors
    /// When that is more than ten years away.
    pub fn shifted(&self, at: Timestamp, days: i64) -> Result<Timestamp, Error> {
        let shift = || {
            let span = jiff::Span::new().try_days(days).ok()?;
            let local = jiff::Timestamp::from_millisecond(at.0).ok()?.to_zoned(self.0.clone());
            Some(Timestamp(local.checked_add(span).ok()?.timestamp().as_millisecond()))
        };
        let moment = match days {
            // A repeated local time stays the one that it is.
            0 => Some(at),
            _ => shift().filter(|_| (-MOST_DAYS..=MOST_DAYS).contains(&days)),
        };
        moment.ok_or(Error::Shift { days })
    }

    /// The days from the date of a moment to another date, such as `2027-03-08`.
    ///
    /// # Errors
    /// When the text has another form.
    pub fn days_until(&self, at: Timestamp, date: &str) -> Result<i64, Error> {
        let wrong = || Error::Date { text: date.to_owned() };
        let to = WrittenMoment::parse(date.trim()).filter(|written| written.time.is_none());
        let to = to.ok_or_else(wrong)?.date;
        let from = jiff::Timestamp::from_millisecond(at.0).map_err(|_| wrong())?;
        let span = from.to_zoned(self.0.clone()).date().until(to).map_err(|_| wrong())?;
        Ok(i64::from(span.get_days()))
    }

    /// A moment in local time, to the minute: `2026-11-23 08:30`.
    pub fn local(&self, at: Timestamp) -> String {
        self.written(at, "%Y-%m-%d %H:%M")
    }

    /// A moment in local time without loss: [`Zone::moment`] parses the same moment from it.
    /// Seconds are written only if they are not zero, and an offset only if the local time is
    /// ambiguous.
    pub fn exact(&self, at: Timestamp) -> String {
        let form = match (at.0.rem_euclid(1000), at.0.rem_euclid(60_000)) {
            (_, 0) => "%Y-%m-%d %H:%M",
            (0, _) => "%Y-%m-%d %H:%M:%S",
            _ => "%Y-%m-%d %H:%M:%S.%3f",
        };
        let text = self.written(at, form);
        match self.moment(&text) {
            Ok(same) if same == at => text,
            _ => self.written(at, &format!("{form}%:z")),
        }
    }

    fn written(&self, at: Timestamp, form: &str) -> String {
        match jiff::Timestamp::from_millisecond(at.0) {
            Ok(time) => time.to_zoned(self.0.clone()).strftime(form).to_string(),
            Err(_) => at.to_string(),
        }
    }

    /// Parses a moment: `2026-11-23 08:30` in local time, or with a `T`. An ambiguous local time is
    /// the earlier moment. Seconds may follow, and an offset (`+08:00`, `Z`), which then replaces
    /// the zone. A date without a time is the beginning of that day.
    ///
    /// # Errors
    /// When the text has another form.
    pub fn moment(&self, text: &str) -> Result<Timestamp, Error> {
        self.read(text, jiff::civil::Time::midnight())
    }

    /// Parses a moment like [`Zone::moment`], except that a date without a time is the last second
    /// of that day.
    ///
    /// # Errors
    /// When the text has another form.
    pub fn last_moment(&self, text: &str) -> Result<Timestamp, Error> {
        self.read(text, jiff::civil::time(23, 59, 59, 0))
    }

    fn read(&self, text: &str, usual: jiff::civil::Time) -> Result<Timestamp, Error> {
        let read = || {
            let WrittenMoment { date, time, offset } = WrittenMoment::parse(text.trim())?;
            let local = date.to_datetime(time.unwrap_or(usual));
            match offset {
                Some(offset) => offset.to_timestamp(local).ok(),
                None => Some(local.to_zoned(self.0.clone()).ok()?.timestamp()),
            }
        };
        let moment = read().ok_or_else(|| Error::Time { text: text.to_owned() })?;
        Ok(Timestamp(moment.as_millisecond()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;

    #[test]
    fn days_begin_in_the_zone_and_are_longer_or_shorter_when_clocks_change() {
        let hours = |zone: &str, at: &str| {
            let zone = Zone::new(zone).expect("a zone");
            let [begin, end] = zone.day(zone.moment(at).expect("a moment"));
            (zone.local(begin), (end.millis() - begin.millis()) / HOUR)
        };
        let day = |text: &str, hours| (format!("{text} 00:00"), hours);
        assert_eq!(hours("Asia/Shanghai", "2026-11-23 23:59"), day("2026-11-23", 24));
        assert_eq!(hours("Europe/Berlin", "2026-03-29 12:00"), day("2026-03-29", 23));
        assert_eq!(hours("Europe/Berlin", "2026-10-25 12:00"), day("2026-10-25", 25));
        let shanghai = Zone::new("Asia/Shanghai").expect("a zone");
        let time = shanghai.moment("2026-11-23T08:30").expect("a moment");
        assert_eq!(time.to_string(), "2026-11-23T00:30:00Z");
    }

    #[test]
    fn a_date_is_a_whole_day_and_an_offset_counts() {
        let zone = Zone::new("Europe/Berlin").expect("a zone");
        let utc = |text: &str| zone.last_moment(text).expect(text).to_string();
        assert_eq!(utc("2026-12-24"), "2026-12-24T22:59:59Z");
        assert_eq!(zone.moment(" 2026-12-24 ").expect("a day").to_string(), "2026-12-23T23:00:00Z");
        for (text, moment) in [
            ("2026-12-24 23:59", "2026-12-24T22:59:00Z"),
            ("2026-12-24T23:59:07", "2026-12-24T22:59:07Z"),
            ("2026-12-24 23:59+08:00", "2026-12-24T15:59:00Z"),
            ("2026-12-24 23:59 -0530", "2026-12-25T05:29:00Z"),
            ("2026-12-24 23:59:01+08", "2026-12-24T15:59:01Z"),
            ("2026-12-24t23:59z", "2026-12-24T23:59:00Z"),
        ] {
            assert_eq!(utc(text), moment, "{text}");
        }
    }

    #[test]
    fn a_date_with_unknown_parts_is_refused() {
        let zone = Zone::new("Europe/Berlin").expect("a zone");
        for text in [
            "",
            "20261224",
            "2026-12-24T",
            "2026-12-24Z",
            "2026-12-24+08:00",
            "2026-13-24",
            "2026-12-24 24:00",
            "2026-12-24 23:60",
            "2026-12-24 23:59:60",
            "2026-12-24 23",
            "2026-12-24 23:59 CET",
            "2026-12-24 23:59 (Asia/Shanghai)",
            "2026-12-24 23:59[Asia/Shanghai]",
            "2026-12-24 23:59+08:00[Asia/Shanghai]",
            "2026-12-24 23:59+25:00",
            "2026-12-24 23:59+8",
            "2026-12-24 11:59 PM",
            "24.12.2026",
            "２０２６-12-24",
        ] {
            assert!(zone.moment(text).is_err(), "{text}");
            assert!(zone.last_moment(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_shifted_moment_has_the_same_local_time() {
        let zone = Zone::new("Europe/Berlin").expect("a zone");
        let shifted = |text: &str, days| {
            let at = zone.moment(text).expect("a moment");
            zone.exact(zone.shifted(at, days).expect("a moment"))
        };
        assert_eq!(shifted("2026-03-20 23:59", 14), "2026-04-03 23:59", "summer time begins");
        assert_eq!(shifted("2026-10-20 23:59:59", 14), "2026-11-03 23:59:59", "and ends");
        assert_eq!(shifted("2026-11-03 00:00", -14), "2026-10-20 00:00");
        assert_eq!(shifted("2026-03-22 02:30", 7), "2026-03-29 03:30", "skipped");
        assert_eq!(shifted("2026-10-18 02:30", 7), "2026-10-25 02:30", "repeated: the earlier");
        assert_eq!(shifted("2026-10-25 02:30+01:00", 0), "2026-10-25 02:30+01:00");
        let at = zone.moment("2026-03-20").expect("a moment");
        for days in [MOST_DAYS + 1, -MOST_DAYS - 1, i64::MIN, i64::MAX] {
            assert!(matches!(zone.shifted(at, days), Err(Error::Shift { .. })), "{days}");
        }
    }

    #[test]
    fn days_until_a_date_are_counted_by_local_dates() {
        let zone = Zone::new("Asia/Shanghai").expect("a zone");
        let at = zone.moment("2026-11-23 00:30").expect("a moment");
        for (date, days) in [("2026-11-23", 0), ("2027-03-08", 105), (" 2026-11-22 ", -1)] {
            assert_eq!(zone.days_until(at, date).expect(date), days, "{date}");
        }
        for date in ["", "soon", "2027-02-30", "2027-03-08 23:59", "8.3.2027"] {
            assert!(zone.days_until(at, date).is_err(), "{date}");
        }
    }

    #[test]
    fn a_written_moment_reads_back() {
        let zone = Zone::new("Europe/Berlin").expect("a zone");
        // Around the ambiguous hour, and the one that is skipped.
        for begin in [1_792_886_400_000_i64, 1_774_742_400_000, -3_600_000] {
            for step in 0..40 {
                for more in [0, 7, 1000, 59_000, 59_999] {
                    let at = Timestamp(begin + step * 600_000 + more);
                    let text = zone.exact(at);
                    assert_eq!(zone.moment(&text).expect("a moment"), at, "{text}");
                }
            }
        }
        let at = |text: &str| zone.exact(zone.last_moment(text).expect("a moment"));
        assert_eq!(at("2026-12-24"), "2026-12-24 23:59:59");
        assert_eq!(at("2026-12-24 23:59"), "2026-12-24 23:59");
        assert_eq!(at("2026-10-25 02:30+01:00"), "2026-10-25 02:30+01:00");
    }

    #[test]
    fn an_invalid_zone_or_time_is_named() {
        let error = Zone::new("Mars/Olympus").expect_err("no zone").to_string();
        assert!(error.contains("`Mars/Olympus`"), "{error}");
        let utc = Zone::new("UTC").expect("a zone");
        assert!(utc.moment("tomorrow").expect_err("no time").to_string().contains("`tomorrow`"));
    }
}
