//! Programs in languages without a kit and without a sample bot: built as their documents say, and
//! graded. Where the compiler is absent the tests are skipped, and say so. `JUDGE_GO` is the path of
//! another `go` than the one in `PATH`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "it says why it runs nothing")]

mod go;
#[path = "../support/mod.rs"]
mod support;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    // Who names a compiler wants the tests run.
    let skipped = !go::is_there() && std::env::var_os("JUDGE_GO").is_none();
    if skipped {
        eprintln!(
            "no Go on this machine (https://go.dev/dl): the bot in Go is not built and played"
        );
    }
    let trials = go::TESTS.iter().map(|(name, test)| {
        let run = move || {
            test();
            Ok::<(), Failed>(())
        };
        Trial::test(*name, run).with_ignored_flag(skipped)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
