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

/// Prints a line on standard error, in addition to the result.
pub(crate) fn tell(line: &str) {
    // Names in it come from outside. A standard error that is gone changes no result.
    let _ = writeln!(std::io::stderr(), "{}", printable(line, usize::MAX));
}
