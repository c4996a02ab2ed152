//! The hostile corpus: each folder of `judge/hostile-corpus` is a module that misbehaves, with its
//! expected verdict. `judge selftest` tries them; these tests check that command, and cases with
//! several modules or verdicts.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod corpus;
mod edge;
mod fairness;
mod generated;
mod hogs;
// Looks for workers in `/proc`.
#[cfg(target_os = "linux")]
mod killed;
mod neighbours;
