//! Display of the runner's work: bars and remarks on standard error, results on standard output.

mod bar;
pub(crate) mod browser;
mod events;
pub(crate) mod formats;
pub(crate) mod interrupt;
pub(crate) mod output;
pub(crate) mod paint;
mod screen;

pub(crate) use events::Terminal;

use std::io::Write as _;

use judge_core::printable;

/// Prints a line on standard error.
pub(crate) fn tell(line: &str) {
    // Names in the line are untrusted. A closed standard error changes no result.
    let _ = writeln!(std::io::stderr(), "{}", printable(line, usize::MAX));
}
