//! Collects the games of a recording, and writes each part when it is complete.

use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, MutexGuard, PoisonError};

use judge_arena::{Recorded, Recorder};
use judge_core::{Fault, RecordedGame};
use judge_report::recording::RecordingFormat;

use super::folder::Folder;
use super::outcome::Counts;
use crate::Error;

/// Writes a part in the thread that finished it.
pub(super) struct Writer<'a> {
    folder: &'a Folder,
    /// The numbers of the parts to make.
    missing: &'a [usize],
    /// The games of every part.
    parts: &'a [Range<u64>],
    about: Vec<(&'static str, String)>,
    state: Mutex<WriterState>,
}

struct WriterState {
    counts: Counts,
    failed: Result<(), Error>,
}

impl<'a> Writer<'a> {
    /// Creates a writer for these parts.
    pub(super) fn new(
        folder: &'a Folder,
        formats: &[RecordingFormat],
        missing: &'a [usize],
        about: Vec<(&'static str, String)>,
        parts: &'a [Range<u64>],
    ) -> Writer<'a> {
        let counts = Counts::new(formats.contains(&RecordingFormat::Csv));
        let state = Mutex::new(WriterState { counts, failed: Ok(()) });
        Writer { folder, missing, parts, about, state }
    }

    /// The games of each part to make.
    pub(super) fn games(&self) -> Vec<Range<u64>> {
        self.missing.iter().map(|part| self.parts[*part].clone()).collect()
    }

    /// Returns the counts of all written parts, or the first failure.
    pub(super) fn finish(&self) -> Result<Counts, Error> {
        let mut state = self.state();
        std::mem::replace(&mut state.failed, Ok(()))?;
        Ok(std::mem::take(&mut state.counts))
    }

    /// Writes a part, and returns its size in bytes.
    fn write(&self, part: usize, games: &[RecordedGame]) -> Result<u64, Error> {
        let mut bytes = 0;
        for table in self.folder.tables() {
            let file = table.render(games, &self.about)?;
            self.folder.write(*table, part, &file)?;
            bytes += file.len() as u64;
        }
        Ok(bytes)
    }

    fn state(&self) -> MutexGuard<'_, WriterState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorder for Writer<'_> {
    fn played(&self, _game: &Recorded) -> ControlFlow<()> {
        ControlFlow::Continue(())
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
                state.counts.add(&games, bytes);
                ControlFlow::Continue(())
            }
            Err(failure) => state.fail(failure),
        }
    }
}

impl WriterState {
    /// Skips a part in which the judge failed. A part has all its games or does not exist, so that
    /// the next run plays them again.
    fn lose(&mut self, kept: &[RecordedGame], lost: &[Fault]) -> ControlFlow<()> {
        match lost.first() {
            // If nothing has succeeded so far, nothing will.
            Some(fault) if kept.is_empty() && self.counts.games == 0 => {
                self.fail(nothing_played(fault))
            }
            _ => {
                self.counts.lose(lost);
                ControlFlow::Continue(())
            }
        }
    }

    /// Ends the recording. The first failure is the one to report.
    fn fail(&mut self, failure: Error) -> ControlFlow<()> {
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

fn nothing_played(fault: &Fault) -> Error {
    Error::Judge(format!("the judge failed in each game: {}", fault.detail))
}
