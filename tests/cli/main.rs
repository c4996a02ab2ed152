//! The command line for users: output on each stream, and the exit codes of the README.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod account;
mod bounds;
mod browser;
mod build;
mod calibrate;
mod check;
#[cfg(unix)]
mod code_cache;
mod compare;
mod contradictions;
mod course;
mod course_input;
mod course_output;
mod diff;
mod doctor;
mod explain;
mod scoreboard;
// Packs the judge under test, which must be a program for Gradescope's machines.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod export;
mod formats;
mod grade;
mod hidden;
mod human;
mod interrupted;
mod late;
mod manual;
mod match_bots;
mod match_from;
mod messages;
mod mistakes;
#[cfg(target_os = "linux")]
mod native;
mod new_bot;
mod new_suite;
mod odd_names;
mod oracle;
mod outside;
mod page;
mod page_assemblyscript;
mod page_grade;
mod people;
mod platforms;
mod play;
mod profile;
mod record;
mod report;
mod roster;
mod rounds;
mod rounds_of_a_match;
mod rules;
mod shadow;
mod student_zip;
mod submitted;
mod testcase_limits;
mod tournament;
mod train;
mod unwritable;
mod verify;
mod verify_fields;
mod verify_missing;
mod watch;
mod watch_course;
mod whole_course;

use support::{run, sample};

#[test]
fn games_lists_opponents_options_and_the_bundled_suite() {
    let ran = run(["games"]);
    assert_eq!(ran.code, 0);
    let (mahjong, _) = ran.stdout.split_once("\n\n").unwrap_or((&ran.stdout, ""));
    insta::assert_snapshot!(mahjong);
}

#[test]
fn games_can_list_one_game() {
    let all = run(["games"]).stdout;
    let one = run(["games", "cc"]);
    assert_eq!(one.code, 0);
    assert!(one.stdout.starts_with("cc – ") && all.contains(&one.stdout), "{}", one.stdout);
    assert!(!one.stdout.contains("\n\n"), "one game only: {}", one.stdout);
    let unknown = run(["games", "chess"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (2, ""));
    assert!(unknown.stderr.contains("unknown game `chess`"), "{}", unknown.stderr);
}

#[test]
fn help_names_the_commands_and_exit_codes() {
    let ran = run(["--help"]);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.stdout);
    assert!(!ran.stdout.contains("worker"), "workers are the judge's own business");
}

#[test]
fn unknown_commands_and_options_are_usage_errors() {
    for arguments in [&["grad"][..], &["grade"], &["play", "x.wasm", "--sed", "1"], &[]] {
        assert_eq!(run(arguments).code, 2, "{arguments:?}");
    }
}

#[test]
fn completions_are_printed_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(["completions", shell]);
        assert_eq!(ran.code, 0);
        assert!(ran.stdout.contains("grade"), "{shell}");
    }
}

#[test]
fn output_into_a_pipe_has_no_colours() {
    let bot = sample("mahjong-straightforward");
    let ran = run([std::path::Path::new("grade"), &bot]);
    assert!(!ran.stdout.contains('\x1b') && !ran.stderr.contains('\x1b'), "{}", ran.stdout);
}

/// Runs a command with standard output closed from the start.
fn unread(arguments: &[&str]) -> (i32, String) {
    use std::process::Stdio;
    let mut command = support::judge();
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let ran = support::Ran::from(child.wait_with_output().unwrap());
    (ran.code, ran.stderr)
}

#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let bot = sample("mahjong-straightforward");
    let (code, stderr) = unread(&["grade", bot.to_str().unwrap()]);
    assert_eq!(code, 1, "it fails its own threshold, read or not: {stderr}");
    assert!(!stderr.contains("error"), "{stderr}");
    let (code, stderr) = unread(&["play", bot.to_str().unwrap(), "--trace"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let (code, stderr) = unread(&["completions", "bash"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
}
