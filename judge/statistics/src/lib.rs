//! Estimates from many rounds, with their uncertainty: no input or output, counts in, estimates
//! out. Floats are allowed here, because none of this is recorded or decides a verdict.
//!
//! The one decision made here is where a [`Sprt`] stops. It uses only addition, multiplication,
//! division and the logarithm of `libm`, which are the same to the bit on every machine, on counts
//! that are whole numbers; so a match stops at the same pair wherever it is repeated. All formulas
//! in words, with their sources: `judge/docs/statistics.md`.

mod calibration;
mod elo;
mod estimate;
mod evidence;
mod interval;
mod knowledge;
mod margin;
mod pair_table;
mod rating;
mod solve;
mod spread;
mod sprt;
mod student;

pub use calibration::{Demand, ScoreSums, Scores};
pub use elo::{Strength, elo, score};
pub use estimate::{Estimate, FOR_SCORES, PAIR_SCORES};
pub use evidence::{Distinct, Evidence};
pub use interval::{Sum, pair_score, share, share_among};
pub use knowledge::Knowledge;
pub use margin::Margins;
pub use pair_table::PairTable;
pub use rating::{RatedMeeting, Ratings};
pub use sprt::{Decision, Model, Sprt, SprtError};

#[cfg(test)]
mod simulations;
