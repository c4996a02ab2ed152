//! Shared parts of the server's test programs.
#![allow(dead_code, reason = "each test program uses its part of this")]

#[path = "../../../store/tests/support/postgres.rs"]
pub(crate) mod postgres;
pub(crate) mod running;

/// Blocks until a future completes.
pub(crate) fn run<T>(what: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(what)
}
