//! The server from a user's view: pages and API without a socket, and the real program from end to
//! end.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

#[path = "../support/mod.rs"]
mod support;

mod access;
mod budgets;
mod builds;
mod cases;
mod comments;
mod copies;
mod crashing;
mod deploy;
mod grading;
mod groups;
mod hooks;
mod hostile;
mod invitations;
mod ladder;
mod late;
mod leaks;
mod lists;
mod lti;
mod mail;
mod manage;
mod play;
mod preview;
mod program;
mod retention;
mod reviews;
mod rights;
mod rounds;
mod scoreboard;
mod scoring;
mod shown;
mod sign_on;
mod signatures;
mod site;
mod slow;
mod start;
mod term;
mod versus;
mod visibility;
mod write;

use judge_test_support::made;
