//! The real program under faults: it and its workers are killed at any moment, the disk is full,
//! the database is locked, stopped or restarted, the clock jumps. In the end every acknowledged
//! submission has exactly one result, the same as from the command line.
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
