//! Shows results: one file per format, all fed by the same events.

mod board;
mod classroom;
mod compare;
mod format;
mod github;
mod gradescope;
#[cfg(test)]
mod harmless;
mod joj3;
mod junit;
mod markdown;
mod marks;
pub mod page;
mod prairielearn;
mod progress;
pub mod recording;
#[cfg(test)]
mod samples;
mod shell;
mod since;
mod terminal;
mod testcases;
#[cfg(test)]
mod tests;
mod text;
mod tournament;
mod units;
mod words;

use std::io;

use judge_core::Event;

pub use board::{Board, Cell, Column, Place};
pub use compare::{Comparison, compare};
pub use format::{Format, FormatReporter, NotOneBot, UnknownFormat, write_tables};
pub use github::step_summary;
pub use gradescope::{Visibility, render_with as gradescope_results};
pub use marks::{Mark, write_marks};
pub use progress::ProgressReporter;
pub use shell::quoted;
pub use since::{Looks, since};
pub use terminal::TerminalReporter;
pub use text::{cell, tame};
pub use tournament::{OpeningRow, Ranked, Tournament, ranks, rating_text};
pub use units::{fuel_as_ms, kib, per_cent};

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
