//! The server as its users have it: pages and the interface for programs without a socket, and the
//! real program from end to end.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod doors;
mod grading;
mod hostile;
mod ladder;
mod leaks;
mod manage;
mod play;
mod program;
mod site;
mod versus;
