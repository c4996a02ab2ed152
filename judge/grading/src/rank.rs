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
    #[serde(default)]
    min_points: u32,
    curve: Spanned<Vec<(u32, u32)>>,
}

impl RankCurve {
    /// Checks what the file says.
    pub(crate) fn check(
        source: &Source<'_>,
        raw: &RawCurve,
    ) -> Result<RankCurve, Box<SourceError>> {
        let corners = raw.curve.get_ref();
        let rising = corners.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
        let ends = corners.first().map(|first| first.0) == Some(0)
            && corners.last().map(|last| last.0) == Some(100);
        let small = corners.len() <= MAX_CORNERS && corners.iter().all(|(_, p)| *p <= MAX_POINTS);
        if rising && ends && small {
            return Ok(RankCurve { min_points: raw.min_points, corners: corners.clone() });
        }
        let message = "a curve goes from 0 to 100 percent beaten and never falls".to_owned();
        let help = "for example `curve = [[0, 0], [50, 70], [100, 100]]`: who beats half of the \
                    field gets 70 points, who beats all of it 100";
        Err(source.about(&raw.curve, message, Some(help.to_owned())))
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
        for curve in
            ["[]", "[[0, 0]]", "[[1, 0], [100, 1]]", "[[0, 5], [100, 1]]", "[[0,0],[0,1],[100,2]]"]
        {
            let error = parse(&format!("curve = {curve}")).expect_err("no curve");
            assert!(error.to_string().contains("never falls"), "{curve}: {error}");
        }
    }
}
