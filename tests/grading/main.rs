//! Grading as a whole: the same bytes with any number of workers, and suites with the documented
//! thresholds.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod determinism;
mod ladders;
mod samples;
mod thresholds;
