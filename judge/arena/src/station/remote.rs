//! A bot in a separate process, called line by line, for rounds between two bots. Neither process
//! has data of the other bot, or the luck of the round.

use std::time::{Duration, Instant};

use judge_core::{FaultDetail, Limits, LogPart, Player, PlayerFault, Seat, Seed, Usage, Verdict};
use judge_sandbox::worker::{LineResult, Supervisor, WorkerError};

/// Least time for a reply while the round has any time left.
const LEAST: Duration = Duration::from_secs(1);

/// Wall clock of a reply above which the worker's real processor time is read from the system.
const SLOW: Duration = Duration::from_millis(100);

pub(super) struct RemotePlayer<'a> {
    worker: &'a mut Supervisor,
    limits: Limits,
    /// Time for all its replies in this round, which many slow replies must not extend.
    deadline: Duration,
    /// Remaining time.
    left: Duration,
    /// Processor time of its worker before the round, where the system reports it.
    before: Option<Duration>,
    /// Fuel used, as reported by its worker.
    fuel: u64,
    calls: u32,
    /// Nanoseconds of wall clock inside the bot, as reported by its worker.
    pub(super) bot_ns: u64,
    /// Failure of the process, if any.
    pub(super) failure: Option<WorkerError>,
}

impl<'a> RemotePlayer<'a> {
    pub(super) fn new(
        worker: &'a mut Supervisor,
        limits: Limits,
        deadline: Duration,
    ) -> RemotePlayer<'a> {
        let before = worker.processor_time();
        let (left, failure) = (deadline, None);
        let (fuel, calls, bot_ns) = (0, 0, 0);
        RemotePlayer { worker, limits, deadline, left, before, fuel, calls, bot_ns, failure }
    }

    /// Seats the bot.
    pub(super) fn begin(&mut self, seat: Seat, random: Seed) -> Result<(), WorkerError> {
        self.worker.begin(&self.limits, seat, random, self.left)
    }

    fn tell(&mut self, line: &str, question: bool) -> Result<LineResult, PlayerFault> {
        if self.left.is_zero() {
            return Err(self.fail(WorkerError::Deadline(self.deadline.as_secs())));
        }
        self.calls = self.calls.saturating_add(1);
        let begin = Instant::now();
        let replied = self.worker.tell(line, question, self.left.max(LEAST));
        self.spend(begin.elapsed());
        match replied.map_err(|error| self.fail(error))? {
            Ok(told) => self.checked(told),
            // The engine failed, not the bot.
            Err(fault) if fault.verdict == Verdict::JudgeError => {
                Err(self.fail(engine_failure(fault.detail)))
            }
            Err(fault) if is_possible(&fault) => Err(fault),
            Err(_) => Err(self.fail(WorkerError::Impossible("an impossible fault".to_owned()))),
        }
    }

    /// Subtracts a reply's time from the remaining time: by the wall clock if it was short, or else
    /// by the processor time of all replies, because a busy machine is not the bot's fault.
    fn spend(&mut self, elapsed: Duration) {
        let now = if elapsed > SLOW { self.worker.processor_time() } else { None };
        self.left = match (self.before, now) {
            (Some(before), Some(now)) => self.deadline.saturating_sub(now.saturating_sub(before)),
            _ => self.left.saturating_sub(elapsed),
        };
    }

    /// Checks the reply against the limits: a bot's process is not trusted.
    fn checked(&mut self, told: LineResult) -> Result<LineResult, PlayerFault> {
        let fuel = told.fuel.and_then(|fuel| self.fuel.checked_add(fuel));
        let Some(fuel) = fuel.filter(|fuel| *fuel <= self.limits.fuel) else {
            return Err(self.fail(WorkerError::Impossible("more fuel than there was".to_owned())));
        };
        self.fuel = fuel;
        self.bot_ns = self.bot_ns.saturating_add(told.bot_ns);
        Ok(told)
    }

    fn fail(&mut self, error: WorkerError) -> PlayerFault {
        let fault = PlayerFault::new(Verdict::JudgeError, error.to_string());
        self.failure = Some(error);
        fault
    }
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
        let used = self.worker.finish(self.left.max(LEAST)).and_then(|used| {
            let impossible = |what: &str| WorkerError::Impossible(what.to_owned());
            let within = used.peak_memory_bytes <= self.limits.memory_bytes
                && used.log.len() as u64 <= self.limits.log_bytes;
            match (within, has_possible_parts(&used, self.calls)) {
                (true, true) => Ok(used),
                (false, _) => Err(impossible("more than the limits allow")),
                (_, false) => Err(impossible("impossible parts of a log")),
            }
        });
        used.unwrap_or_else(|error| {
            self.failure = Some(error);
            Usage::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_log_that_no_call_wrote_are_impossible() {
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
    fn want_of_memory_is_told_apart_from_an_engine_that_breaks() {
        let no_memory = PlayerFault::no_memory().with_moment("after `discard?`");
        assert!(matches!(engine_failure(no_memory.detail), WorkerError::NoRoom));
        let broken = FaultDetail::from("the engine failed: a bug");
        assert!(
            matches!(engine_failure(broken), WorkerError::Broke(words) if words.ends_with("a bug"))
        );
    }
}
