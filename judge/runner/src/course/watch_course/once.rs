//! Remarks that come up each time a course is graded, told when they are new.

use std::collections::BTreeSet;
use std::io;

use judge_core::{Event, Listener};

use crate::base::journal::RESUMING;

/// A filter for repeated events.
#[derive(Debug, Default)]
pub(super) struct Once {
    /// The events of the last time.
    before: BTreeSet<String>,
    /// The events since.
    now: BTreeSet<String>,
    /// True if it is not told any more how far the journal is.
    silent: bool,
}

impl Once {
    /// A listener that forwards only new events.
    pub(super) fn to<'a>(&'a mut self, listener: &'a mut dyn Listener) -> New<'a> {
        New { told: self, listener }
    }

    /// Ends one time: what did not come up in it is new when it does again, as a change of the suite
    /// that was taken back. How far the journal is goes without saying from now on.
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
