//! Moments and the days of a time zone.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jiff::tz::TimeZone;

use crate::basics::error::Error;

/// A moment, in milliseconds since the beginning of 1970, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment so many milliseconds after the beginning of 1970.
    pub const fn from_millis(millis: i64) -> Timestamp {
        Timestamp(millis)
    }

    /// The milliseconds since the beginning of 1970.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// The moment on the system's clock. Nothing in this crate asks for it.
    pub fn now() -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// The moment that much later.
    #[must_use]
    pub fn after(self, time: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(millis(time)))
    }

    /// The moment that much earlier.
    #[must_use]
    pub fn before(self, time: Duration) -> Timestamp {
        Timestamp(self.0.saturating_sub(millis(time)))
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// RFC 3339 in UTC, to the second.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_second(self.0.div_euclid(1000)) {
            Ok(time) => write!(f, "{time}"),
            Err(_) => write!(f, "{} ms", self.0),
        }
    }
}

/// A time zone, which says when a day begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone(TimeZone);

impl Zone {
    /// The zone with that name of the IANA's: `Asia/Shanghai`.
    ///
    /// # Errors
    /// When there is none.
    pub fn new(name: &str) -> Result<Zone, Error> {
        let zone = TimeZone::get(name);
        zone.map(Zone).map_err(|_| Error::TimeZone { name: name.to_owned() })
    }

    /// Begin and end of the day that a moment is in: 23 to 25 hours.
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

    /// A moment as people of the zone read it: `2026-11-23 08:30`.
    pub fn local(&self, at: Timestamp) -> String {
        match jiff::Timestamp::from_millisecond(at.0) {
            Ok(time) => time.to_zoned(self.0.clone()).strftime("%Y-%m-%d %H:%M").to_string(),
            Err(_) => at.to_string(),
        }
    }

    /// The moment that people of the zone write like that, `2026-11-23 08:30` or with a `T`; of a
    /// time that comes twice the first.
    ///
    /// # Errors
    /// When it is not a valid date and time.
    pub fn moment(&self, local: &str) -> Result<Timestamp, Error> {
        let read = || {
            let time: jiff::civil::DateTime = local.trim().replacen(' ', "T", 1).parse().ok()?;
            time.to_zoned(self.0.clone()).ok()
        };
        let zoned = read().ok_or_else(|| Error::Time { text: local.to_owned() })?;
        Ok(Timestamp(zoned.timestamp().as_millisecond()))
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
    fn what_is_no_zone_or_time_is_named() {
        let error = Zone::new("Mars/Olympus").expect_err("no zone").to_string();
        assert!(error.contains("`Mars/Olympus`"), "{error}");
        let utc = Zone::new("UTC").expect("a zone");
        assert!(utc.moment("tomorrow").expect_err("no time").to_string().contains("`tomorrow`"));
    }
}
