//! The pages in a browser, from a file. Tests for a browser that is missing are skipped with a message.
//!
//! With `JUDGE_SCREENSHOTS=FOLDER` pictures of the pages are saved there.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "it says why it runs nothing")]

mod assemblyscript;
mod completions;
mod freeze;
mod grade;
mod hostile;
mod play;
mod round;
mod scoreboard;
mod server;
mod shots;
#[path = "../support/mod.rs"]
mod support;
mod tournament;
mod whole_course;

use judge_test_support::browser;
use libtest_mimic::{Arguments, Failed, Trial};

/// A test by its name.
type Test = (&'static str, fn());

fn main() {
    let arguments = Arguments::from_args();
    let missing = browser::find().is_none();
    if missing {
        eprintln!("no Chromium on this machine: the pages are not tried in a browser");
    }
    let no_firefox = !browser::has_firefox();
    if no_firefox {
        eprintln!("no Firefox on this machine: the page that grades is not tried in it");
    }
    let trial = |(name, test): &Test, missing: bool| {
        let test = *test;
        let run = move || {
            test();
            Ok::<(), Failed>(())
        };
        Trial::test(*name, run).with_ignored_flag(missing)
    };
    let shots = match shots::folder() {
        Some(_) => [
            shots::TESTS,
            tournament::SHOTS,
            play::SHOTS,
            grade::SHOTS,
            completions::SHOTS,
            assemblyscript::SHOTS,
        ]
        .concat(),
        None => Vec::new(),
    };
    let tests = [
        round::TESTS,
        hostile::TESTS,
        scoreboard::TESTS,
        tournament::TESTS,
        whole_course::TESTS,
        play::TESTS,
        grade::TESTS,
        completions::TESTS,
        assemblyscript::TESTS,
        freeze::TESTS,
        &shots,
    ]
    .concat();
    let chromium = tests.iter().map(|test| trial(test, missing));
    let firefox =
        grade::FIREFOX.iter().chain(assemblyscript::FIREFOX).map(|test| trial(test, no_firefox));
    libtest_mimic::run(&arguments, chromium.chain(firefox).collect()).exit();
}
