//! Suppression of remarks that are repeated each time a course is graded.

use std::collections::BTreeSet;
use std::io;

use judge_core::{Event, Listener};

use crate::base::journal::RESUMING;

/// A filter for repeated events.
#[derive(Debug, Default)]
pub(super) struct Once {
    /// The events of the last grading.
    before: BTreeSet<String>,
    /// The events of the current grading.
    now: BTreeSet<String>,
    /// True if notes on the journal's progress are suppressed.
    silent: bool,
}

impl Once {
    /// Returns a listener that forwards only new events.
    pub(super) fn to<'a>(&'a mut self, listener: &'a mut dyn Listener) -> New<'a> {
        New { told: self, listener }
    }

    /// Ends a grading. An event that did not occur in it counts as new the next time, such as a
    /// change of the suite that was reverted. Notes on the journal's progress are suppressed from
    /// now on.
    pub(super) fn is_over(&mut self) {
        self.before = std::mem::take(&mut self.now);
        self.silent = true;
    }

    fn is_new(&mut self, text: &str) -> bool {
        self.now.insert(text.to_owned()) && !self.before.contains(text)
    }
}

/// Forwards new events.
pub(super) struct New<'a> {
    told: &'a mut Once,
    listener: &'a mut dyn Listener,
}

impl Listener for New<'_> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        let is_new = match event {
            Event::Note { text } if self.told.silent && text.starts_with(RESUMING) => false,
            Event::Note { text } | Event::Warning { text } => self.told.is_new(text),
            _ => true,
        };
        if is_new { self.listener.event(event) } else { Ok(()) }
    }
}
