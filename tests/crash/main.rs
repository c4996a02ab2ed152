//! Judges and workers are killed during a course or a tournament, and disks are full. A resumed run
//! gives the same bytes as an undisturbed one.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

#[path = "../support/mod.rs"]
mod support;

mod course;
mod disk;
#[cfg(feature = "failpoints")]
mod failpoints;
mod kills;
mod tournament;
mod workers;
