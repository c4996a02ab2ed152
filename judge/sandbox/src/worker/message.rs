//! Messages between parent and worker. Bulk data (a module, machine code, a table) follows its
//! message as bytes.

use judge_core::{Explanation, Limits, PlayerFault, RoundSpec, Seat, Seed, Transcript, Usage};
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
        /// The answers of the person in the round, question by question. After the last one the
        /// person gives up. Empty in a round without a person.
        script: Vec<String>,
    },
    /// Seat the loaded bot in a round with the referee in the parent.
    Begin {
        /// The bot's limits.
        limits: Limits,
        /// Its seat.
        seat: Seat,
        /// The seed of its random source.
        random: Seed,
        /// The calls to count fuel for, if any.
        measured: Option<Measured>,
        /// True to stop exactly where the fuel ends; see [`crate::BotPlayer::strict`].
        strict: bool,
    },
    /// Send a line to the seated bot.
    Tell {
        /// The line.
        line: String,
        /// True if it is a question.
        question: bool,
    },
    /// Report the profile and the trace of the seated bot.
    Inspect,
    /// End the round for the seated bot.
    Finish,
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
    /// The bot is seated.
    Begun,
    /// The bot took the line.
    Told(LineResult),
    /// The bot failed on the line.
    Faulted(PlayerFault),
    /// Profile and trace of the seated bot.
    Inspected(Box<Inspected>),
    /// Resources that the bot used in the round.
    Used(Usage),
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

/// The result of sending a line to a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
