//! The store on both of its databases.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

#[path = "../support/mod.rs"]
#[macro_use]
mod support;

mod access;
mod archive;
mod arenas;
mod copy_course;
mod course_lists;
mod files;
mod groups;
mod human_rounds;
mod mail;
mod people;
mod preview;
mod queue;
mod restore;
mod results;
mod retention;
mod reviews;
mod rights;
mod rounds;
mod scoreboard;
mod sql;
mod submissions;
mod suites;
mod transfer;
mod upgrade;

use judge_test_support::made;
