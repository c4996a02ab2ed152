//! The real program when things go wrong around it: killed at any moment, its workers too, without
//! room, its database locked, stopped or started again, its clock moved. In the end everything that
//! was acknowledged has exactly one result, the one that the command line comes to.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

#[path = "../support/mod.rs"]
mod support;

mod clock;
mod database;
mod disk;
mod fleet;
mod kills;
mod ladder;
mod load;
mod restore;
mod scene;
