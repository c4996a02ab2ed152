//! One file per command: arguments, request, output, exit code.

pub(crate) mod build;
pub(crate) mod calibrate;
pub(crate) mod commit;
pub(crate) mod completions;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod grade;
mod grade_watch;
pub(crate) mod match_bots;
pub(crate) mod merge;
pub(crate) mod new_suite;
pub(crate) mod play;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod reveal;
pub(crate) mod rounds;
pub(crate) mod rules;
pub(crate) mod scoreboard;
pub(crate) mod selftest;
pub(crate) mod tournament;
pub(crate) mod train;
pub(crate) mod verify;
pub(crate) mod watch;
pub(crate) mod worker;
