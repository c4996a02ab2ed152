//! Helpers for the tests of several crates: a database server, a browser, made-up people, generated
//! modules and the specification's suite. Each is a feature, so a crate builds only those it needs.
#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a test fails by panicking")]

#[cfg(feature = "browser")]
pub mod browser;
#[cfg(feature = "modules")]
mod frame;
#[cfg(feature = "made")]
pub mod made;
#[cfg(feature = "modules")]
pub mod modules;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "specification")]
pub mod specification;

/// Blocks until a future completes.
#[cfg(feature = "postgres")]
pub fn run<T>(what: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(what)
}
