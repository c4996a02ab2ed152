//! The points of a testcase in its file: points or a curve, a weight, extra credit.

use judge_core::{Points, PointsCurve, PointsCurveError, Shows};
use toml::Spanned;

use crate::corner::{CornerReader, MAX_POINTS, RawCorner};
use crate::source::{Source, SourceError};

/// Largest weight.
const MAX_WEIGHT: Points = Points::whole(1000);

const EXAMPLE: &str = "for example `credit = [[0, 0], [400, 5], [600, 10]]`: a score of 400 gets 5 \
                       points, of 500 7.5, from 600 on 10";

/// The part of a testcase's file about its points.
pub(crate) struct RawPoints<'a> {
    pub(crate) points: Option<&'a Spanned<Points>>,
    pub(crate) credit: Option<&'a Spanned<Vec<RawCorner>>>,
    pub(crate) weight: Option<&'a Spanned<Points>>,
    pub(crate) extra_credit: bool,
}

/// The points of a testcase.
pub(crate) struct Worth {
    /// The maximum, weight included.
    pub(crate) points: Points,
    /// The curve, weight included.
    pub(crate) credit: Option<PointsCurve>,
    pub(crate) weight: Option<Points>,
    pub(crate) extra_credit: bool,
}

impl Worth {
    /// Checks the values of the file.
    pub(crate) fn check(
        source: &Source<'_>,
        raw: &RawPoints<'_>,
    ) -> Result<Worth, Box<SourceError>> {
        let (place, points, credit) = unweighted(source, raw)?;
        let wrong = |message: String| source.about(&Spanned::new(place.clone(), ()), message, None);
        let factor = raw.weight.map(|weight| weigh(source, weight)).transpose()?;
        let times = factor.unwrap_or(Points::whole(1));
        let (total, weighted) = (points.times(times), credit.map(|credit| credit.times(times)));
        if is_too_much(points, times) {
            let expected = format!("expected 0 to {MAX_POINTS}");
            return Err(wrong(match factor {
                None => format!("`{points}` points: {expected}"),
                Some(factor) => format!("`{points}` points times `{factor}`: {expected}"),
            }));
        }
        let (Some(total), Some(credit)) = (total, weighted.map_or(Some(None), |it| it.map(Some)))
        else {
            return Err(wrong(format!("points times {times} have more than three decimals")));
        };
        Ok(Worth { points: total, credit, weight: factor, extra_credit: raw.extra_credit })
    }

    /// Refuses points by score if students may not see the score, because the points would reveal
    /// it.
    pub(crate) fn check_hidden(
        &self,
        source: &Source<'_>,
        raw: &RawPoints<'_>,
        shows: Option<Shows>,
    ) -> Result<(), Box<SourceError>> {
        let (Some(curve), Some(Shows::Points | Shows::Passed)) = (raw.credit, shows) else {
            return Ok(());
        };
        let message = "points by score would reveal the score of a hidden testcase";
        let help = "set `shows = \"verdict\"` under `[hidden]` in `suite.toml`, which shows the \
                    score; or give the testcase `points` and `min_score`";
        Err(source.about(curve, message, Some(help.to_owned())))
    }
}

/// True if the product, which may have too many decimals, exceeds the maximum of a testcase.
fn is_too_much(points: Points, factor: Points) -> bool {
    let product = u128::from(points.thousandths()) * u128::from(factor.thousandths());
    product > u128::from(MAX_POINTS.thousandths()) * u128::from(Points::whole(1).thousandths())
}

/// Points without the weight: their position, the maximum, and the curve.
type Unweighted = (std::ops::Range<usize>, Points, Option<PointsCurve>);

fn unweighted(source: &Source<'_>, raw: &RawPoints<'_>) -> Result<Unweighted, Box<SourceError>> {
    match (raw.points, raw.credit) {
        (Some(points), None) => Ok((points.span(), *points.get_ref(), None)),
        (None, Some(curve)) => {
            let credit = credit(source, curve)?;
            Ok((curve.span(), credit.full().1, Some(credit)))
        }
        (Some(points), Some(_)) => {
            let message = "a testcase has `points` or `credit`, not both";
            let help = "the top of the curve is the maximum number of points".to_owned();
            Err(source.about(points, message, Some(help)))
        }
        (None, None) => {
            let help = "points for passing: `points = 10`, or `credit` for points by score";
            Err(source.without("points", help))
        }
    }
}

fn weigh(source: &Source<'_>, raw: &Spanned<Points>) -> Result<Points, Box<SourceError>> {
    match *raw.get_ref() {
        weight if !weight.is_zero() && weight <= MAX_WEIGHT => Ok(weight),
        weight => {
            let message =
                format!("the weight `{weight}`: expected more than 0, up to {MAX_WEIGHT}");
            let help = "a factor for the points: `weight = 1.5`".to_owned();
            Err(source.about(raw, message, Some(help)))
        }
    }
}

fn credit(
    source: &Source<'_>,
    raw: &Spanned<Vec<RawCorner>>,
) -> Result<PointsCurve, Box<SourceError>> {
    let reader = CornerReader { source, numbers: "score and points", example: EXAMPLE };
    let corners = raw.get_ref().iter().map(|raw| corner(&reader, raw));
    PointsCurve::new(corners.collect::<Result<_, _>>()?).map_err(|error| match &error {
        PointsCurveError::Corner { at, what } => reader.mistake(&raw.get_ref()[*at], what),
        PointsCurveError::Empty | PointsCurveError::TooMany(_) => {
            reader.mistake(raw, error.to_string())
        }
    })
}

fn corner(reader: &CornerReader<'_>, raw: &RawCorner) -> Result<(i64, Points), Box<SourceError>> {
    let (score, points) = reader.corner(raw)?;
    match score.get_ref() {
        toml::Value::Integer(at) => Ok((*at, points)),
        other => Err(reader.mistake(score, format!("the score `{other}` is not a whole number"))),
    }
}
