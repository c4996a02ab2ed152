//! Remarks that come up each time a course is graded, told the first time.

use std::collections::BTreeSet;
use std::io;

use judge_core::{Event, Listener};

/// What has been told.
#[derive(Debug, Default)]
pub(super) struct Once {
    seen: BTreeSet<String>,
    /// True if notes, such as how far the journal is, are not told any more.
    silent: bool,
}

impl Once {
    /// A listener that passes on what is new.
    pub(super) fn to<'a>(&'a mut self, listener: &'a mut dyn Listener) -> New<'a> {
        New { told: self, listener }
    }

    /// Passes on no notes from now on.
    pub(super) fn be_silent_on_notes(&mut self) {
        self.silent = true;
    }
}

/// Passes on what is new.
pub(super) struct New<'a> {
    told: &'a mut Once,
    listener: &'a mut dyn Listener,
}

impl Listener for New<'_> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        let is_new = match event {
            Event::Note { .. } if self.told.silent => false,
            Event::Note { text } | Event::Warning { text } => self.told.seen.insert(text.clone()),
            _ => true,
        };
        if is_new { self.listener.event(event) } else { Ok(()) }
    }
}
