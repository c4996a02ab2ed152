//! The server in browsers, from the first link to a round against your own bot. Without Chromium,
//! these tests are skipped with a message.
//!
//! With `JUDGE_SCREENSHOTS=FOLDER`, screenshots of every page are saved there. With
//! `JUDGE_AXE=axe.min.js`, axe-core checks every page for barriers.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it says why it runs nothing")]

#[path = "../support/mod.rs"]
mod support;

mod launches;
mod pages;
mod playing;
mod program;
mod scene;
mod sources;
mod story;

use judge_test_support::browser;
use libtest_mimic::{Arguments, Failed, Trial};

/// A test with its name.
type BrowserTest = (&'static str, fn());

fn main() {
    let arguments = Arguments::from_args();
    let missing = browser::find().is_none();
    if missing {
        eprintln!("no Chromium on this machine: the server is not tried in a browser");
    }
    let trial = |(name, test): &BrowserTest| {
        let test = *test;
        let run = move || {
            test();
            Ok::<(), Failed>(())
        };
        Trial::test(*name, run).with_ignored_flag(missing)
    };
    let tests = [story::TESTS, pages::TESTS, launches::TESTS, sources::TESTS].concat();
    libtest_mimic::run(&arguments, tests.iter().map(trial).collect()).exit();
}
