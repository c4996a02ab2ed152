//! Shared parts of the server's test programs.
#![allow(dead_code, reason = "each test program uses its part of this")]

pub(crate) mod campus;
pub(crate) mod running;

#[allow(unused_imports, reason = "each test program uses its part of this")]
pub(crate) use judge_test_support::{postgres, run};
