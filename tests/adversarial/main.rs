//! The hostile corpus: each folder under `corpus/` is a module that misbehaves, with the verdict
//! that it must get. `judge selftest` tries them; here is checked that it does, and what takes
//! more than one module and one verdict.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

#[path = "../../judge/sandbox/tests/generated/frame.rs"]
mod frame;
#[path = "../../judge/sandbox/tests/generated/modules.rs"]
mod modules;

mod corpus;
mod edge;
mod fairness;
mod generated;
mod hogs;
// Looks for workers in `/proc`.
#[cfg(target_os = "linux")]
mod killed;
mod neighbours;
