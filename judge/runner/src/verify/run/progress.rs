//! The state of each meeting of a run as its pairs are read: sums, the point where it should end,
//! and missing rounds.

use judge_arena::PairTally;
use judge_statistics::Sprt;

use super::super::FirstProblem;
use super::missing::Missing;
use crate::contest::{Saved, SavedPair, Starts};

/// The meetings of a run so far.
pub(super) struct Progress<'a> {
    sprt: Option<Sprt>,
    starts: Starts<'a>,
    meetings: Vec<CheckedMeeting>,
    missing: Missing,
}

/// One meeting so far.
#[derive(Debug, Clone, Default)]
struct CheckedMeeting {
    tally: PairTally,
    /// Number of pairs after which its own rules end it.
    end: Option<u64>,
    is_whole: bool,
}

impl<'a> Progress<'a> {
    pub(super) fn new(saved: &'a Saved, sprt: Option<Sprt>) -> Progress<'a> {
        let whole = CheckedMeeting { is_whole: true, ..CheckedMeeting::default() };
        Progress {
            sprt,
            starts: Starts::new(saved.game, &saved.pairing),
            meetings: vec![whole; saved.meetings.len()],
            missing: Missing::default(),
        }
    }

    /// Adds the next pair.
    pub(super) fn take(&mut self, saved: &SavedPair) {
        let SavedPair { meeting: number, pair, present } = saved;
        self.missing.take(*number, pair.number, *present);
        // Only a test depends on which pairs start alike.
        let start = match self.sprt {
            Some(_) if *present > 0 => self.starts.number(pair.number),
            _ => pair.number,
        };
        let meeting = &mut self.meetings[*number];
        meeting.is_whole &= *present == 2;
        meeting.tally.add(pair, start);
        if meeting.end.is_none() {
            meeting.end = meeting.tally.end(self.sprt.as_ref()).map(|_| pair.number + 1);
        }
    }

    /// Fails if a complete meeting ends at the wrong point. It must end after its last pair, or
    /// earlier if its rounds end it.
    pub(super) fn check_end(
        &self,
        number: usize,
        pairs: u64,
        planned: u64,
    ) -> Result<(), FirstProblem> {
        let meeting = &self.meetings[number];
        let expected = meeting.end.unwrap_or(planned);
        if pairs > 0 && (pairs == expected || !meeting.is_whole) {
            return Ok(());
        }
        let what = match pairs < expected {
            true => "it ends before its last pair, and its rounds give no reason for that",
            false => "it continues after its end",
        };
        let problem = FirstProblem::new(format!("meetings[{number}].pairs"), what);
        Err(problem.with(pairs.to_string(), expected.to_string()))
    }

    /// True if no round is missing.
    pub(super) fn is_whole(&self) -> bool {
        self.meetings.iter().all(|meeting| meeting.is_whole)
    }

    /// Rounds that the first player of a meeting won, drew and lost.
    pub(super) fn results(&self, number: usize) -> [u64; 3] {
        self.meetings[number].tally.table.results()
    }

    pub(super) fn into_missing(self) -> Missing {
        self.missing
    }
}
