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
#[path = "../../../store/tests/support/postgres.rs"]
mod postgres;
mod role;
mod scene;

/// Blocks until a future completes.
pub(crate) fn run<T>(what: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(what)
}

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
