//! The README.

use crate::pages::read;
use crate::support::{run, says};

/// Its largest number of words.
const WORDS: usize = 1200;

/// It is short, and its first block has the two commands that need only Rust.
pub(crate) fn is_short_and_true() {
    let text = read("README.md");
    let words = text.split_whitespace().count();
    assert!(words <= WORDS, "the README has {words} words, and may have {WORDS}");
    let (_, rest) = text.split_once("\n```\n").expect("a block of commands");
    let (block, _) = rest.split_once("\n```").unwrap();
    let commands: Vec<&str> = block.lines().collect();
    let [grade, "cargo test"] = commands[..] else { panic!("{commands:?}") };
    let arguments = grade.strip_prefix("cargo run -- ").expect("a command of the judge");
    let ran = run(arguments.split(' '));
    // The sample bot does not pass every testcase, and the README says so.
    says(&text, &["exit code 1"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    every_exit_code_is_listed(&text);
}

/// The exit codes in the judge's help are also in the README's table.
fn every_exit_code_is_listed(text: &str) {
    let help = run(["--help"]).stdout;
    let (_, codes) = help.split_once("Exit codes: ").unwrap();
    let (codes, _) = codes.split_once('.').unwrap();
    let mut listed = 0;
    for part in codes.split(';') {
        let code = part.split_whitespace().next().unwrap();
        says(text, &[&format!("\n| {code} |")]);
        listed += 1;
    }
    assert!(listed >= 7, "{codes}");
}
