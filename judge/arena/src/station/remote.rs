//! A bot in a process of its own, line by line: how two bots meet. Neither process holds anything of
//! the other's, nor knows the match's luck.

use std::time::{Duration, Instant};

use judge_core::{Limits, Player, PlayerFault, Seat, Seed, Usage, Verdict};
use judge_sandbox::NO_MEMORY;
use judge_sandbox::worker::{Supervisor, Told, WorkerError};

/// Least time for a reply, whatever the replies before it took.
const LEAST: Duration = Duration::from_secs(30);

/// A seated bot of a worker, as a player.
pub(super) struct RemotePlayer<'a> {
    worker: &'a mut Supervisor,
    limits: Limits,
    /// Time left for its replies in this match.
    left: Duration,
    /// Fuel that it has spent, as its worker tells.
    fuel: u64,
    /// Nanoseconds of wall clock inside the bot, as its worker tells.
    pub(super) bot_ns: u64,
    /// How the process failed, if it did.
    pub(super) failure: Option<WorkerError>,
}

impl<'a> RemotePlayer<'a> {
    pub(super) fn new(
        worker: &'a mut Supervisor,
        limits: Limits,
        deadline: Duration,
    ) -> RemotePlayer<'a> {
        RemotePlayer { worker, limits, left: deadline, fuel: 0, bot_ns: 0, failure: None }
    }

    /// Seats the bot.
    pub(super) fn begin(&mut self, seat: Seat, random: Seed) -> Result<(), WorkerError> {
        self.worker.begin(&self.limits, seat, random, self.left)
    }

    fn tell(&mut self, line: &str, question: bool) -> Result<Told, PlayerFault> {
        let begin = Instant::now();
        let replied = self.worker.tell(line, question, self.left.max(LEAST));
        self.left = self.left.saturating_sub(begin.elapsed());
        match replied.map_err(|error| self.fail(error))? {
            Ok(told) => self.checked(told),
            // The engine failed around it.
            Err(fault) if fault.verdict == Verdict::JudgeError => {
                Err(self.fail(engine_failure(fault.detail)))
            }
            Err(fault) if is_possible(&fault) => Err(fault),
            Err(_) => Err(self.fail(WorkerError::Impossible("an impossible fault".to_owned()))),
        }
    }

    /// What was told, if it is within the limits: nothing of another bot's process is believed.
    fn checked(&mut self, told: Told) -> Result<Told, PlayerFault> {
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

/// A failure of the engine, as a worker words it.
pub(super) fn engine_failure(detail: String) -> WorkerError {
    if detail == NO_MEMORY { WorkerError::NoRoom } else { WorkerError::Broke(detail) }
}

/// Whether a sandbox puts such a fault down to a bot. Moves are judged by the rules.
fn is_possible(fault: &PlayerFault) -> bool {
    let short = fault.detail.len() <= judge_referee::MAX_DETAIL;
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
            let within = used.peak_memory_bytes <= self.limits.memory_bytes
                && used.log.len() as u64 <= self.limits.log_bytes;
            let impossible = || WorkerError::Impossible("more than the limits allow".to_owned());
            if within { Ok(used) } else { Err(impossible()) }
        });
        used.unwrap_or_else(|error| {
            self.failure = Some(error);
            Usage::default()
        })
    }
}
