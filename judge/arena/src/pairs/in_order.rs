//! Puts rounds, which finish in any order, together as pairs in numeric order.

use std::collections::BTreeMap;

use judge_core::{BySeat, Seat, Seed};

use super::{Pair, PairFlow, PairRound, PairStep};
use crate::pool::{ArenaError, Believed, Finished};

/// The pair of a job and the first player's seat, which is seat 1 for even jobs.
pub(crate) fn place(job: usize) -> (u64, Seat) {
    (job as u64 / 2, Seat::BOTH[job % 2])
}

/// Rounds that wait for the other round of their pair, and pairs that wait for earlier ones.
#[derive(Default)]
pub(crate) struct InOrder {
    waiting: BTreeMap<u64, BySeat<Option<PairRound>>>,
    /// The number of the first job's pair.
    first: u64,
    /// The next pair in order.
    next: u64,
    /// True after the last pair of interest.
    closed: bool,
}

impl InOrder {
    /// A queue of jobs that starts at the pair of this number.
    pub(crate) fn starting_at(first: u64) -> InOrder {
        InOrder { first, next: first, ..InOrder::default() }
    }

    /// Reports a round and the pairs that it completes, until a test is decided.
    pub(crate) fn take(
        &mut self,
        done: Finished,
        seed: impl Fn(u64) -> Seed,
        listen: &mut dyn FnMut(PairStep<'_>) -> PairFlow,
    ) -> Result<(), ArenaError> {
        let Some(played) = done.played else { return Ok(()) };
        let outline = Box::new(played.outline);
        self.take_believed(&Believed { job: done.job, outline }, seed, listen)
    }

    /// Reports a round by its outline, and the pairs that it completes.
    pub(crate) fn take_believed(
        &mut self,
        Believed { job, outline }: &Believed,
        seed: impl Fn(u64) -> Seed,
        listen: &mut dyn FnMut(PairStep<'_>) -> PairFlow,
    ) -> Result<(), ArenaError> {
        let (pair, seat) = place(*job);
        let (pair, round) = (self.first + pair, PairRound::new(seat, outline));
        let _ = listen(PairStep::Finished { pair, round: &round })?;
        if self.closed {
            return Ok(());
        }
        self.waiting.entry(pair).or_default()[seat] = Some(round);
        while let Some((number, rounds)) = self.next() {
            let pair = Pair { number, seed: seed(number), rounds };
            if listen(PairStep::Complete(&pair))?.is_break() {
                self.close();
            }
        }
        if self.waiting.is_empty() {
            // An empty map keeps a node of several kilobytes, and a tournament has thousands of maps.
            self.waiting = BTreeMap::new();
        }
        Ok(())
    }

    /// The next pair and its number, if it is complete.
    fn next(&mut self) -> Option<(u64, [PairRound; 2])> {
        let rounds = self.waiting.get_mut(&self.next)?;
        if rounds.iter().any(Option::is_none) {
            return None;
        }
        let [one, two] = self.waiting.remove(&self.next)?.into_array();
        let at = self.next;
        self.next += 1;
        Some((at, [one?, two?]))
    }

    /// Drops all waiting rounds and pairs.
    fn close(&mut self) {
        self.closed = true;
        self.waiting.clear();
    }

    /// True if no more pairs are needed.
    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }
}
