//! A progress bar on standard error, when that is a terminal.

use std::io;

use indicatif::{ProgressBar, ProgressStyle};
use judge_core::{Event, printable};

use crate::Reporter;

/// Shows how many rounds are played and what is being played.
pub struct ProgressReporter {
    bar: ProgressBar,
}

impl ProgressReporter {
    /// A bar that draws itself on a terminal and stays silent elsewhere.
    pub fn new() -> ProgressReporter {
        let bar = ProgressBar::no_length();
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} rounds {msg}");
        ProgressReporter { bar: style.map_or(bar.clone(), |style| bar.with_style(style)) }
    }
}

impl Default for ProgressReporter {
    fn default() -> ProgressReporter {
        ProgressReporter::new()
    }
}

impl Reporter for ProgressReporter {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Started { rounds } => self.bar.set_length(*rounds),
            Event::RoundFinished { bot, testcase } => {
                let message = format!("{bot}: {testcase}");
                self.bar.set_message(printable(&message, 80));
                self.bar.inc(1);
            }
            Event::Finished(_) => self.bar.finish_and_clear(),
            Event::TestcaseFinished { .. } | Event::BotFinished(_) => {}
        }
        Ok(())
    }
}
