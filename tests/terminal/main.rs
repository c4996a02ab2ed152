//! The commands for people: in a terminal with a window, keys and colors. The terminal is `tmux`;
//! without it these tests are skipped with a message.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "it says why it runs nothing")]

#[cfg(unix)]
mod bars;
#[cfg(unix)]
mod colors;
#[cfg(unix)]
mod keys;
#[cfg(unix)]
mod screen;
#[cfg(unix)]
#[path = "../support/mod.rs"]
mod support;

#[cfg(unix)]
use libtest_mimic::{Arguments, Failed, Trial};

/// A test by its name.
#[cfg(unix)]
type Test = (&'static str, fn());

#[cfg(not(unix))]
fn main() {
    eprintln!("there is no tmux for this system: nothing is tried in a terminal");
}

#[cfg(unix)]
fn main() {
    let arguments = Arguments::from_args();
    let missing = !screen::is_there();
    if missing {
        eprintln!("no tmux on this machine: nothing is tried in a terminal");
    }
    let trial = |(name, test): &Test| {
        let test = *test;
        let run = move || {
            test();
            Ok::<(), Failed>(())
        };
        Trial::test(*name, run).with_ignored_flag(missing)
    };
    let tests = [bars::TESTS, colors::TESTS, keys::TESTS].concat();
    libtest_mimic::run(&arguments, tests.iter().map(trial).collect()).exit();
}
