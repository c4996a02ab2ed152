//! Points by rank: how much of the class a submission beats, and what that is worth. The curve is
//! data in `suite.toml`; all of it is whole numbers, so that no mark depends on rounding.

use serde::Deserialize;
use toml::Spanned;

use crate::source::{Source, SourceError};

/// Most points of a curve.
const MAX_POINTS: u32 = 100_000;

/// Most corners of a curve.
const MAX_CORNERS: usize = 100;

/// What beating a part of the class is worth: straight lines between corners, rounded down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankCurve {
    /// Points from the testcases that a submission needs to take part; the others get none by rank
    /// and are not counted among the beaten.
    pub min_points: u32,
    /// Percent of the field that is beaten, and points for it; from 0 to 100, rising.
    pub corners: Vec<(u32, u32)>,
}

/// The part of `suite.toml` under `[rank]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCurve {
    min_points: Option<Spanned<i64>>,
    curve: Spanned<Vec<RawCorner>>,
}

/// Percent beaten, and points; whether it is two numbers is for us to say.
type RawCorner = Spanned<Vec<Spanned<i64>>>;

const EXAMPLE: &str = "for example `curve = [[0, 0], [50, 70], [100, 100]]`: who beats half of the \
                       field gets 70 points, who beats all of it 100";

impl RankCurve {
    /// Checks what the file says.
    pub(crate) fn check(
        source: &Source<'_>,
        raw: &RawCurve,
    ) -> Result<RankCurve, Box<SourceError>> {
        let wrong = |message: &str| source.about(&raw.curve, message, Some(EXAMPLE.to_owned()));
        let given = raw.curve.get_ref();
        if given.len() > MAX_CORNERS {
            return Err(wrong(&format!("{} corners: expected at most {MAX_CORNERS}", given.len())));
        }
        let mut corners: Vec<(u32, u32)> = Vec::new();
        for raw in given {
            let next = corner(source, raw)?;
            rises(corners.last().copied(), next)
                .map_err(|message| source.about(raw, message, Some(EXAMPLE.to_owned())))?;
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
        let min_points = min_points.map(|points| within(source, points, "points", MAX_POINTS));
        Ok(RankCurve { min_points: min_points.transpose()?.unwrap_or(0), corners })
    }

    /// Makes sure that somebody can take part: `most` is what all testcases give together.
    pub(crate) fn check_reach(
        source: &Source<'_>,
        raw: &RawCurve,
        most: u32,
    ) -> Result<(), Box<SourceError>> {
        let Some(given) = &raw.min_points else { return Ok(()) };
        if *given.get_ref() <= i64::from(most) {
            return Ok(());
        }
        let message =
            format!("nobody can have {} points: the testcases give {most}", given.get_ref());
        let help = "`min_points` are points of the testcases, and who has fewer gets none by rank";
        Err(source.about(given, message, Some(help.to_owned())))
    }

    /// The most that it can give.
    pub fn max_points(&self) -> u32 {
        self.corners.last().map_or(0, |corner| corner.1)
    }

    /// Points for one of `field` submissions that `below` of the others fall short of and with whom
    /// `equal` of the others are level. Being level counts half. Who is alone has beaten everybody.
    pub fn points(&self, below: u64, equal: u64, field: u64) -> u32 {
        let others = field.saturating_sub(1);
        // Twice the share that is beaten, as a fraction of twice the others.
        let (beaten, whole) = if others == 0 { (1, 1) } else { (2 * below + equal, 2 * others) };
        let percent = |corner: u32| u64::from(corner) * whole;
        let at = self.corners.iter().rposition(|(corner, _)| percent(*corner) <= 100 * beaten);
        let Some(at) = at else { return 0 };
        let (from, base) = self.corners[at];
        let Some((to, top)) = self.corners.get(at + 1) else { return base };
        let along = 100 * beaten - percent(from);
        let gained = u64::from(top - base) * along / percent(to - from);
        base + u32::try_from(gained).unwrap_or(u32::MAX)
    }
}

fn corner(source: &Source<'_>, raw: &RawCorner) -> Result<(u32, u32), Box<SourceError>> {
    let [percent, points] = raw.get_ref().as_slice() else {
        let message = format!(
            "a corner is two numbers, percent beaten and points; here are {}",
            raw.get_ref().len()
        );
        return Err(source.about(raw, message, Some(EXAMPLE.to_owned())));
    };
    Ok((within(source, percent, "percent", 100)?, within(source, points, "points", MAX_POINTS)?))
}

fn within(
    source: &Source<'_>,
    raw: &Spanned<i64>,
    unit: &str,
    most: u32,
) -> Result<u32, Box<SourceError>> {
    let number = u32::try_from(*raw.get_ref()).ok().filter(|number| *number <= most);
    number.ok_or_else(|| {
        let message = format!("`{}` {unit}: expected 0 to {most}", raw.get_ref());
        source.about(raw, message, Some(EXAMPLE.to_owned()))
    })
}

/// Whether a corner can follow the one before it.
fn rises(before: Option<(u32, u32)>, next: (u32, u32)) -> Result<(), String> {
    match before {
        None if next.0 != 0 => {
            Err(format!("the first corner is at {} percent: expected 0", next.0))
        }
        Some(before) if next.0 <= before.0 => {
            Err(format!("{} percent does not come after {}", next.0, before.0))
        }
        Some(before) if next.1 < before.1 => {
            Err(format!("{} points after {}: who beats more must not get less", next.1, before.1))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(corners: &[(u32, u32)]) -> RankCurve {
        RankCurve { min_points: 0, corners: corners.to_vec() }
    }

    #[test]
    fn the_curve_is_followed_between_its_corners() {
        let curve = curve(&[(0, 10), (50, 70), (100, 100)]);
        assert_eq!(curve.points(0, 0, 11), 10, "the last");
        assert_eq!(curve.points(5, 0, 11), 70, "the middle");
        assert_eq!(curve.points(10, 0, 11), 100, "the first");
        assert_eq!(curve.points(1, 0, 11), 22, "a tenth of the field");
        assert_eq!(curve.points(1, 0, 4), 50, "a third: 10 + 60 · 2/3");
        assert_eq!(curve.max_points(), 100);
    }

    #[test]
    fn level_counts_half_and_alone_is_first() {
        let curve = curve(&[(0, 0), (100, 100)]);
        assert_eq!(curve.points(0, 10, 11), 50, "all level");
        assert_eq!(curve.points(9, 1, 11), 95, "two first places");
        assert_eq!(curve.points(0, 0, 1), 100);
    }

    #[test]
    fn curves_that_make_no_sense_are_refused_with_an_example() {
        let parse = |text: &str| {
            let raw: RawCurve = toml::from_str(text).expect("TOML");
            RankCurve::check(&Source { name: "suite.toml", text }, &raw)
        };
        assert!(parse("curve = [[0, 0], [100, 100]]").is_ok());
        let many = format!("[{}]", "[0, 0], ".repeat(101));
        for (curve, expected) in [
            ("[]", "a curve without corners"),
            ("[[0, 0]]", "the last corner is at 0 percent: expected 100"),
            ("[[1, 0], [100, 1]]", "the first corner is at 1 percent: expected 0"),
            ("[[0, 5], [100, 1]]", "1 points after 5: who beats more must not get less"),
            ("[[0, 0], [0, 1], [100, 2]]", "0 percent does not come after 0"),
            ("[[0, 0], [120, 1]]", "`120` percent: expected 0 to 100"),
            ("[[0, -1], [100, 1]]", "`-1` points: expected 0 to 100000"),
            (
                "[[0, 0], [100, 1, 2]]",
                "a corner is two numbers, percent beaten and points; here are 3",
            ),
            (&many, "101 corners: expected at most 100"),
        ] {
            let error = parse(&format!("curve = {curve}")).expect_err("no curve");
            assert_eq!(error.to_string(), expected, "{curve}");
        }
        let error = parse("min_points = -1\ncurve = [[0, 0], [100, 1]]").expect_err("no points");
        assert_eq!(error.to_string(), "`-1` points: expected 0 to 100000");
    }

    #[test]
    fn a_threshold_that_nobody_can_reach_is_noticed() {
        let text = "min_points = 61\ncurve = [[0, 0], [100, 100]]";
        let raw: RawCurve = toml::from_str(text).expect("TOML");
        let source = Source { name: "suite.toml", text };
        assert!(RankCurve::check_reach(&source, &raw, 61).is_ok());
        let error = RankCurve::check_reach(&source, &raw, 60).expect_err("out of reach");
        assert_eq!(error.to_string(), "nobody can have 61 points: the testcases give 60");
    }
}
