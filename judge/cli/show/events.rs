//! The runner's events on standard error: one bar, and a line for each remark.

use std::io;

use judge_arena::Stop;
use judge_core::{Event, Listener};

use super::bar::Bar;
use super::{interrupt, screen, tell};

/// Shows progress and remarks. A failure to show them changes no result.
#[derive(Default)]
pub(crate) struct Terminal {
    bar: Option<Bar>,
    /// The stop of the run, if Ctrl-C stops it.
    stop: Option<Stop>,
}

impl Terminal {
    /// Creates a terminal for a run that Ctrl-C stops. It explains the wait for rounds in progress.
    pub(crate) fn of_run(stop: &Stop) -> Terminal {
        Terminal { bar: None, stop: Some(stop.clone()) }
    }

    /// True if standard error is a terminal that can draw a bar.
    pub(crate) fn has_bars() -> bool {
        !screen::progress_bar(None).is_hidden()
    }

    /// Prints a line above the bar, if there is one.
    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.inner().suspend(|| tell(line)),
            None => tell(line),
        }
    }

    fn begin(&mut self, bar: Bar) {
        if let Some(stop) = &self.stop {
            interrupt::tell_of_waiting(stop, bar.inner());
        }
        self.bar = Some(bar);
    }
}

impl Listener for Terminal {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match (event, &mut self.bar) {
            (Event::Started { unit, total }, _) => self.begin(Bar::new(*unit, *total)),
            (Event::RoundFinished { round, .. }, Some(bar)) => bar.round(round),
            (Event::Progress { done, standing }, Some(bar)) => {
                bar.progress(*done, standing.as_ref());
            }
            // A table replaces the bar.
            (
                Event::SubmissionDecided { .. } | Event::Graded { .. } | Event::Finished,
                Some(bar),
            ) => {
                bar.clear();
            }
            (Event::Note { text }, _) => self.say(&format!("note: {text}")),
            (Event::Warning { text }, _) => self.say(&format!("warning: {text}")),
            _ => {}
        }
        Ok(())
    }
}
