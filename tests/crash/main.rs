//! Judges and workers are killed in the middle of a course or a tournament, disks are full: a
//! resumed run gives the results of an undisturbed one, to the byte.
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
