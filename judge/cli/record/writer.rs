//! Takes in the games of a recording and writes the files of each part that is complete.

use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use judge_arena::{Recorded, Recorder};
use judge_core::{Fault, RecordedGame};
use judge_report::recording::RecordingFormat;

use super::folder::Folder;
use super::summary::Summary;
use crate::failure::Failure;

/// Writes a part on the thread that finished it.
pub(super) struct Writer<'a> {
    folder: &'a Folder,
    /// The numbers of the parts to make.
    missing: &'a [usize],
    /// The games of every part.
    parts: &'a [Range<u64>],
    about: Vec<(&'static str, String)>,
    bar: ProgressBar,
    state: Mutex<State>,
}

struct State {
    summary: Summary,
    failed: Result<(), Failure>,
}

impl<'a> Writer<'a> {
    /// A writer of these parts, with a bar on standard error when that is a terminal.
    pub(super) fn new(
        folder: &'a Folder,
        formats: &[RecordingFormat],
        missing: &'a [usize],
        about: Vec<(&'static str, String)>,
        parts: &'a [Range<u64>],
    ) -> Writer<'a> {
        let games = missing.iter().map(|part| parts[*part].end - parts[*part].start).sum();
        let summary = Summary::new(formats.contains(&RecordingFormat::Csv));
        let state = Mutex::new(State { summary, failed: Ok(()) });
        Writer { folder, missing, parts, about, bar: bar(games), state }
    }

    /// The games of each part to make.
    pub(super) fn games(&self) -> Vec<Range<u64>> {
        self.missing.iter().map(|part| self.parts[*part].clone()).collect()
    }

    /// What came of it.
    pub(super) fn finish(&self) -> Result<Summary, Failure> {
        self.bar.finish_and_clear();
        let mut state = self.state();
        std::mem::replace(&mut state.failed, Ok(()))?;
        Ok(std::mem::take(&mut state.summary))
    }

    /// Writes a part; the bytes that it takes.
    fn write(&self, part: usize, games: &[RecordedGame]) -> Result<u64, Failure> {
        let mut bytes = 0;
        for table in self.folder.tables() {
            let file = table.render(games, &self.about)?;
            self.folder.write(*table, part, &file)?;
            bytes += file.len() as u64;
        }
        Ok(bytes)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorder for Writer<'_> {
    fn played(&self, _game: &Recorded) {
        self.bar.inc(1);
    }

    fn finished(&self, part: usize, games: Vec<Recorded>) -> ControlFlow<()> {
        let (games, lost) = part_with(games);
        if !lost.is_empty() {
            return self.state().lose(&games, &lost);
        }
        let written = self.write(self.missing[part], &games);
        let mut state = self.state();
        match written {
            Ok(bytes) => {
                state.summary.add(&games, bytes);
                ControlFlow::Continue(())
            }
            Err(failure) => state.fail(failure),
        }
    }
}

impl State {
    /// Goes on without a part in which the judge failed: a part is there with all of its games or
    /// not at all, so that the next run plays them again.
    fn lose(&mut self, kept: &[RecordedGame], lost: &[Fault]) -> ControlFlow<()> {
        match lost.first() {
            // Where nothing succeeds from the beginning, nothing will.
            Some(fault) if kept.is_empty() && self.summary.games == 0 => {
                self.fail(nothing_played(fault))
            }
            _ => {
                self.summary.lose(lost);
                ControlFlow::Continue(())
            }
        }
    }

    /// Ends the recording. What went wrong first is what the user should hear of.
    fn fail(&mut self, failure: Failure) -> ControlFlow<()> {
        if self.failed.is_ok() {
            self.failed = Err(failure);
        }
        ControlFlow::Break(())
    }
}

/// The games of a part, and the judge's failures in it.
fn part_with(games: Vec<Recorded>) -> (Vec<RecordedGame>, Vec<Fault>) {
    let (mut kept, mut lost) = (Vec::with_capacity(games.len()), Vec::new());
    for game in games {
        match game {
            Ok(game) => kept.push(game),
            Err(fault) => lost.push(fault),
        }
    }
    (kept, lost)
}

fn nothing_played(fault: &Fault) -> Failure {
    Failure::Judge(format!("the judge failed in each game: {}", fault.detail))
}

fn bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    let template = "{bar:20} {pos}/{len} games  {rate} a second  {eta} left";
    let Ok(style) = ProgressStyle::with_template(template) else { return bar };
    bar.with_style(style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
        // A bar that cannot be written changes no result.
        let _ = write!(out, "{:.0}", state.per_sec());
    }))
}
