//! Plays two players against each other in pairs of rounds: the same luck twice, with the seats
//! swapped. Pairs are reported in numeric order, so the results, and the point at which they
//! suffice, do not depend on the number or speed of workers.

mod given;
mod in_order;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use judge_core::{
    Digest, Fault, FaultDetail, Limits, Options, RoundResult, RoundSpec, Seat, SeatSpec, Seed,
    digest,
};
use judge_referee::RoundOutline;

use crate::pool::{ArenaError, Job, JobStep, Run};
pub(crate) use in_order::{InOrder, place};

/// Pairs sent to the pool at once: enough to make the start of workers negligible, few enough to
/// hold the specifications of all their rounds.
const BATCH: u64 = 8192;

/// The same for other machines, which may be many.
const BATCH_ELSEWHERE: u64 = 32_768;

/// Setting of a meeting: players, game and rules.
#[derive(Debug, Clone)]
pub struct Pairing {
    /// Name of the game in the registry.
    pub game: String,
    /// Rule switches that differ from the game's defaults.
    pub options: Options,
    /// Seed of the first pair; later pairs have the next seeds.
    pub seed: Seed,
    /// Limits of each bot in a round.
    pub limits: Limits,
    /// The two players.
    pub players: [SeatSpec; 2],
    /// For each player that is a bot, the position of its module in the list given to
    /// [`Pairing::play`].
    pub modules: [Option<usize>; 2],
}

/// A round of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairRound {
    /// The first player's seat.
    pub seat: Seat,
    /// The result by the rules. After a fault it is the forfeit; if the fault came after the end of
    /// the game, it keeps the final scores.
    pub outcome: RoundResult,
    /// The failure that ended it, if one did.
    pub fault: Option<Fault>,
    /// A number that is equal for rounds with exactly the same lines and answers.
    pub course: u64,
    /// Length and cost.
    pub figures: Figures,
}

/// Length and cost of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// Number of answers by both sides.
    pub plies: u64,
    /// Fuel of seats 1 and 2; none if it is not counted.
    pub fuel: [Option<u64>; 2],
    /// Peak memory of seats 1 and 2, in bytes; none if it is not measured.
    pub memory: [Option<u64>; 2],
    /// Digest of the record.
    pub digest: Digest,
}

impl Figures {
    /// The figures of a round.
    fn new(outline: &RoundOutline) -> Figures {
        let RoundOutline { plies, fuel, memory, digest, .. } = *outline;
        Figures { plies, fuel, memory, digest }
    }
}

/// Two rounds on the same seed: the first player in seat 1, then in seat 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// Its number, counted from 0.
    pub number: u64,
    /// Seed.
    pub seed: Seed,
    /// The rounds.
    pub rounds: [PairRound; 2],
}

/// The listener's reply to a step: whether to continue, or an error.
pub type PairFlow = Result<ControlFlow<()>, ArenaError>;

/// Event in the rounds of two players.
#[derive(Debug)]
pub enum PairStep<'a> {
    /// A round is about to be played or found.
    Begun {
        /// The number of its pair, counted from 0.
        pair: u64,
        /// The first player's seat in it.
        seat: Seat,
    },
    /// A round is finished. Rounds begin and finish in any order.
    Finished {
        /// The number of its pair, counted from 0.
        pair: u64,
        /// The round.
        round: &'a PairRound,
    },
    /// Both rounds of the next pair are finished. Pairs come in order.
    Complete(&'a Pair),
}

impl PairRound {
    /// The result of a round for the first player in `seat`.
    pub fn new(seat: Seat, outline: &RoundOutline) -> PairRound {
        let told = outline.final_scores;
        let fault = outline.fault.clone();
        PairRound {
            seat,
            outcome: RoundResult {
                scores: told.unwrap_or(outline.outcome.scores),
                ..outline.outcome.clone()
            },
            fault: fault.map(|fault| if told.is_some() { at_end(fault) } else { fault }),
            course: outline.course,
            figures: Figures::new(outline),
        }
    }

    /// The first player's points, doubled: 0, 1 or 2.
    pub fn half_points(&self) -> usize {
        match self.outcome.winner {
            None => 1,
            Some(winner) if winner == self.seat => 2,
            Some(_) => 0,
        }
    }

    /// The first player's score minus the other's.
    pub fn difference(&self) -> i64 {
        let [own, other] = [self.seat, self.seat.other()].map(|seat| self.outcome.score(seat));
        own.saturating_sub(other)
    }

    /// The player that failed, if one did.
    pub fn failed(&self) -> Option<usize> {
        let seat = self.fault.as_ref()?.seat?;
        Some(usize::from(seat != self.seat))
    }

    /// True if the judge failed, so that the round is no evidence about either player.
    pub fn is_judge_error(&self) -> bool {
        self.fault.as_ref().is_some_and(|fault| fault.seat.is_none())
    }
}

/// Marks a fault after the end of the game, which the lines before it do not explain.
fn at_end(fault: Fault) -> Fault {
    match fault.detail {
        FaultDetail::Other(text) if !text.contains("`end") => {
            Fault { detail: format!("{text}, at the line `end`").into(), ..fault }
        }
        _ => fault,
    }
}

impl Pair {
    /// A number that is equal for pairs in which both rounds have exactly the same lines.
    pub fn course(&self) -> u64 {
        let [one, two] = self.rounds.each_ref().map(|round| round.course.to_le_bytes());
        digest(&[one, two].concat()).number()
    }
}

impl Pairing {
    /// The seed of that pair.
    pub fn seed(&self, pair: u64) -> Seed {
        Seed(self.seed.0.wrapping_add(pair))
    }

    /// The round of a pair with the first player in that seat.
    pub fn job(&self, pair: u64, seat: Seat) -> Job {
        let (mut seats, mut modules) = (self.players.clone(), self.modules);
        if seat == Seat::Two {
            seats.reverse();
            modules.reverse();
        }
        let (game, options) = (self.game.clone(), self.options.clone());
        let spec = RoundSpec { game, options, seed: self.seed(pair), seats, limits: self.limits };
        Job { spec, modules: modules.into() }
    }

    /// Plays up to the given number of pairs and reports every step to `listen`, until it ends the
    /// meeting. The journal keeps rounds that other workers have played beyond the last pair, but
    /// those pairs are not reported.
    ///
    /// # Errors
    /// When a round cannot begin at all, the journal fails, or `listen` does. No further round
    /// begins then.
    pub fn play(
        &self,
        run: &Run,
        modules: &[&[u8]],
        pairs: u64,
        listen: &mut dyn FnMut(PairStep<'_>) -> PairFlow,
    ) -> Result<(), ArenaError> {
        let mut first = 0;
        while first < pairs {
            let batch = if run.pool().machines().is_some() { BATCH_ELSEWHERE } else { BATCH };
            let count = batch.min(pairs - first);
            if self.play_batch(run, modules, first..first + count, listen)?.is_break() {
                break;
            }
            first += count;
        }
        Ok(())
    }

    fn play_batch(
        &self,
        run: &Run,
        modules: &[&[u8]],
        numbers: std::ops::Range<u64>,
        listen: &mut dyn FnMut(PairStep<'_>) -> PairFlow,
    ) -> Result<ControlFlow<()>, ArenaError> {
        let first = numbers.start;
        let jobs: Vec<Job> =
            numbers.flat_map(|pair| Seat::BOTH.map(|seat| self.job(pair, seat))).collect();
        let enough = AtomicBool::new(false);
        let mut queue = InOrder::starting_at(first);
        let needless = |_| enough.load(Ordering::Relaxed);
        run.believing().play_steps(modules, &jobs, &needless, &mut |step| {
            match step {
                JobStep::Begun(job) => {
                    let (pair, seat) = place(job);
                    let _ = listen(PairStep::Begun { pair: first + pair, seat })?;
                }
                JobStep::Finished(done) => queue.take(done, |number| self.seed(number), listen)?,
                JobStep::Believed(believed) => {
                    queue.take_believed(&believed, |number| self.seed(number), listen)?;
                }
            }
            enough.store(queue.is_closed(), Ordering::Relaxed);
            Ok(Vec::new())
        })?;
        Ok(if queue.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}
