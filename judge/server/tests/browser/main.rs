//! The server in browsers, from the first link to a round against one's own bot. Where there is no
//! Chromium these tests are skipped, with a line that says so.
//!
//! With `JUDGE_SCREENSHOTS=FOLDER` pictures of every page are left there, to be looked at. With
//! `JUDGE_AXE=axe.min.js` every page is checked for barriers by axe-core.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "it says why it runs nothing")]

#[path = "../../../../tests/web/browser.rs"]
#[allow(dead_code, reason = "the pages of the command line need more of it")]
mod browser;
mod pages;
mod playing;
mod program;
mod scene;
mod story;

use libtest_mimic::{Arguments, Failed, Trial};

/// A test by its name.
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
    let tests = [story::TESTS, pages::TESTS].concat();
    libtest_mimic::run(&arguments, tests.iter().map(trial).collect()).exit();
}
