//! Corners of the curves in a suite's files: two numbers each, of which the second is points.

use judge_core::Points;
use toml::{Spanned, Value};

use crate::source::{Source, SourceError};

/// Most points of a testcase or a curve.
pub(crate) const MAX_POINTS: Points = Points::whole(100_000);

/// A corner as in the file; this module checks that it has two numbers.
pub(crate) type RawCorner = Spanned<Vec<Spanned<Value>>>;

/// Reads the corners of one kind of curve.
pub(crate) struct CornerReader<'a> {
    /// The file.
    pub(crate) source: &'a Source<'a>,
    /// Meaning of the two numbers: `score and points`.
    pub(crate) numbers: &'a str,
    /// Help for every mistake.
    pub(crate) example: &'a str,
}

impl CornerReader<'_> {
    /// The two numbers of a corner, with the second one parsed.
    pub(crate) fn corner<'r>(
        &self,
        raw: &'r RawCorner,
    ) -> Result<(&'r Spanned<Value>, Points), Box<SourceError>> {
        let [first, points] = raw.get_ref().as_slice() else {
            let (numbers, count) = (self.numbers, raw.get_ref().len());
            let message = format!("a corner is two numbers, {numbers}; found {count}");
            return Err(self.mistake(raw, message));
        };
        Ok((first, self.points(points)?))
    }

    /// A number of points.
    pub(crate) fn points(&self, raw: &Spanned<Value>) -> Result<Points, Box<SourceError>> {
        let points = raw.get_ref().clone().try_into::<Points>();
        points.ok().filter(|points| *points <= MAX_POINTS).ok_or_else(|| {
            let message = format!(
                "`{}` points: expected 0 to {MAX_POINTS}, with at most three decimals",
                raw.get_ref()
            );
            self.mistake(raw, message)
        })
    }

    /// A mistake in the curve.
    pub(crate) fn mistake<T>(
        &self,
        place: &Spanned<T>,
        message: impl Into<String>,
    ) -> Box<SourceError> {
        self.source.about(place, message, Some(self.example.to_owned()))
    }
}
