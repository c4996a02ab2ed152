//! `judge grade --build`: untrusted sources, some of which attack the machine during compilation.
//! Without a compiler its attacks are skipped with a message, and so is everything if the kernel
//! cannot confine a build.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "it says why it runs nothing")]

mod attacks;
mod course;
#[cfg(unix)]
mod gradescope;
mod other;
#[path = "../support/mod.rs"]
mod support;
#[cfg(target_os = "linux")]
mod temporary;
mod walls;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let missing = course::missing();
    for language in &missing {
        eprintln!("skipped: sources in {language} cannot be built in a confined process here");
    }
    let trial = |name: String, language: &str, test: fn()| {
        let run = move || {
            test();
            Ok::<(), Failed>(())
        };
        Trial::test(name, run).with_ignored_flag(missing.contains(&language.to_owned()))
    };
    let attacks = attacks::TESTS.iter().map(|(language, test)| {
        trial(format!("attacks_while_compiling_are_refused::{language}"), language, *test)
    });
    let others = other::TESTS.iter().map(|(name, test)| trial((*name).to_owned(), "c", *test));
    let walls = walls::TESTS.iter().map(|(name, test)| trial((*name).to_owned(), "wat", *test));
    let anywhere =
        other::ANYWHERE.iter().map(|(name, test)| trial((*name).to_owned(), "none", *test));
    let trials = attacks.chain(others).chain(walls).chain(anywhere);
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
