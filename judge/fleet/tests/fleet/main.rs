//! Rounds on several machines, which are processes here, through a PostgreSQL server that the tests
//! start. Whatever happens to the machines, the results are those of a run without them.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod bounds;
mod commands;
mod database;
mod liars;
mod machines;
mod poison;
mod role;
mod scene;

use judge_test_support::postgres;

/// Returns a fixture, or ends the test if PostgreSQL is not installed.
macro_rules! need {
    ($scene:expr) => {
        match $scene {
            Some(scene) => scene,
            None => {
                println!("skipped: PostgreSQL is not installed");
                return;
            }
        }
    };
}
pub(crate) use need;
