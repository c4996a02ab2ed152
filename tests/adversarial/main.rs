//! The hostile corpus: each folder under `corpus/` is a module that misbehaves, with the verdict
//! that it must get. `judge selftest` tries them; here is checked that it does, and what takes
//! more than one module and one verdict.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod corpus;
mod edge;
mod fairness;
mod killed;
mod neighbours;
