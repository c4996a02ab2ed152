//! A bot in a process of its own, line by line: how two bots meet. Neither process holds anything of
//! the other's, nor knows the match's luck.

use std::time::Duration;

use judge_core::{Limits, Player, PlayerFault, Seat, Seed, Usage, Verdict};
use judge_sandbox::worker::{Supervisor, Told, WorkerError};

/// A seated bot of a worker, as a player.
pub(super) struct RemotePlayer<'a> {
    worker: &'a mut Supervisor,
    /// For each reply.
    deadline: Duration,
    /// Nanoseconds of wall clock inside the bot, as the worker tells it.
    pub(super) bot_ns: u64,
    /// How the process failed, if it did.
    pub(super) failure: Option<WorkerError>,
}

impl<'a> RemotePlayer<'a> {
    pub(super) fn new(worker: &'a mut Supervisor, deadline: Duration) -> RemotePlayer<'a> {
        RemotePlayer { worker, deadline, bot_ns: 0, failure: None }
    }

    /// Seats the bot.
    pub(super) fn begin(
        &mut self,
        limits: &Limits,
        seat: Seat,
        random: Seed,
    ) -> Result<(), WorkerError> {
        self.worker.begin(limits, seat, random, self.deadline)
    }

    fn tell(&mut self, line: &str, question: bool) -> Result<Told, PlayerFault> {
        match self.worker.tell(line, question, self.deadline) {
            Ok(Ok(told)) => {
                self.bot_ns = self.bot_ns.saturating_add(told.bot_ns);
                Ok(told)
            }
            // The engine failed around it.
            Ok(Err(fault)) if fault.verdict == Verdict::JudgeError => {
                Err(self.fail(WorkerError::Broke(fault.detail)))
            }
            Ok(Err(fault)) => Err(fault),
            Err(error) => Err(self.fail(error)),
        }
    }

    fn fail(&mut self, error: WorkerError) -> PlayerFault {
        let fault = PlayerFault::new(Verdict::JudgeError, error.to_string());
        self.failure = Some(error);
        fault
    }
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
        let used = self.worker.finish(self.deadline);
        used.unwrap_or_else(|error| {
            self.failure = Some(error);
            Usage::default()
        })
    }
}
