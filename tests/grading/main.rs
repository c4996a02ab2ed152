//! Grading as a whole: the same bytes with any number of workers, and a suite whose thresholds are
//! what they say they are.

#[path = "../support/mod.rs"]
mod support;

mod determinism;
mod thresholds;
