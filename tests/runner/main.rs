//! The runner as a library: events, outcomes, and independence of a command line.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod calibrate;
mod commit;
mod course;
mod diff;
mod doctor;
mod explain;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod export;
mod farewell;
mod grade;
mod logs;
mod match_bots;
mod play;
mod profile;
mod record;
mod replay;
mod report;
mod rounds;
mod scoreboard;
mod selftest;
mod store;
mod together;
mod tournament;
mod train;
mod verify;
mod watch;

use judge_core::{Event, Listener};
use judge_runner::base::workers::Workers;

/// Two workers that run the judge under test.
pub(crate) fn workers() -> Workers {
    let workers = Workers::of_this_program().unwrap().with_jobs(2);
    let program = support::judge().get_program().into();
    let command = judge_sandbox::worker::WorkerCommand { program, ..workers.command };
    Workers { command, ..workers }
}

/// Keeps all events, except the warning about missing walls.
#[derive(Default)]
pub(crate) struct Heard(pub(crate) Vec<Event>);

impl Listener for Heard {
    fn event(&mut self, event: &Event) -> std::io::Result<()> {
        if !matches!(event, Event::Warning { text } if text.contains("not fully isolated")) {
            self.0.push(event.clone());
        }
        Ok(())
    }
}

impl Heard {
    /// The numbers of the rounds that began, in order.
    pub(crate) fn started(&self) -> Vec<u64> {
        let number = |event: &Event| match event {
            Event::RoundStarted { round } => Some(round.round),
            _ => None,
        };
        sorted(self.0.iter().filter_map(number))
    }

    /// The numbers of the rounds that finished, in order.
    pub(crate) fn finished(&self) -> Vec<u64> {
        let number = |event: &Event| match event {
            Event::RoundFinished { round, result: Some(_) } => Some(round.round),
            _ => None,
        };
        sorted(self.0.iter().filter_map(number))
    }

    /// The counts of the progress events, in order.
    pub(crate) fn done(&self) -> Vec<u64> {
        let done = |event: &Event| match event {
            Event::Progress { done, .. } => Some(*done),
            _ => None,
        };
        self.0.iter().filter_map(done).collect()
    }

    /// All notes and warnings.
    pub(crate) fn remarks(&self) -> Vec<&str> {
        let text = |event| match event {
            &Event::Note { ref text } | &Event::Warning { ref text } => Some(text.as_str()),
            _ => None,
        };
        self.0.iter().filter_map(text).collect()
    }
}

/// A listener that fails at the first progress.
pub(crate) struct Deaf;

impl Listener for Deaf {
    fn event(&mut self, event: &Event) -> std::io::Result<()> {
        match event {
            Event::Progress { .. } | Event::RoundFinished { .. } => {
                Err(std::io::Error::other("deaf"))
            }
            _ => Ok(()),
        }
    }
}

fn sorted(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers
}
