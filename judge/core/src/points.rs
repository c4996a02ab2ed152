//! Points of a testcase, a submission or a course: exact decimals of up to three places.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};
use std::str::FromStr;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Thousandths in a whole point.
const WHOLE: u64 = 1000;

/// The largest accepted number of whole points. Sums over a whole report fit the type, and every
/// value has an exact 64-bit float, the form in JSON and TOML.
const MOST: u64 = 1_000_000_000_000;

/// Points, zero or more, in thousandths: no float decides a mark. In files a whole number of points
/// is an integer, any other number a decimal fraction.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(u64);

/// An error of converting a text or number to points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotPoints {
    /// Negative.
    #[error("points are never negative")]
    Negative,
    /// More than three decimals.
    #[error("points have at most three decimals")]
    TooFine,
    /// Above the maximum.
    #[error("points are at most {MOST}")]
    TooMany,
    /// Not a number.
    #[error("not a number of points")]
    NoNumber,
}

impl Points {
    /// Zero points.
    pub const ZERO: Points = Points(0);

    /// A whole number of points.
    pub const fn whole(number: u32) -> Points {
        Points(number as u64 * WHOLE)
    }

    /// Points from thousandths.
    pub const fn from_thousandths(number: u64) -> Points {
        Points(number)
    }

    /// The points in thousandths.
    pub const fn thousandths(self) -> u64 {
        self.0
    }

    /// Whole points, rounded down, for formats that accept only integers.
    pub const fn rounded_down(self) -> u64 {
        self.0 / WHOLE
    }

    /// True if it has no fraction.
    pub const fn is_whole(self) -> bool {
        self.0.is_multiple_of(WHOLE)
    }

    /// True for zero points.
    pub const fn is_zero(&self) -> bool {
        self.0 == 0
    }

    /// The sum, or the largest value on overflow.
    pub const fn saturating_add(self, other: Points) -> Points {
        Points(self.0.saturating_add(other.0))
    }

    /// The difference to `other`; zero if `other` is larger.
    pub const fn saturating_sub(self, other: Points) -> Points {
        Points(self.0.saturating_sub(other.0))
    }

    /// The product with a factor; none if it has more than three decimals or is too large.
    pub fn times(self, factor: Points) -> Option<Points> {
        let product = self.0.checked_mul(factor.0)?;
        product.is_multiple_of(WHOLE).then_some(Points(product / WHOLE))
    }

    /// The signed change from `before`: `+2.5`.
    pub fn change_from(self, before: Points) -> String {
        match before.0.checked_sub(self.0) {
            Some(less) if less > 0 => format!("-{}", Points(less)),
            _ => format!("+{}", self.saturating_sub(before)),
        }
    }

    /// The nearest float, which represents the points only in files, and converts back to the same
    /// points.
    pub fn to_f64(self) -> f64 {
        self.to_string().parse().expect("digits and a point are a number")
    }

    fn from_f64(number: f64) -> Result<Points, NotPoints> {
        // For so few digits, the shortest text of a float is the decimal in the file.
        number.to_string().parse()
    }
}

impl From<u32> for Points {
    fn from(number: u32) -> Points {
        Points::whole(number)
    }
}

impl Add for Points {
    type Output = Points;

    fn add(self, other: Points) -> Points {
        self.saturating_add(other)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Points) {
        *self = *self + other;
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(all: I) -> Points {
        all.fold(Points::ZERO, Points::saturating_add)
    }
}

/// `20`, `2.5`, `0.125`.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.0 / WHOLE;
        if self.is_whole() {
            return f.pad(&whole.to_string());
        }
        let fraction = format!("{:03}", self.0 % WHOLE);
        f.pad(&format!("{whole}.{}", fraction.trim_end_matches('0')))
    }
}

impl fmt::Debug for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Points {
    type Err = NotPoints;

    fn from_str(text: &str) -> Result<Points, NotPoints> {
        if let Some(rest) = text.strip_prefix('-') {
            let is_number = rest.starts_with(|c: char| c.is_ascii_digit());
            return Err(if is_number { NotPoints::Negative } else { NotPoints::NoNumber });
        }
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(fraction) {
            return Err(NotPoints::NoNumber);
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > 3 {
            return Err(NotPoints::TooFine);
        }
        let whole: u64 = whole.parse().map_err(|_| NotPoints::TooMany)?;
        let fraction: u64 = format!("{fraction:0<3}").parse().map_err(|_| NotPoints::NoNumber)?;
        match whole {
            0..MOST => Ok(Points(whole * WHOLE + fraction)),
            MOST if fraction == 0 => Ok(Points(MOST * WHOLE)),
            _ => Err(NotPoints::TooMany),
        }
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.is_whole() {
            true => serializer.serialize_u64(self.0 / WHOLE),
            false => serializer.serialize_f64(self.to_f64()),
        }
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Points, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Reads points from a number.
struct Reader;

impl Visitor<'_> for Reader {
    type Value = Points;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("points: a number from 0 up with at most three decimals")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Points, E> {
        number
            .to_string()
            .parse()
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Points, E> {
        number.to_string().parse().map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Points, E> {
        Points::from_f64(number).map_err(|_| E::invalid_value(Unexpected::Float(number), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_read_back() {
        for text in ["0", "20", "2.5", "0.125", "0.001", "33.333", "999999999999.999"] {
            let points: Points = text.parse().expect("points");
            assert_eq!(points.to_string(), text);
            let json = serde_json::to_string(&points).expect("JSON");
            assert_eq!(json, text, "an integer where it is whole");
            assert_eq!(serde_json::from_str::<Points>(&json).expect("points"), points);
            let value = serde_json::to_value(points).expect("JSON");
            assert_eq!(serde_json::from_value::<Points>(value).expect("points"), points);
        }
        assert_eq!("2.500".parse(), Ok(Points::from_thousandths(2500)));
        assert_eq!(serde_json::from_str::<Points>("2.0").expect("two"), Points::whole(2));
    }

    #[test]
    fn every_thousandth_of_a_point_survives_a_float() {
        for base in [0, 1000, 99_999_000, 8_388_608_000, MOST * WHOLE - 1000] {
            for thousandths in 0..1000 {
                let points = Points(base + thousandths);
                assert_eq!(Points::from_f64(points.to_f64()), Ok(points));
            }
        }
    }

    #[test]
    fn an_invalid_number_of_points_is_refused_with_the_reason() {
        for (text, why) in [
            ("-1", NotPoints::Negative),
            ("-0.5", NotPoints::Negative),
            ("1.2345", NotPoints::TooFine),
            ("1000000000000.001", NotPoints::TooMany),
            ("99999999999999999999", NotPoints::TooMany),
            ("", NotPoints::NoNumber),
            (".5", NotPoints::NoNumber),
            ("5.", NotPoints::NoNumber),
            ("1e3", NotPoints::NoNumber),
            ("-inf", NotPoints::NoNumber),
            ("NaN", NotPoints::NoNumber),
        ] {
            assert_eq!(text.parse::<Points>(), Err(why), "{text}");
        }
        for json in ["-1", "1.2345", "1e300", "\"5\"", "null"] {
            assert!(serde_json::from_str::<Points>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn sums_products_and_changes_are_exact() {
        let points = |text: &str| text.parse::<Points>().expect("points");
        let tenths: Points = (0..10).map(|_| points("0.1")).sum();
        assert_eq!(tenths, Points::whole(1));
        assert_eq!(points("2.5").times(points("1.5")), Some(points("3.75")));
        assert_eq!(points("2.5").times(points("0.333")), None, "0.8325");
        assert_eq!(points("3.5").change_from(points("5")), "-1.5");
        assert_eq!(points("5").change_from(points("3.5")), "+1.5");
        assert_eq!(points("3.999").rounded_down(), 3);
    }
}
