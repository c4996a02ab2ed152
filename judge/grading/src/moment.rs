//! Moments as people and learning platforms write them. No character of a text is ignored.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;
use serde::{Deserialize, Serialize};

/// A date with its optional parts: `2026-11-23 08:30 +01:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenMoment {
    /// The date.
    pub date: Date,
    /// The time of day.
    pub time: Option<Time>,
    /// The offset from UTC; never without a time.
    pub offset: Option<Offset>,
}

impl WrittenMoment {
    /// Parses a date, after which a time may follow after one space or a `T`, and then an offset
    /// with or without one space.
    pub fn parse(text: &str) -> Option<WrittenMoment> {
        let (date, rest) = text.split_at_checked("2026-11-23".len())?;
        let date = has_form(date, "dddd-dd-dd").then(|| date.parse().ok())??;
        if rest.is_empty() {
            return Some(WrittenMoment { date, time: None, offset: None });
        }
        let rest = rest.strip_prefix(['T', 't', ' '])?;
        let end = rest.find(|letter: char| !(letter.is_ascii_digit() || ":.".contains(letter)));
        let (time, offset) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        let offset = match offset.strip_prefix(' ').unwrap_or(offset) {
            "" => None,
            offset => Some(read_offset(offset)?),
        };
        Some(WrittenMoment { date, time: Some(read_time(time)?), offset })
    }

    /// Milliseconds since the beginning of 1970; none without a time or an offset.
    fn millis(self) -> Option<i64> {
        let moment = self.offset?.to_timestamp(self.date.to_datetime(self.time?));
        Some(moment.ok()?.as_millisecond())
    }
}

/// A time of day. A leap second is refused, because no clock here has one.
fn read_time(text: &str) -> Option<Time> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let forms = if whole.len() == text.len() { ["dd:dd", "dd:dd:dd"] } else { ["dd:dd:dd"; 2] };
    let is_fraction =
        (1..=9).contains(&fraction.len()) && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let fits = forms.iter().any(|form| has_form(whole, form)) && whole.get(6..8) != Some("60");
    (fits && is_fraction).then(|| text.parse().ok())?
}

/// `Z`, `UTC`, `+08:00`, `+0800` or `+08`, or the same with a minus.
fn read_offset(text: &str) -> Option<Offset> {
    if text.eq_ignore_ascii_case("z") || text == "UTC" {
        return Some(Offset::UTC);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = text.get(1..)?;
    if !["dd", "dddd", "dd:dd"].iter().any(|form| has_form(digits, form)) {
        return None;
    }
    let hours: i32 = digits.get(..2)?.parse().ok()?;
    let minutes: i32 = digits.get(2..)?.trim_start_matches(':').parse().unwrap_or(0);
    let fits = hours < 24 && minutes < 60;
    fits.then(|| Offset::from_seconds(sign * (hours * 60 + minutes) * 60).ok())?
}

/// True if a text matches a form: a digit for each `d`, and all other characters literally.
fn has_form(text: &str, form: &str) -> bool {
    let fits =
        |(one, form): (u8, u8)| if form == b'd' { one.is_ascii_digit() } else { one == form };
    text.len() == form.len() && std::iter::zip(text.bytes(), form.bytes()).all(fits)
}

/// A due date: a moment, and the offset in which it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DueDate {
    /// Milliseconds since the beginning of 1970, UTC.
    pub millis: i64,
    /// Seconds by which local time is ahead of UTC.
    offset: i32,
}

/// The reason why a text is not a due date or the time of a submission.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAMoment {
    /// A date without a time of day.
    #[error("`{0}` has no time of day")]
    NoTime(String),
    /// A date and time without an offset from UTC.
    #[error("`{0}` has no offset from UTC")]
    NoOffset(String),
    /// Any other text.
    #[error("`{0}` is not a date with time and offset")]
    Other(String),
}

impl NotAMoment {
    /// The form of a moment, for the reader of an error.
    pub const HINT: &str = "write a date with time and offset, such as `2026-11-23 23:59 +01:00`";
}

impl FromStr for DueDate {
    type Err = NotAMoment;

    fn from_str(text: &str) -> Result<DueDate, NotAMoment> {
        let text = text.trim();
        let other = || NotAMoment::Other(text.to_owned());
        let written = WrittenMoment::parse(text).ok_or_else(other)?;
        match written {
            WrittenMoment { time: None, .. } => Err(NotAMoment::NoTime(text.to_owned())),
            WrittenMoment { offset: None, .. } => Err(NotAMoment::NoOffset(text.to_owned())),
            WrittenMoment { offset: Some(offset), .. } => {
                let millis = written.millis().ok_or_else(other)?;
                Ok(DueDate { millis, offset: offset.seconds() })
            }
        }
    }
}

/// Writes the local time to the minute, or with seconds and milliseconds if it has any:
/// `2026-11-23 23:59 +01:00`.
impl fmt::Display for DueDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match (self.millis % 1000, self.millis % 60_000) {
            (_, 0) => "%Y-%m-%d %H:%M %:z",
            (0, _) => "%Y-%m-%d %H:%M:%S %:z",
            _ => "%Y-%m-%d %H:%M:%S.%3f %:z",
        };
        let moment = jiff::Timestamp::from_millisecond(self.millis);
        match (moment, Offset::from_seconds(self.offset)) {
            (Ok(moment), Ok(offset)) => {
                write!(f, "{}", moment.to_zoned(offset.to_time_zone()).strftime(form))
            }
            _ => write!(f, "{} ms", self.millis),
        }
    }
}

/// Forms of Moodle's dates in British and American English, with twelve or 24 hours.
const IN_WORDS: [&str; 4] = [
    "%A, %d %B %Y, %I:%M %p",
    "%A, %d %B %Y, %H:%M",
    "%A, %B %d, %Y, %I:%M %p",
    "%A, %B %d, %Y, %H:%M",
];

impl DueDate {
    /// The moment of a submission in a platform's export, in milliseconds since the beginning of
    /// 1970. Moodle writes local time in words without an offset, so the offset of this due date
    /// counts: `Friday, 24 October 2025, 11:58 PM`. For a student with an extension, call this on
    /// the extended date, which may have another offset.
    ///
    /// # Errors
    /// If the text has another form, or a date in figures has no time or offset.
    pub fn submitted(&self, text: &str) -> Result<i64, NotAMoment> {
        let text = text.trim();
        let error = match text.parse::<DueDate>() {
            Ok(moment) => return Ok(moment.millis),
            Err(error) => error,
        };
        let local = IN_WORDS.iter().find_map(|form| DateTime::strptime(form, text).ok());
        let moment = local
            .and_then(|local| Offset::from_seconds(self.offset).ok()?.to_timestamp(local).ok());
        moment.map(jiff::Timestamp::as_millisecond).ok_or(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_due_date_is_shown_as_it_was_written() {
        for (text, shown, millis) in [
            ("2026-11-23 23:59 +01:00", "2026-11-23 23:59 +01:00", 1_795_474_740_000),
            ("2026-11-23T23:59:30-05:30", "2026-11-23 23:59:30 -05:30", 1_795_498_170_000),
            (" 2026-11-23t22:59z ", "2026-11-23 22:59 +00:00", 1_795_474_740_000),
            ("2026-11-23 22:59:00 UTC", "2026-11-23 22:59 +00:00", 1_795_474_740_000),
            ("1969-12-31 23:59:59.999 Z", "1969-12-31 23:59:59.999 +00:00", -1),
        ] {
            let due: DueDate = text.parse().expect(text);
            assert_eq!((due.to_string().as_str(), due.millis), (shown, millis), "{text}");
            assert_eq!(shown.parse(), Ok(due), "{shown}");
        }
    }

    #[test]
    fn texts_without_time_or_offset_are_refused_by_name() {
        let error = |text: &str| text.parse::<DueDate>().expect_err(text).to_string();
        assert_eq!(error("2026-11-23"), "`2026-11-23` has no time of day");
        assert_eq!(error("2026-11-23 23:59"), "`2026-11-23 23:59` has no offset from UTC");
        for text in [
            "",
            "12 November",
            "2026-13-23 23:59 +01:00",
            "2026-11-23 24:00 +01:00",
            "2026-11-23 23:59:60Z",
            "2026-11-23 23:59.5Z",
            "2026-11-23 23:59:07.Z",
            "2026-11-23 23:59 CET",
            "2026-11-23 23:59 +1",
            "2026-11-23 23:59 +01:00[Europe/Berlin]",
            "23.11.2026 23:59 +01:00",
            "2026-11-2323:59 +01:00",
            "2026-11-23  23:59 +01:00",
            "2026-11-23T 23:59 +01:00",
            "2026-11-23TT23:59 +01:00",
            "2026-11-23\t23:59 +01:00",
            "2026-11-23 23:59  +01:00",
            "2026-11-23T",
        ] {
            assert!(error(text).ends_with("is not a date with time and offset"), "{text}");
        }
    }

    #[test]
    fn times_of_platforms_are_read_in_the_offset_of_the_due_date() {
        let due: DueDate = "2026-11-23 23:59 +01:00".parse().expect("a date");
        let late = |text: &str| due.submitted(text).map(|at| at - due.millis);
        for (text, after) in [
            // Gradescope, GitHub and two languages of Moodle.
            ("2026-11-23 14:59:00.999999999 -08:00", 999),
            ("2026-11-23 22:59:00.000000000 Z", 0),
            ("2026-11-23 23:00:00 UTC", 60_000),
            ("Monday, 23 November 2026, 11:59 PM", 0),
            ("Tuesday, 24 November 2026, 1:05 AM", 66 * 60_000),
            ("Tuesday, 24 November 2026, 12:05 AM", 6 * 60_000),
            ("Tuesday, 24 November 2026, 00:05", 6 * 60_000),
            ("Monday, November 23, 2026, 9:00 PM", -179 * 60_000),
        ] {
            assert_eq!(late(text), Ok(after), "{text}");
        }
        for text in [
            "Montag, 23. November 2026, 23:59",
            "Monday, 24 November 2026, 11:59 PM",
            "2026-11-23 23:59",
            "-",
        ] {
            assert!(late(text).is_err(), "{text}");
        }
    }
}
