//! Rounds with a program that the caller runs outside the sandbox. They are played once and never
//! stored.

use std::time::Duration;

use judge_core::{GivenAnswers, Player, PlayerFault, RoundRecord, Seat, Usage};
use judge_sandbox::worker::{PlayReply, WorkerError};

use super::blame::{self, FailedAttempt, Failures};
use super::{Station, line_by_line, record};
use crate::pool::{ArenaError, Job, Run};

/// A player of the caller in a seat.
pub(super) struct Guest<'a> {
    pub(super) seat: Seat,
    player: &'a mut dyn Player,
}

impl Player for Guest<'_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.player.notice(line)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.player.ask(line, answer)
    }

    fn usage(&mut self) -> Usage {
        self.player.usage()
    }
}

impl Run {
    /// Plays a round in which `native` has the seat of the native program.
    ///
    /// # Errors
    /// When the round cannot begin at all, or the run was stopped.
    pub fn play_native(
        &self,
        modules: &[&[u8]],
        job: &Job,
        native: &mut dyn Player,
    ) -> Result<RoundRecord, ArenaError> {
        self.tables().check(&job.spec)?;
        let transcript = match self.station(modules).try_native(job, native) {
            Ok(reply) => reply.transcript,
            Err(failed) => Failures::default()
                .take(&failed, false)
                .unwrap_or_else(|| blame::judges(&failed.error)),
        };
        if self.stop().is_asked() {
            return Err(ArenaError::Stopped);
        }
        Ok(record(self, &job.spec, &transcript)?)
    }
}

impl Station<'_> {
    /// Plays it with the bots line by line, because the program answers here.
    fn try_native(
        &mut self,
        job: &Job,
        player: &mut dyn Player,
    ) -> Result<PlayReply, FailedAttempt> {
        let no_seat = || WorkerError::Failed("no native program has a seat".to_owned());
        let seat = job.spec.native().ok_or_else(|| FailedAttempt::unblamed(no_seat(), false))?;
        let (run, given) = (self.run, GivenAnswers::default());
        let deadline = run.pool().deadline(&job.spec);
        let workers = match job.modules.into_iter().flatten().next() {
            Some(_) => self.ready(job, deadline, &mut Duration::default())?.bots(job),
            None => [None, None],
        };
        line_by_line(run, workers, job, &given, deadline, Some(Guest { seat, player }))
    }
}
