//! The server as its users have it: pages and the interface for programs without a socket, and the
//! real program from end to end.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

#[path = "../support/mod.rs"]
mod support;

mod access;
mod budgets;
mod cases;
mod deploy;
mod doors;
mod grading;
mod hostile;
mod leaks;
mod manage;
mod play;
mod program;
mod signatures;
mod site;
mod slow;
