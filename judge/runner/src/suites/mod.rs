//! Suites and hidden testcases: find, write, check, commit, reveal.

pub mod commit;
pub(crate) mod doubts;
mod find;
pub mod new_suite;
pub mod reveal;

pub use find::*;
