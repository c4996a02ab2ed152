//! Rounds between the same two bots, played at the same time. A bot gets its notices together with
//! its next question, for all its rounds in one message, so that the system has little to carry.

use std::time::{Duration, Instant};

use judge_core::{BySeat, Fault, PlayerFault, RoundSpec, Seat, Transcript};
use judge_referee::{NextStep, OpenRound, SetupError};
use judge_sandbox::random_seed;
use judge_sandbox::worker::{
    BotTurn, BotTurnReply, PlayReply, PlayTiming, Supervisor, WorkerError,
};

use super::blame::FailedAttempt;
use super::remote::{ReplyClock, UsageCheck, seating};
use crate::Stop;
use crate::pool::Job;

/// Result of a batch: none for a round that has to be played line by line.
pub(super) type BatchResult = Result<Vec<Option<PlayReply>>, FailedAttempt>;

/// Plays the rounds with the two workers, at most [`judge_sandbox::SLOTS`] of them.
/// Each job has the positions of its seats' workers.
///
/// # Errors
/// When a worker fails, whichever round made it fail, or the run was stopped.
pub(super) fn play_batch(
    workers: &mut [Supervisor; 2],
    jobs: &[(&Job, BySeat<usize>)],
    deadline: Duration,
    stop: &Stop,
) -> BatchResult {
    let begin = Instant::now();
    let judges = |error: SetupError| failed(WorkerError::Failed(error.to_string()));
    let rounds: Result<Vec<_>, _> =
        jobs.iter().map(|(job, workers)| BatchRound::start(&job.spec, *workers)).collect();
    let mut rounds = rounds.map_err(judges)?;
    let mut clocks = workers.each_ref().map(|worker| ReplyClock::new(worker, deadline));
    loop {
        if stop.is_asked() {
            return Err(failed(WorkerError::Failed("stopped".to_owned())));
        }
        // Both workers play while this process waits for the first.
        let mut sent = Vec::new();
        for (at, worker) in workers.iter_mut().enumerate() {
            let (turns, seats) = turns(&mut rounds, at);
            if !turns.is_empty() {
                let left = clocks[at].left().map_err(failed)?;
                sent.push((at, worker.send_turns(turns, left).map_err(failed)?, seats, left));
            }
        }
        if sent.is_empty() {
            break;
        }
        for (at, turns, seats, left) in sent {
            let (waits, worker) = (Instant::now(), &mut workers[at]);
            let replies = worker.turn_replies(&turns, left).map_err(failed)?;
            clocks[at].spend(worker, waits.elapsed());
            for (reply, (round, seat)) in std::iter::zip(replies, seats) {
                rounds[round].take(seat, reply).map_err(failed)?;
            }
        }
    }
    let count = u32::try_from(rounds.len().max(1)).unwrap_or(u32::MAX);
    let total_ns = u64::try_from((begin.elapsed() / count).as_nanos()).unwrap_or(u64::MAX);
    Ok(rounds.into_iter().map(|round| round.end(total_ns)).collect())
}

/// The turns for the worker at a position, with the round and seat of each.
fn turns(rounds: &mut [BatchRound<'_>], worker: usize) -> (Vec<BotTurn>, Vec<(usize, Seat)>) {
    let mut turns = (Vec::new(), Vec::new());
    for (number, round) in rounds.iter_mut().enumerate() {
        let workers = round.workers;
        for seat in Seat::BOTH.into_iter().filter(|seat| workers[*seat] == worker) {
            if let Some(turn) = round.turn(seat, number) {
                turns.0.push(turn);
                turns.1.push((number, seat));
            }
        }
    }
    turns
}

/// A failed batch. No round of it is to blame: each is played again, line by line.
fn failed(error: WorkerError) -> FailedAttempt {
    FailedAttempt::unblamed(error, true)
}

/// A round of a batch.
struct BatchRound<'a> {
    spec: &'a RoundSpec,
    round: OpenRound,
    /// Positions of the bots' workers.
    workers: BySeat<usize>,
    bots: BySeat<BatchBot>,
    transcript: Transcript,
    bot_ns: u64,
    /// True if a bot failed on a notice that it got late. Meanwhile the other bot may have got
    /// lines that it would not have seen.
    is_doubtful: bool,
}

/// A bot in a round of a batch.
struct BatchBot {
    begun: bool,
    /// Lines that it has not got yet, each with a line feed.
    lines: String,
    /// Their numbers among all lines of the round.
    calls: Vec<u32>,
    progress: BotProgress,
    check: UsageCheck,
}

/// The next step of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BotProgress {
    /// It waits for a question.
    Waits,
    /// It is asked the last of its lines.
    Asked,
    /// The round is over for it after its lines.
    Leaves,
    Left,
}

impl<'a> BatchRound<'a> {
    fn start(spec: &'a RoundSpec, workers: BySeat<usize>) -> Result<BatchRound<'a>, SetupError> {
        let bots = BySeat::from_fn(|_| BatchBot {
            begun: false,
            lines: String::new(),
            calls: Vec::new(),
            progress: BotProgress::Waits,
            check: UsageCheck::new(spec.limits),
        });
        let (round, transcript) = (OpenRound::start(spec)?, Transcript::default());
        let (bot_ns, is_doubtful) = (0, false);
        let mut round = BatchRound { spec, round, workers, bots, transcript, bot_ns, is_doubtful };
        round.advance();
        Ok(round)
    }

    /// Collects lines up to the next question, or to the end of the round.
    fn advance(&mut self) {
        loop {
            let (seat, progress) = match self.round.step() {
                NextStep::Tell(seat) => (seat, BotProgress::Waits),
                NextStep::Ask(seat) => (seat, BotProgress::Asked),
                NextStep::End(_) => return self.leave(),
            };
            let bot = &mut self.bots[seat];
            bot.lines.push_str(self.round.line());
            bot.lines.push('\n');
            bot.calls.push(self.round.call());
            bot.progress = progress;
            if progress == BotProgress::Asked {
                return;
            }
        }
    }

    /// Ends the round after the lines that the bots have not got yet.
    fn leave(&mut self) {
        for bot in self.bots.iter_mut().filter(|bot| bot.progress != BotProgress::Left) {
            bot.progress = BotProgress::Leaves;
            if self.is_doubtful {
                bot.lines.clear();
            }
        }
    }

    /// The next turn of the bot in that seat, if it has one.
    fn turn(&mut self, seat: Seat, number: usize) -> Option<BotTurn> {
        let bot = &mut self.bots[seat];
        if matches!(bot.progress, BotProgress::Waits | BotProgress::Left) {
            return None;
        }
        let new = !std::mem::replace(&mut bot.begun, true);
        let random = new.then(|| random_seed(self.spec.seed, seat));
        let begin = random.map(|random| Box::new(seating(self.spec.limits, seat, random)));
        let lines = std::mem::take(&mut bot.lines);
        let (question, finish) =
            (bot.progress == BotProgress::Asked, bot.progress == BotProgress::Leaves);
        let slot = u8::try_from(number).unwrap_or(u8::MAX);
        Some(BotTurn { slot, begin, lines, question, finish })
    }

    /// Applies the reply to the last turn of the bot in that seat.
    fn take(&mut self, seat: Seat, reply: BotTurnReply) -> Result<(), WorkerError> {
        self.bot_ns = self.bot_ns.saturating_add(reply.bot_ns);
        let bot = &mut self.bots[seat];
        let (calls, asked) = (std::mem::take(&mut bot.calls), bot.progress == BotProgress::Asked);
        let told = &mut self.transcript.seats[seat];
        let returned = reply.fuel.len();
        for fuel in reply.fuel {
            told.fuel.push(bot.check.called(fuel)?);
        }
        let fault = reply.fault.map(|fault| bot.check.failed(fault)).transpose()?;
        bot.progress = BotProgress::Waits;
        if let Some(used) = reply.usage {
            bot.progress = BotProgress::Left;
            told.set_usage(bot.check.finished(used)?);
        }
        if let Some(fault) = fault {
            let call = calls.get(returned).copied();
            let PlayerFault { verdict, detail } = fault;
            self.transcript.fault = Some(Fault { seat: Some(seat), verdict, detail, call });
            self.is_doubtful |= !asked || returned + 1 < calls.len();
            self.leave();
        } else if asked {
            match self.round.answer(seat, &reply.answer) {
                Ok(()) => self.advance(),
                // The rules find an illegal answer again.
                Err(_) => self.leave(),
            }
            self.transcript.seats[seat].answers.push(reply.answer);
        }
        Ok(())
    }

    /// The round as a worker would report it.
    fn end(self, total_ns: u64) -> Option<PlayReply> {
        let timing = PlayTiming { total_ns, bot_ns: self.bot_ns };
        (!self.is_doubtful).then_some(PlayReply { transcript: self.transcript, timing })
    }
}
