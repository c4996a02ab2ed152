//! Points by rank: the share of the class that a submission beats, and its points. The curve is
//! data in `suite.toml`. All computations use integers, so that no mark depends on rounding.

use judge_core::Points;
use serde::Deserialize;
use toml::Spanned;

use crate::corner::{CornerReader, RawCorner};
use crate::source::{Source, SourceError};

/// Most corners of a curve.
const MAX_CORNERS: usize = 100;

/// Points for beating a share of the class: straight lines between corners, rounded down to whole
/// points, or to thousandths if a corner has a fraction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankCurve {
    /// Points from testcases that a submission needs to take part. Others get no rank points and do
    /// not count as beaten.
    pub min_points: Points,
    /// Beaten percentage of the field, and its points; from 0 to 100, rising.
    pub corners: Vec<(u32, Points)>,
}

/// The part of `suite.toml` under `[rank]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCurve {
    min_points: Option<Spanned<toml::Value>>,
    curve: Spanned<Vec<RawCorner>>,
}

const EXAMPLE: &str = "for example `curve = [[0, 0], [50, 70], [100, 100]]`: a student who beats \
                       half of the field gets 70 points, and one who beats all of it 100";

impl RankCurve {
    /// Reads the curve, or reports its first mistake.
    pub(crate) fn from_raw(
        source: &Source<'_>,
        raw: &RawCurve,
    ) -> Result<RankCurve, Box<SourceError>> {
        let reader = reader(source);
        let wrong = |message: &str| reader.mistake(&raw.curve, message);
        let given = raw.curve.get_ref();
        if given.len() > MAX_CORNERS {
            return Err(wrong(&format!("{} corners: expected at most {MAX_CORNERS}", given.len())));
        }
        let mut corners: Vec<(u32, Points)> = Vec::new();
        for raw in given {
            let (percent, points) = reader.corner(raw)?;
            let next = (self::percent(&reader, percent)?, points);
            rises(corners.last().copied(), next).map_err(|message| reader.mistake(raw, message))?;
            corners.push(next);
        }
        match corners.last() {
            None => return Err(wrong("a curve without corners")),
            Some((percent, _)) if *percent != 100 => {
                return Err(wrong(&format!(
                    "the last corner is at {percent} percent: expected 100"
                )));
            }
            Some(_) => {}
        }
        let min_points = raw.min_points.as_ref();
        let min_points = min_points.map(|raw| reader.points(raw));
        Ok(RankCurve { min_points: min_points.transpose()?.unwrap_or_default(), corners })
    }

    /// Checks that the entry score is reachable: `most` is the sum of all testcases' maxima.
    pub(crate) fn check_reach(
        source: &Source<'_>,
        raw: &RawCurve,
        most: Points,
    ) -> Result<(), Box<SourceError>> {
        let Some(given) = &raw.min_points else { return Ok(()) };
        if reader(source).points(given)? <= most {
            return Ok(());
        }
        let message =
            format!("{} points are out of reach: the testcases give {most}", given.get_ref());
        let help = "`min_points` counts points of the testcases; below it, rank gives none";
        Err(source.about(given, message, Some(help.to_owned())))
    }

    /// The maximum points of the curve.
    pub fn max_points(&self) -> Points {
        self.corners.last().map_or(Points::ZERO, |corner| corner.1)
    }

    /// Points for one of `field` submissions, if `below` others have less and `equal` others have
    /// the same. An equal one counts half. A single submission has beaten all others.
    pub fn points(&self, below: u64, equal: u64, field: u64) -> Points {
        let others = field.saturating_sub(1);
        // Twice the number of beaten submissions, over twice the number of others.
        let (beaten, whole) = if others == 0 { (1, 1) } else { (2 * below + equal, 2 * others) };
        let percent = |corner: u32| u64::from(corner) * whole;
        let at = self.corners.iter().rposition(|(corner, _)| percent(*corner) <= 100 * beaten);
        let Some(at) = at else { return Points::ZERO };
        let (from, base) = self.corners[at];
        let Some((to, top)) = self.corners.get(at + 1) else { return base };
        let along = 100 * beaten - percent(from);
        let rise = u128::from(top.saturating_sub(base).thousandths());
        let gained = rise * u128::from(along) / u128::from(percent(to - from));
        let exact = base + Points::from_thousandths(u64::try_from(gained).unwrap_or(u64::MAX));
        // A curve with whole points gives whole points.
        match self.corners.iter().all(|(_, points)| points.is_whole()) {
            true => Points::from_thousandths(exact.rounded_down() * 1000),
            false => exact,
        }
    }
}

fn reader<'a>(source: &'a Source<'a>) -> CornerReader<'a> {
    CornerReader { source, numbers: "percent beaten and points", example: EXAMPLE }
}

fn percent(reader: &CornerReader<'_>, raw: &Spanned<toml::Value>) -> Result<u32, Box<SourceError>> {
    let number = raw.get_ref().as_integer().and_then(|number| u32::try_from(number).ok());
    number.filter(|number| *number <= 100).ok_or_else(|| {
        reader.mistake(raw, format!("`{}` percent: expected 0 to 100", raw.get_ref()))
    })
}

/// Checks that a corner may follow the previous one.
fn rises(before: Option<(u32, Points)>, next: (u32, Points)) -> Result<(), String> {
    match before {
        None if next.0 != 0 => {
            Err(format!("the first corner is at {} percent: expected 0", next.0))
        }
        Some(before) if next.0 <= before.0 => {
            Err(format!("{} percent does not come after {}", next.0, before.0))
        }
        Some(before) if next.1 < before.1 => {
            Err(format!("{} points after {}: points must not decrease", next.1, before.1))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(corners: &[(u32, u32)]) -> RankCurve {
        let corners = corners.iter().map(|(percent, points)| (*percent, Points::whole(*points)));
        RankCurve { min_points: Points::ZERO, corners: corners.collect() }
    }

    /// The points as a whole number.
    fn given(curve: &RankCurve, below: u64, equal: u64, field: u64) -> u64 {
        let points = curve.points(below, equal, field);
        assert!(points.is_whole(), "{points}");
        points.rounded_down()
    }

    #[test]
    fn a_curve_with_a_fraction_gives_thousandths() {
        let mut curve = curve(&[(0, 10), (50, 70), (100, 100)]);
        curve.corners[0].1 = Points::from_thousandths(10_500);
        assert_eq!(curve.points(1, 0, 11).to_string(), "22.4");
        assert_eq!(curve.points(1, 0, 4).to_string(), "50.166");
    }

    #[test]
    fn the_curve_is_followed_between_its_corners() {
        let curve = curve(&[(0, 10), (50, 70), (100, 100)]);
        assert_eq!(given(&curve, 0, 0, 11), 10, "the last");
        assert_eq!(given(&curve, 5, 0, 11), 70, "the middle");
        assert_eq!(given(&curve, 10, 0, 11), 100, "the first");
        assert_eq!(given(&curve, 1, 0, 11), 22, "a tenth of the field");
        assert_eq!(given(&curve, 1, 0, 4), 50, "a third: 10 + 60 · 2/3");
        assert_eq!(curve.max_points(), Points::whole(100));
    }

    #[test]
    fn an_equal_student_counts_half_and_a_single_one_is_first() {
        let curve = curve(&[(0, 0), (100, 100)]);
        assert_eq!(given(&curve, 0, 10, 11), 50, "all level");
        assert_eq!(given(&curve, 9, 1, 11), 95, "two first places");
        assert_eq!(given(&curve, 0, 0, 1), 100);
    }

    #[test]
    fn impossible_curves_are_refused_with_an_example() {
        let parse = |text: &str| {
            let raw: RawCurve = toml::from_str(text).expect("TOML");
            RankCurve::from_raw(&Source { name: "suite.toml", text }, &raw)
        };
        assert!(parse("curve = [[0, 0], [100, 100]]").is_ok());
        let many = format!("[{}]", "[0, 0], ".repeat(101));
        for (curve, expected) in [
            ("[]", "a curve without corners"),
            ("[[0, 0]]", "the last corner is at 0 percent: expected 100"),
            ("[[1, 0], [100, 1]]", "the first corner is at 1 percent: expected 0"),
            ("[[0, 5], [100, 1]]", "1 points after 5: points must not decrease"),
            ("[[0, 0], [0, 1], [100, 2]]", "0 percent does not come after 0"),
            ("[[0, 0], [120, 1]]", "`120` percent: expected 0 to 100"),
            (
                "[[0, -1], [100, 1]]",
                "`-1` points: expected 0 to 100000, with at most three decimals",
            ),
            (
                "[[0, 0], [100, 1, 2]]",
                "a corner is two numbers, percent beaten and points; found 3",
            ),
            (&many, "101 corners: expected at most 100"),
        ] {
            let error = parse(&format!("curve = {curve}")).expect_err("no curve");
            assert_eq!(error.to_string(), expected, "{curve}");
        }
        let error = parse("min_points = -1\ncurve = [[0, 0], [100, 1]]").expect_err("no points");
        assert_eq!(
            error.to_string(),
            "`-1` points: expected 0 to 100000, with at most three decimals"
        );
    }

    #[test]
    fn an_unreachable_threshold_is_reported() {
        let text = "min_points = 61\ncurve = [[0, 0], [100, 100]]";
        let raw: RawCurve = toml::from_str(text).expect("TOML");
        let source = Source { name: "suite.toml", text };
        assert!(RankCurve::check_reach(&source, &raw, 61.into()).is_ok());
        let error = RankCurve::check_reach(&source, &raw, 60.into()).expect_err("out of reach");
        assert_eq!(error.to_string(), "61 points are out of reach: the testcases give 60");
    }
}
