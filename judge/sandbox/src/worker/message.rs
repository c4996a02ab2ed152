//! Messages between parent and worker. Bulk data (a module, machine code, a table) follows its
//! message as bytes.

use judge_core::{
    Explanation, GivenAnswers, Limits, PlayerFault, RoundSpec, Seat, Seed, Transcript, Usage,
};
use serde::{Deserialize, Serialize};

use crate::{Measured, Profile, TrapFrame};

use super::confine::Wall;
use super::confine::probe::Attempt;
use super::frame;

/// From the parent.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Report the program's identity and the walls around the process.
    Hello,
    /// Try the forbidden actions.
    Probe,
    /// Check and compile the module that follows.
    Compile {
        /// True to count its fuel by function.
        instrumented: bool,
    },
    /// Load the machine code that follows: the only bot that this process plays.
    Load,
    /// Keep the table that follows for trained players.
    Table,
    /// Play a round with at most one bot.
    Play {
        /// The round.
        spec: Box<RoundSpec>,
        /// The seat of the loaded bot, if it takes part.
        bot: Option<Seat>,
        /// Answers that do not come from its players.
        given: GivenAnswers,
    },
    /// Send lines to the loaded bot in these rounds, whose referee is in the parent.
    Turns(Vec<BotTurn>),
    /// Report the profile and the trace of the bot in this slot.
    Inspect {
        /// The slot; see [`BotTurn::slot`].
        slot: u8,
    },
    /// Look up source locations in the debug information of the module that follows.
    Locate {
        /// Offsets in the module.
        offsets: Vec<u32>,
    },
}

/// From the worker, one per request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// Identity and walls of the worker.
    Hello(Hello),
    /// Results of the forbidden actions.
    Probed(Vec<Attempt>),
    /// The module is compiled; its machine code follows.
    Compiled,
    /// The machine code is loaded, or the table is kept.
    Loaded,
    /// Intake refused the module.
    Refused(Explanation),
    /// The compiler rejected a module that passed intake.
    Uncompiled(String),
    /// The played round.
    Played(Box<PlayReply>),
    /// The results of the turns, in their order.
    Turned(Vec<BotTurnReply>),
    /// Profile and trace of the bot in the slot.
    Inspected(Box<Inspected>),
    /// The source locations for each offset, in order.
    Located(Vec<Vec<SourceLocation>>),
    /// The memory for the round could not be reserved.
    NoRoom,
    /// The judge's code panicked while the bot ran.
    Broke(String),
    /// The worker failed: the judge's fault.
    Failed(String),
}

/// A worker's description of itself, before it sees any module.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Hello {
    /// Identity of the program; see [`super::Life::identity`].
    pub(super) identity: String,
    /// The walls around it.
    pub(super) walls: Vec<Wall>,
    /// True if the system allows it less memory than its wall does.
    pub(super) short_of_memory: bool,
}

/// The lines for the bot in one of the rounds that its worker plays at the same time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotTurn {
    /// The number of the round in the worker, below [`crate::SLOTS`].
    pub slot: u8,
    /// Starts a new round in the slot first.
    pub begin: Option<Box<Seating>>,
    /// The lines, each ended by a line feed. After one on which the bot fails, the rest is not
    /// sent.
    pub lines: String,
    /// True if the last line is a question.
    pub question: bool,
    /// True to end the round for the bot after these lines.
    pub finish: bool,
}

/// The bot of a new round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seating {
    /// The bot's limits.
    pub limits: Limits,
    /// Its seat.
    pub seat: Seat,
    /// The seed of its random source.
    pub random: Seed,
    /// The calls to count fuel for, if any.
    pub measured: Option<Measured>,
    /// True to stop exactly where the fuel ends; see [`crate::BotPlayer::strict`].
    pub strict: bool,
}

/// The result of a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotTurnReply {
    /// Fuel of each line after which the bot returned; none if it is not counted.
    pub fuel: Vec<Option<u64>>,
    /// The answer to the question; empty without one, and if the bot failed.
    pub answer: String,
    /// The failure of the bot on the next line.
    pub fault: Option<PlayerFault>,
    /// Resources that the bot used in the round, if it is finished.
    pub usage: Option<Usage>,
    /// Nanoseconds of wall clock inside the bot.
    pub bot_ns: u64,
}

impl BotTurnReply {
    /// True if this is a valid reply to the turn.
    pub(super) fn fits(&self, turn: &BotTurn) -> bool {
        let lines = turn.lines.bytes().filter(|byte| *byte == b'\n').count();
        let returned = match self.fault {
            Some(_) => self.fuel.len() < lines && self.answer.is_empty(),
            None => self.fuel.len() == lines && is_answer(&self.answer, turn.question),
        };
        returned && self.usage.is_some() == turn.finish
    }
}

/// True if the referee may accept the answer.
fn is_answer(answer: &str, question: bool) -> bool {
    answer.is_empty() != question && (!question || judge_protocol::is_line(answer.as_bytes()))
}

/// The result of sending a line to a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineResult {
    /// The answer to a question; empty for a notice.
    pub answer: String,
    /// Fuel that the call cost.
    pub fuel: Option<u64>,
    /// Nanoseconds of wall clock inside the bot.
    pub bot_ns: u64,
}

/// Profile and trace of a seated bot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inspected {
    /// Fuel by function, if it was counted.
    pub profile: Option<Profile>,
    /// The stack when the bot failed, innermost function first.
    pub trace: Vec<TrapFrame>,
    /// The bot's log.
    pub log: String,
}

/// A place in a bot's source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLocation {
    /// The inlined function; none for the outer function itself.
    pub inlined: Option<String>,
    /// The file, by its name for the compiler.
    pub file: String,
    /// The line, counted from 1; 0 if it is unknown.
    pub line: u32,
}

/// A played round, as the worker reports it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayReply {
    /// The calls and answers of the players.
    pub transcript: Transcript,
    /// Wall clock of its parts.
    pub timing: PlayTiming,
}

/// Wall clock of a round, in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayTiming {
    /// The whole round.
    pub total_ns: u64,
    /// Inside the bots, instantiation included.
    pub bot_ns: u64,
}

/// Reads bytes from a worker's pipe up to the first invalid message, and writes the messages again.
/// For tests of the pipe, without a process.
pub fn retell(mut pipe: &[u8]) -> Vec<u8> {
    let mut told = Vec::new();
    while let Ok(Some(reply)) = frame::read::<Reply>(&mut pipe) {
        // Writing to memory cannot fail for a message that was just read.
        let _ = frame::write(&mut told, &reply);
    }
    told
}
