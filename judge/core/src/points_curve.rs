//! Points by score: a curve of straight lines between the testcase's corners.

use serde::{Deserialize, Serialize};

use crate::Points;

/// Most corners of a curve.
const MAX_CORNERS: usize = 100;

/// Largest absolute score of a corner.
const MAX_SCORE: u64 = 1_000_000_000_000;

/// A curve from a testcase's score to points: no points below the first corner, constant points
/// from the last corner on, and a straight line between two corners, rounded down to
/// thousandths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(i64, Points)>", into = "Vec<(i64, Points)>")]
pub struct PointsCurve(Vec<(i64, Points)>);

/// An error in the corners of a curve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PointsCurveError {
    /// Corners are missing.
    #[error("a curve without corners")]
    Empty,
    /// There are too many corners.
    #[error("{0} corners: expected at most {MAX_CORNERS}")]
    TooMany(usize),
    /// A corner that may not follow the previous one.
    #[error("{what}")]
    Corner {
        /// Its position, from 0.
        at: usize,
        /// The reason.
        what: String,
    },
}

impl PointsCurve {
    /// The curve through these corners, each with a score and its points.
    ///
    /// # Errors
    /// When there are no corners or too many, or they do not rise.
    pub fn new(corners: Vec<(i64, Points)>) -> Result<PointsCurve, PointsCurveError> {
        match corners.len() {
            0 => return Err(PointsCurveError::Empty),
            1..=MAX_CORNERS => {}
            many => return Err(PointsCurveError::TooMany(many)),
        }
        for (at, (score, points)) in corners.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &corners[before]);
            let what = match before {
                _ if score.unsigned_abs() > MAX_SCORE => {
                    format!("the score `{score}` is outside the range of every game")
                }
                Some((last, _)) if score <= last => {
                    format!("the score {score} does not come after {last}")
                }
                Some((_, most)) if points < most => {
                    format!("{points} points after {most}: a higher score must not earn less")
                }
                _ => continue,
            };
            return Err(PointsCurveError::Corner { at, what });
        }
        Ok(PointsCurve(corners))
    }

    /// Its corners, each with a score and its points.
    pub fn corners(&self) -> &[(i64, Points)] {
        &self.0
    }

    /// The maximum points, and the lowest score that gives them.
    pub fn full(&self) -> (i64, Points) {
        let most = self.0.last().map_or(Points::ZERO, |(_, points)| *points);
        let full = self.0.iter().copied().find(|(_, points)| *points == most);
        full.unwrap_or_default()
    }

    /// The points for a score.
    pub fn points(&self, score: i64) -> Points {
        match self.around(score) {
            [None, _] => Points::ZERO,
            [Some((_, points)), None] => points,
            [Some((from, base)), Some((to, top))] => {
                // Scores are far below the limits of their type, so neither the products nor their
                // parts overflow.
                let along = i128::from(score) - i128::from(from);
                let rise = i128::from(top.thousandths()) - i128::from(base.thousandths());
                let gained = rise * along / (i128::from(to) - i128::from(from));
                base + Points::from_thousandths(u64::try_from(gained).unwrap_or_default())
            }
        }
    }

    /// The position of a score as text: `412 between 400 and 600`.
    pub fn place(&self, score: i64) -> String {
        match self.around(score) {
            [Some((from, _)), Some((to, _))] => format!("{score} between {from} and {to}"),
            [None, Some((first, _))] => format!("{score} below {first}"),
            [Some((last, _)), _] => format!("{score}; full points from {last}"),
            [None, None] => String::new(),
        }
    }

    /// The curve with all points multiplied; none if any would have more than three decimals.
    pub fn times(&self, factor: Points) -> Option<PointsCurve> {
        let times = |(score, points): &(i64, Points)| Some((*score, points.times(factor)?));
        self.0.iter().map(times).collect::<Option<_>>().map(PointsCurve)
    }

    /// The corners around a score. A corner at the score itself is the lower one.
    fn around(&self, score: i64) -> [Option<(i64, Points)>; 2] {
        let after = self.0.partition_point(|(corner, _)| *corner <= score);
        let before = after.checked_sub(1).map(|at| self.0[at]);
        [before, self.0.get(after).copied()]
    }
}

impl TryFrom<Vec<(i64, Points)>> for PointsCurve {
    type Error = PointsCurveError;

    fn try_from(corners: Vec<(i64, Points)>) -> Result<PointsCurve, PointsCurveError> {
        PointsCurve::new(corners)
    }
}

impl From<PointsCurve> for Vec<(i64, Points)> {
    fn from(curve: PointsCurve) -> Vec<(i64, Points)> {
        curve.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Points {
        text.parse().expect("points")
    }

    fn curve() -> PointsCurve {
        serde_json::from_str("[[0, 0], [400, 5], [600, 10]]").expect("a curve")
    }

    #[test]
    fn points_lie_between_the_corners_and_are_rounded_down() {
        let cases = [(-1, "0"), (0, "0"), (80, "1"), (399, "4.987"), (400, "5"), (412, "5.3")];
        let more = [(599, "9.975"), (600, "10"), (i64::MAX, "10"), (i64::MIN, "0")];
        for (score, expected) in cases.into_iter().chain(more) {
            assert_eq!(curve().points(score), points(expected), "{score}");
        }
        let step =
            PointsCurve::new(vec![(400, points("5")), (600, points("10"))]).expect("a curve");
        assert_eq!((step.points(399), step.points(400)), (Points::ZERO, points("5")));
        let ends = PointsCurve::new(vec![
            (-1_000_000_000_000, Points::ZERO),
            (1_000_000_000_000, points("100000")),
        ]);
        assert_eq!(ends.expect("a curve").points(0), points("50000"));
    }

    #[test]
    fn a_result_names_its_place_on_the_curve() {
        assert_eq!(curve().place(412), "412 between 400 and 600");
        assert_eq!(curve().place(-5), "-5 below 0");
        assert_eq!(curve().place(601), "601; full points from 600");
        let flat: PointsCurve =
            serde_json::from_str("[[0, 0], [10, 2.5], [20, 2.5]]").expect("a curve");
        assert_eq!(flat.full(), (10, points("2.5")));
    }

    #[test]
    fn corners_without_a_curve_are_refused() {
        for (corners, why) in [
            ("[]", "a curve without corners"),
            ("[[5, 0], [5, 1]]", "the score 5 does not come after 5"),
            ("[[0, 2.5], [5, 1]]", "1 points after 2.5: a higher score must not earn less"),
            (
                "[[2000000000000, 0]]",
                "the score `2000000000000` is outside the range of every game",
            ),
        ] {
            let error = serde_json::from_str::<PointsCurve>(corners).expect_err("no curve");
            assert!(error.to_string().contains(why), "{error}");
        }
        let many: Vec<(i64, Points)> = (0..101).map(|score| (score, Points::ZERO)).collect();
        assert_eq!(PointsCurve::new(many), Err(PointsCurveError::TooMany(101)));
    }
}
