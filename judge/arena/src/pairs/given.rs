//! Pairs of rounds with given answers, which are never stored.

use judge_core::{GivenAnswers, Seat};
use judge_referee::RoundOutline;

use super::{InOrder, PairFlow, PairStep, Pairing};
use crate::given_rounds::GivenRound;
use crate::pool::{ArenaError, Believed, Job, Run};

/// Pairs sent to the pool at once. All of them are played even if an early one decides a test.
const BATCH: u64 = 64;

impl Pairing {
    /// Plays up to the given number of pairs as [`Pairing::play`] does, but the rounds are those
    /// of `round`, which gets the number of the pair and the seat of the first player.
    ///
    /// # Errors
    /// When a round cannot begin at all, the run was stopped, or `listen` fails.
    pub fn play_given(
        &self,
        run: &Run,
        modules: &[&[u8]],
        pairs: u64,
        round: &dyn Fn(u64, Seat) -> (Job, GivenAnswers),
        listen: &mut dyn FnMut(PairStep<'_>) -> PairFlow,
    ) -> Result<(), ArenaError> {
        let mut first = 0;
        while first < pairs {
            let count = BATCH.min(pairs - first);
            let numbers = first..first + count;
            let rounds: Vec<(Job, GivenAnswers)> =
                numbers.flat_map(|pair| Seat::BOTH.map(|seat| round(pair, seat))).collect();
            let rounds: Vec<GivenRound<'_>> = rounds
                .iter()
                .map(|(job, given)| GivenRound { job, given: given.clone() })
                .collect();
            let mut queue = InOrder::starting_at(first);
            run.play_given(modules, &rounds, &mut |job, record| {
                let believed = Believed { job, outline: Box::new(RoundOutline::new(&record)) };
                queue.take_believed(&believed, |number| self.seed(number), listen)
            })?;
            if queue.is_closed() {
                break;
            }
            first += count;
        }
        Ok(())
    }
}
