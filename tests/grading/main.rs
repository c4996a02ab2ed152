//! Grading as a whole: the same bytes with any number of workers, and a suite whose thresholds are
//! what they say they are.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod determinism;
mod ladders;
mod samples;
mod thresholds;
