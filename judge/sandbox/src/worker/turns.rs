//! The parent's side of rounds with the referee in the parent: lines to the loaded bot, in one round
//! or in several at the same time.

use std::time::Duration;

use judge_core::{PlayerFault, Usage};

use super::message::{BotTurn, BotTurnReply, Inspected, LineResult, Reply, Request, Seating};
use super::{Supervisor, WorkerError};
use crate::Profile;

/// A line to a bot without a result.
#[derive(Debug, thiserror::Error)]
pub enum TellError {
    /// The bot is at fault.
    #[error("{}", .0.detail.as_str())]
    Bot(PlayerFault),
    /// The worker failed.
    #[error(transparent)]
    Worker(#[from] WorkerError),
}

impl Supervisor {
    /// Seats the loaded bot in a round with the referee in this process, for inspection.
    ///
    /// # Errors
    /// When the worker fails, or has too little memory.
    pub fn begin(&mut self, seating: Seating, deadline: Duration) -> Result<(), WorkerError> {
        let begin = Some(Box::new(seating));
        self.turn(BotTurn { begin, ..BotTurn::default() }, deadline).map(|_| ())
    }

    /// Sends a line to the bot in the first slot; returns its answer.
    ///
    /// # Errors
    /// When the bot is at fault, or the worker fails in any way.
    pub fn tell(
        &mut self,
        line: &str,
        question: bool,
        deadline: Duration,
    ) -> Result<LineResult, TellError> {
        let turn = BotTurn { lines: format!("{line}\n"), question, ..BotTurn::default() };
        let reply = self.turn(turn, deadline)?;
        if let Some(fault) = reply.fault {
            return Err(TellError::Bot(fault));
        }
        let fuel = reply.fuel.first().copied().flatten();
        Ok(LineResult { answer: reply.answer, fuel, bot_ns: reply.bot_ns })
    }

    /// Sends a line of an earlier round again, as the notice or question that it is.
    ///
    /// # Errors
    /// As [`Supervisor::tell`].
    pub fn tell_again(&mut self, line: &str, deadline: Duration) -> Result<LineResult, TellError> {
        self.tell(line, judge_protocol::is_question(line), deadline)
    }

    /// Returns the profile and trace of the seated bot, before its round ends.
    ///
    /// # Errors
    /// When the worker fails in any way.
    pub fn inspect(&mut self, deadline: Duration) -> Result<Inspected, WorkerError> {
        match self.request(&Request::Inspect { slot: 0 }, None, deadline)? {
            Reply::Inspected(seen) if seen.profile.as_ref().is_none_or(Profile::is_sound) => {
                Ok(*seen)
            }
            other => Err(self.unexpected(other)),
        }
    }

    /// Ends the round in the first slot; returns the bot's usage.
    ///
    /// # Errors
    /// When the worker fails in any way.
    pub fn finish(&mut self, deadline: Duration) -> Result<Usage, WorkerError> {
        let reply = self.turn(BotTurn { finish: true, ..BotTurn::default() }, deadline)?;
        reply.usage.ok_or_else(|| self.impossible("no usage"))
    }

    fn turn(&mut self, turn: BotTurn, deadline: Duration) -> Result<BotTurnReply, WorkerError> {
        let turns = vec![turn];
        let turns = self.send_turns(turns, deadline)?;
        let mut replies = self.turn_replies(&turns, deadline)?;
        replies.pop().ok_or_else(|| self.impossible("no reply to a turn"))
    }

    /// Sends lines to the loaded bot in several rounds; returns the turns, for
    /// [`Supervisor::turn_replies`], which must follow.
    ///
    /// # Errors
    /// When the worker fails in any way.
    pub fn send_turns(
        &mut self,
        turns: Vec<BotTurn>,
        deadline: Duration,
    ) -> Result<Vec<BotTurn>, WorkerError> {
        let request = Request::Turns(turns);
        self.send(&request, None, deadline)?;
        let Request::Turns(turns) = request else { return Ok(Vec::new()) };
        Ok(turns)
    }

    /// Waits for the results of the turns, in their order.
    ///
    /// # Errors
    /// When the worker fails in any way.
    pub fn turn_replies(
        &mut self,
        turns: &[BotTurn],
        deadline: Duration,
    ) -> Result<Vec<BotTurnReply>, WorkerError> {
        match self.receive(deadline)? {
            Reply::Turned(replies)
                if replies.len() == turns.len()
                    && std::iter::zip(&replies, turns).all(|(reply, turn)| reply.fits(turn)) =>
            {
                Ok(replies)
            }
            other => Err(self.unexpected(other)),
        }
    }
}
