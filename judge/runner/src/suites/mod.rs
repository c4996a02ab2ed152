//! Suites and hidden testcases: finding, writing, checking, committing, revealing.

pub mod commit;
mod find;
pub mod new_suite;
pub mod page;
pub mod reveal;
pub(crate) mod suite_lints;

pub use find::*;
pub use judge_grading::Testcase;
