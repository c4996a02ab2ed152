//! Shows results: one file per format, all fed by the same events.

mod board;
mod json;
mod junit;
mod marks;
pub mod page;
mod progress;
#[cfg(test)]
mod samples;
mod shell;
mod terminal;
#[cfg(test)]
mod tests;
mod units;

use std::io;

use judge_core::Event;

pub use board::{Board, Cell, Column, Place};
pub use json::JsonReporter;
pub use junit::JunitReporter;
pub use marks::{Mark, write_marks};
pub use progress::ProgressReporter;
pub use shell::quoted;
pub use terminal::TerminalReporter;
pub use units::{fuel_as_ms, kib};

/// Shows what happens, in one format.
pub trait Reporter {
    /// Takes the next event.
    ///
    /// # Errors
    /// When the output cannot be written. A report that fails never changes a result.
    fn event(&mut self, event: &Event<'_>) -> io::Result<()>;
}

/// Passes each event to every reporter, the first error last.
///
/// # Errors
/// The first error of any reporter, after all of them were asked.
pub fn broadcast(reporters: &mut [Box<dyn Reporter + '_>], event: &Event<'_>) -> io::Result<()> {
    let results: Vec<_> = reporters.iter_mut().map(|reporter| reporter.event(event)).collect();
    results.into_iter().collect()
}
