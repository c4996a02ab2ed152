//! A bot in a separate process, called line by line, for rounds between two bots. Neither process
//! has data of the other bot, or the luck of the round.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use judge_core::{FaultDetail, Limits, LogPart, Player, PlayerFault, Seat, Seed, Usage, Verdict};
use judge_sandbox::worker::{LineResult, Seating, Supervisor, TellError, WorkerError};

/// Least time for a reply while the round has any time left.
const LEAST: Duration = Duration::from_secs(1);

/// Wall clock of a reply above which the worker's real processor time is read from the system.
const SLOW: Duration = Duration::from_millis(100);

/// The time that a worker may take for all its replies, which many slow replies must not extend.
pub(super) struct ReplyClock {
    deadline: Duration,
    left: Duration,
    /// Processor time of the worker before the first reply, where the system reports it.
    before: Option<Duration>,
}

impl ReplyClock {
    pub(super) fn new(worker: &Supervisor, deadline: Duration) -> ReplyClock {
        ReplyClock { deadline, left: deadline, before: worker.processor_time() }
    }

    /// Time for the next reply.
    ///
    /// # Errors
    /// When none is left.
    pub(super) fn left(&self) -> Result<Duration, WorkerError> {
        if self.left.is_zero() {
            return Err(WorkerError::Deadline(self.deadline.as_secs()));
        }
        Ok(self.left.max(LEAST))
    }

    /// Subtracts a reply's time from the remaining time: by the wall clock if it was short, or else
    /// by the processor time of all replies, because a busy machine is not the bot's fault.
    pub(super) fn spend(&mut self, worker: &Supervisor, elapsed: Duration) {
        let now = if elapsed > SLOW { worker.processor_time() } else { None };
        self.left = match (self.before, now) {
            (Some(before), Some(now)) => self.deadline.saturating_sub(now.saturating_sub(before)),
            _ => self.left.saturating_sub(elapsed),
        };
    }
}

/// The resources of a bot in a round so far, as its worker reports them. The worker is not trusted.
pub(super) struct UsageCheck {
    limits: Limits,
    fuel: u64,
    calls: u32,
}

impl UsageCheck {
    pub(super) fn new(limits: Limits) -> UsageCheck {
        UsageCheck { limits, fuel: 0, calls: 0 }
    }

    /// Adds a call, and its fuel if the bot returned.
    ///
    /// # Errors
    /// When the bot cannot have used that.
    pub(super) fn called(&mut self, fuel: Option<u64>) -> Result<u64, WorkerError> {
        self.calls = self.calls.saturating_add(1);
        let total = fuel.and_then(|fuel| self.fuel.checked_add(fuel));
        let (Some(fuel), Some(total)) = (fuel, total.filter(|total| *total <= self.limits.fuel))
        else {
            return Err(impossible("more fuel than there was"));
        };
        self.fuel = total;
        Ok(fuel)
    }

    /// Adds a call on which the bot failed.
    ///
    /// # Errors
    /// When the engine failed, or no bot fails like that.
    pub(super) fn failed(&mut self, fault: PlayerFault) -> Result<PlayerFault, WorkerError> {
        self.calls = self.calls.saturating_add(1);
        // The engine failed, not the bot.
        if fault.verdict == Verdict::JudgeError {
            return Err(engine_failure(fault.detail));
        }
        if is_possible(&fault) { Ok(fault) } else { Err(impossible("an impossible fault")) }
    }

    /// Checks the usage of the whole round.
    ///
    /// # Errors
    /// When the bot cannot have used that.
    pub(super) fn finished(&self, used: Usage) -> Result<Usage, WorkerError> {
        let within = used.peak_memory_bytes <= self.limits.memory_bytes
            && used.log.len() as u64 <= self.limits.log_bytes;
        match (within, has_possible_parts(&used, self.calls)) {
            (true, true) => Ok(used),
            (false, _) => Err(impossible("more than the limits allow")),
            (_, false) => Err(impossible("impossible parts of a log")),
        }
    }
}

fn impossible(what: &str) -> WorkerError {
    WorkerError::Impossible(what.to_owned())
}

pub(super) struct RemotePlayer<'a> {
    worker: &'a mut Supervisor,
    limits: Limits,
    clock: ReplyClock,
    check: UsageCheck,
    /// Nanoseconds of wall clock inside the bot, as reported by its worker.
    pub(super) bot_ns: u64,
    /// Failure of the process, if any.
    pub(super) failure: Option<WorkerError>,
    /// Resources of the first instance of the bot, if it was started again.
    first: Option<Usage>,
}

impl<'a> RemotePlayer<'a> {
    pub(super) fn new(
        worker: &'a mut Supervisor,
        limits: Limits,
        deadline: Duration,
    ) -> RemotePlayer<'a> {
        let (clock, check) = (ReplyClock::new(worker, deadline), UsageCheck::new(limits));
        RemotePlayer { worker, limits, clock, check, bot_ns: 0, failure: None, first: None }
    }

    /// Seats the bot.
    pub(super) fn begin(&mut self, seat: Seat, random: Seed) -> Result<(), WorkerError> {
        self.worker.begin(seating(self.limits, seat, random), self.clock.left()?)
    }

    /// Seats a new instance of the bot, without the fuel that the earlier ones have spent in the
    /// round. Only the first instance's resources count, as in a round inside one process.
    fn begin_again(&mut self, seat: Seat, random: Seed, spent: u64) -> Result<(), WorkerError> {
        let used = self.finish()?;
        self.first.get_or_insert(used);
        let left = Limits { fuel: self.limits.fuel.saturating_sub(spent), ..self.limits };
        self.check = UsageCheck::new(left);
        self.worker.begin(seating(left, seat, random), self.clock.left()?)
    }

    fn tell(&mut self, line: &str, question: bool) -> Result<LineResult, PlayerFault> {
        self.try_tell(line, question).map_err(|error| match error {
            TellError::Bot(fault) => fault,
            TellError::Worker(error) => self.fail(error),
        })
    }

    fn try_tell(&mut self, line: &str, question: bool) -> Result<LineResult, TellError> {
        if let Some(error) = self.failure.take() {
            return Err(error.into());
        }
        let left = self.clock.left()?;
        let begin = Instant::now();
        let replied = self.worker.tell(line, question, left);
        self.clock.spend(self.worker, begin.elapsed());
        match replied {
            Ok(result) => {
                self.check.called(result.fuel)?;
                self.bot_ns = self.bot_ns.saturating_add(result.bot_ns);
                Ok(result)
            }
            Err(TellError::Bot(fault)) => Err(TellError::Bot(self.check.failed(fault)?)),
            Err(error) => Err(error),
        }
    }

    fn fail(&mut self, error: WorkerError) -> PlayerFault {
        let fault = PlayerFault::new(Verdict::JudgeError, error.to_string());
        self.failure = Some(error);
        fault
    }

    fn finish(&mut self) -> Result<Usage, WorkerError> {
        let used = self.worker.finish(self.clock.left().unwrap_or(LEAST))?;
        self.check.finished(used)
    }
}

/// A bot in its seat of a new round.
pub(super) fn seating(limits: Limits, seat: Seat, random: Seed) -> Seating {
    Seating { limits, seat, random, measured: None, strict: false }
}

/// A failure of the engine, as a worker reports it.
pub(super) fn engine_failure(detail: FaultDetail) -> WorkerError {
    match detail {
        FaultDetail::NoMemory => WorkerError::NoRoom,
        detail => WorkerError::Broke(detail.into()),
    }
}

/// True if a sandbox may give such a fault to a bot. The rules judge the moves.
fn is_possible(fault: &PlayerFault) -> bool {
    let short = fault.detail.as_str().len() <= judge_referee::MAX_DETAIL;
    let possible = match fault.verdict {
        Verdict::TimeLimitExceeded
        | Verdict::MemoryLimitExceeded
        | Verdict::OutputLimitExceeded
        | Verdict::RuntimeError
        | Verdict::ProtocolError
        | Verdict::InvalidModule => true,
        Verdict::Accepted
        | Verdict::BelowThreshold
        | Verdict::IllegalMove
        | Verdict::Resigned
        | Verdict::JudgeError => false,
    };
    short && possible
}

/// True if the parts of the log are possible for that many calls.
fn has_possible_parts(used: &Usage, calls: u32) -> bool {
    let possible = |parts: &Vec<LogPart>| {
        LogPart::fit(parts, used.log.len()) && parts.last().is_none_or(|part| part.call < calls)
    };
    used.log_parts.as_ref().is_none_or(possible)
}

impl Player for RemotePlayer<'_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.tell(line, false).map(|told| told.fuel)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        let told = self.tell(line, true)?;
        answer.push_str(&told.answer);
        Ok(told.fuel)
    }

    fn usage(&mut self) -> Usage {
        if self.failure.is_some() {
            return Usage::default();
        }
        let last = self.finish().unwrap_or_else(|error| {
            self.failure = Some(error);
            Usage::default()
        });
        self.first.take().unwrap_or(last)
    }
}

/// A bot in a separate process that can be started again during its round.
pub(super) struct RestartablePlayer<'a, 'w>(pub(super) &'a RefCell<RemotePlayer<'w>>);

impl<'a, 'w> RestartablePlayer<'a, 'w> {
    /// Starts the bot again. A failure of its process becomes the failure of its next call.
    pub(super) fn again(
        bot: &'a RefCell<RemotePlayer<'w>>,
        seat: Seat,
        random: Seed,
        spent: u64,
    ) -> RestartablePlayer<'a, 'w> {
        let mut player = bot.borrow_mut();
        if let Err(error) = player.begin_again(seat, random, spent) {
            player.failure = Some(error);
        }
        drop(player);
        RestartablePlayer(bot)
    }
}

impl Player for RestartablePlayer<'_, '_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.0.borrow_mut().notice(line)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.0.borrow_mut().ask(line, answer)
    }

    fn usage(&mut self) -> Usage {
        self.0.borrow_mut().usage()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_parts_without_a_call_are_refused() {
        let possible = |parts: Option<&[(u32, u32)]>| {
            let log_parts = parts.map(|parts| parts.iter().map(|part| (*part).into()).collect());
            has_possible_parts(&Usage { log: b"four".to_vec(), log_parts, ..Usage::default() }, 3)
        };
        assert!(possible(None) && possible(Some(&[])));
        assert!(possible(Some(&[(0, 1), (2, 3)])), "the last of three calls");
        assert!(!possible(Some(&[(0, 1), (3, 3)])), "no such call");
        assert!(!possible(Some(&[(0, 1), (2, 4)])), "more than was logged");
        assert!(!possible(Some(&[(2, 1), (0, 1)])), "out of order");
    }

    #[test]
    fn lack_of_memory_and_engine_failures_are_distinguished() {
        let no_memory = PlayerFault::no_memory().with_moment("after `discard?`");
        assert!(matches!(engine_failure(no_memory.detail), WorkerError::NoRoom));
        let broken = FaultDetail::from("the engine failed: a bug");
        assert!(
            matches!(engine_failure(broken), WorkerError::Broke(words) if words.ends_with("a bug"))
        );
    }
}
