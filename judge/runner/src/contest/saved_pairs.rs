//! Pairs built from the rows of a file, in the order of the schedule. A pair with a missing round
//! counts as one in which the judge failed.

use std::path::{Path, PathBuf};

use judge_arena::{Figures, Pair, PairRound};
use judge_core::{Fault, RoundResult, RoundRow, Seat};

use super::Saved;
use crate::Error;
use crate::rounds::source::Source;

/// A pair from a file.
#[derive(Debug)]
pub(crate) struct SavedPair {
    /// Number of its meeting, counted from 0.
    pub(crate) meeting: usize,
    /// The pair. Rounds missing from the file count as judge errors.
    pub(crate) pair: Pair,
    /// Number of its rounds in the file.
    pub(crate) present: usize,
}

/// Converts rows to pairs, in order.
pub(crate) struct SavedPairs<'a> {
    path: PathBuf,
    saved: &'a Saved,
    meeting: usize,
    pair: u64,
    rounds: [Option<PairRound>; 2],
}

impl Saved {
    /// Passes all pairs to `listen`, in order.
    pub(crate) fn pairs(
        &self,
        path: &Path,
        source: &Source,
        listen: &mut dyn FnMut(SavedPair),
    ) -> Result<(), Error> {
        let mut pairs = SavedPairs::new(path, self);
        for row in source.rows() {
            pairs.take(&row?, listen)?;
        }
        pairs.finish(listen);
        Ok(())
    }
}

impl<'a> SavedPairs<'a> {
    pub(crate) fn new(path: &Path, saved: &'a Saved) -> SavedPairs<'a> {
        SavedPairs { path: path.to_owned(), saved, meeting: 0, pair: 0, rounds: [None, None] }
    }

    /// Adds the next row, and passes all earlier pairs to `listen`.
    pub(crate) fn take(
        &mut self,
        row: &RoundRow,
        listen: &mut dyn FnMut(SavedPair),
    ) -> Result<(), Error> {
        let wrong =
            |what: &str| Err(Error::input(&self.path, &format!("round {} {what}", row.round)));
        let Some(place) = self.place(row).filter(|place| *place >= (self.meeting, self.pair))
        else {
            return wrong("does not belong to a meeting at its place");
        };
        let Some(round) = judge_arena::round(row) else { return wrong("contradicts itself") };
        let mut is_next = place == (self.meeting, self.pair);
        if is_next && self.rounds[row.a.index()].is_some() {
            return wrong("is a duplicate");
        }
        while !is_next {
            self.step(listen);
            is_next = place == (self.meeting, self.pair);
        }
        self.rounds[row.a.index()] = Some(round);
        Ok(())
    }

    /// Passes the remaining pairs to `listen`.
    pub(crate) fn finish(mut self, listen: &mut dyn FnMut(SavedPair)) {
        while self.meeting < self.saved.meetings.len() {
            self.step(listen);
        }
    }

    /// The meeting and pair of a row, counted from 0; none if they do not exist.
    fn place(&self, row: &RoundRow) -> Option<(usize, u64)> {
        let meeting = usize::try_from(row.meeting.checked_sub(1)?).ok()?;
        let pair = row.pair?.checked_sub(1)?;
        (pair < self.saved.meetings.get(meeting)?.pairs).then_some((meeting, pair))
    }

    /// Passes the current pair to `listen`, if the meeting has one, and moves to the next.
    fn step(&mut self, listen: &mut dyn FnMut(SavedPair)) {
        let note = &self.saved.meetings[self.meeting];
        if self.pair >= note.pairs {
            (self.meeting, self.pair) = (self.meeting + 1, 0);
            return;
        }
        let present = self.rounds.iter().flatten().count();
        let [one, two] = std::mem::take(&mut self.rounds);
        let rounds =
            [one.unwrap_or_else(|| missing(Seat::One)), two.unwrap_or_else(|| missing(Seat::Two))];
        let seed = self.saved.pairing.seed(note.first.wrapping_add(self.pair));
        let pair = Pair { number: self.pair, seed, rounds };
        listen(SavedPair { meeting: self.meeting, pair, present });
        self.pair += 1;
    }
}

/// A round that is missing from the file, as a judge error.
fn missing(seat: Seat) -> PairRound {
    let outcome = RoundResult { scores: [0, 0], winner: None, reason: String::new() };
    let digest = judge_core::digest(b"");
    let figures = Figures { plies: 0, fuel: [None; 2], memory: [None; 2], digest };
    let fault = Some(Fault::judge("the round is not in the journal"));
    PairRound { seat, outcome, fault, course: 0, figures }
}
