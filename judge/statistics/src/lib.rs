//! Estimates from many rounds, with their uncertainty: no input or output, only counts in and
//! estimates out. Floats are allowed here, because none of this is recorded or decides a verdict.
//!
//! The only decision made here is the stop of a [`Sprt`]. It uses only addition, multiplication,
//! division and the logarithm of `libm`, which have the same bits on every machine, on integer
//! counts. So a repeated match stops at the same pair everywhere. `judge/docs/statistics.md`
//! explains all formulas, with their sources.

mod calibration;
mod elo;
mod estimate;
mod evidence;
mod interval;
mod knowledge;
mod margin;
mod pair_table;
mod rating;
mod score_rating;
mod solve;
mod spread;
mod sprt;
mod student;
mod versions;

pub use calibration::{Demand, ScoreSums, Scores};
pub use elo::{Strength, elo, score};
pub use estimate::{Estimate, FOR_SCORES, PAIR_SCORES};
pub use evidence::{Distinct, Evidence};
pub use interval::{Sum, pair_score, share, share_among};
pub use knowledge::Knowledge;
pub use margin::Margins;
pub use pair_table::PairTable;
pub use rating::{RatedMeeting, Ratings};
pub use score_rating::{RoundScore, ScoreRatings, ScoredPair};
pub use sprt::{Decision, Model, Sprt, SprtError};
pub use versions::{
    Answer, VersionPlace, VersionRound, VersionRounds, WorseRound, looks, version_chances,
};

#[cfg(test)]
mod simulations;
