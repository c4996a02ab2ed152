//! A figure with its 95 % interval, and the constants of intervals.

use serde::{Serialize, Serializer};

/// Two-sided 95 % point of the normal distribution.
pub(super) const Z: f64 = 1.959_963_985;

/// Points of rating for a chance of e to 1: 400 points are a chance of 10 to 1, as in chess.
pub(super) const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Points of a pair, as a share of the two games, by their number of half points.
pub const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Number of virtual pairs lost, and of those won, that are added to the real ones for the interval
/// of a score (Agresti, Coull: "Approximate is better than 'exact'", 1998, for single trials).
pub const FOR_SCORES: f64 = 2.0;

/// A figure, and an interval that contains the true value in 95 of 100 cases.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The figure as counted.
    #[serde(serialize_with = "without_minus_zero")]
    pub value: f64,
    /// Lower end.
    #[serde(serialize_with = "without_minus_zero")]
    pub low: f64,
    /// Upper end.
    #[serde(serialize_with = "without_minus_zero")]
    pub high: f64,
}

/// The sign of zero depends on the order of arithmetic and has no meaning.
fn without_minus_zero<S: Serializer>(figure: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(figure + 0.0)
}
