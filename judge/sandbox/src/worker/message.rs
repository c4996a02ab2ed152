//! What parent and worker say to each other. What is large (a module, machine code, a table) follows
//! its message as bytes.

use judge_core::{Explanation, Limits, PlayerFault, RoundSpec, Seat, Seed, Transcript, Usage};
use serde::{Deserialize, Serialize};

use crate::{Measured, Profile, TrapFrame};

use super::confine::Wall;
use super::confine::probe::Attempt;
use super::frame;

/// From the parent.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Tell what program this is, and which walls stand around the process.
    Hello,
    /// Try what must not be possible.
    Probe,
    /// Check and compile the module that follows.
    Compile {
        /// True if its fuel is to be counted by function.
        instrumented: bool,
    },
    /// Load the machine code that follows: the one bot that this process plays.
    Load,
    /// Keep the table that follows, for trained players.
    Table,
    /// Play a match in which at most one bot takes part.
    Play {
        /// What to play.
        spec: Box<RoundSpec>,
        /// Where the loaded bot sits, if it takes part.
        bot: Option<Seat>,
        /// What the person in the match answers, question by question; when they are used up,
        /// the person gives up. Empty in a match without a person.
        script: Vec<String>,
    },
    /// Seat the loaded bot in a match that is refereed elsewhere.
    Begin {
        /// What it may use.
        limits: Limits,
        /// Its seat.
        seat: Seat,
        /// Seed of its random source.
        random: Seed,
        /// Calls whose fuel is counted by function, if any.
        measured: Option<Measured>,
        /// True to stop where the fuel ends: see [`crate::BotPlayer::strict`].
        strict: bool,
    },
    /// Pass a line on to the seated bot.
    Tell {
        /// The line.
        line: String,
        /// True if it is a question.
        question: bool,
    },
    /// Tell what the seated bot's functions did.
    Inspect,
    /// End that match for the bot.
    Finish,
    /// Look places up in the debug information of the module that follows.
    Locate {
        /// Offsets in the module.
        offsets: Vec<u32>,
    },
}

/// From the worker, one per request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// Who it is.
    Hello(Hello),
    /// What was tried.
    Probed(Vec<Attempt>),
    /// The module is compiled; its machine code follows.
    Compiled,
    /// The machine code is loaded, or the table is kept.
    Loaded,
    /// Intake refused the module.
    Refused(Explanation),
    /// The compiler does not take the module, though intake does.
    Uncompiled(String),
    /// A match was played.
    Played(Box<PlayReply>),
    /// The bot is seated.
    Begun,
    /// The bot took the line.
    Told(LineResult),
    /// The bot failed over the line.
    Faulted(PlayerFault),
    /// What the seated bot's functions did.
    Inspected(Box<Inspected>),
    /// What the bot used in the match.
    Used(Usage),
    /// The places that belong to the offsets, in their order.
    Located(Vec<Vec<SourceLocation>>),
    /// The memory that the match may need could not be reserved.
    NoRoom,
    /// The judge's code gave up while the bot ran.
    Broke(String),
    /// The worker could not do it: the judge's failure.
    Failed(String),
}

/// What a worker says of itself before it sees any module.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Hello {
    /// Which program it is: see [`super::Life::identity`].
    pub(super) identity: String,
    /// The walls around it.
    pub(super) walls: Vec<Wall>,
    /// True if the system allows it less memory than its wall does.
    pub(super) short_of_memory: bool,
}

/// What came of a line to a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineResult {
    /// The answer to a question; empty for a notice.
    pub answer: String,
    /// Fuel that the call cost.
    pub fuel: Option<u64>,
    /// Nanoseconds of wall clock inside the bot.
    pub bot_ns: u64,
}

/// What a seated bot's functions did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inspected {
    /// Fuel by function, if it was counted.
    pub profile: Option<Profile>,
    /// The functions that were running when the bot failed, the innermost first.
    pub trace: Vec<TrapFrame>,
}

/// A place in a bot's source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLocation {
    /// The function, where a compiler put it into another one; none for the function itself.
    pub inlined: Option<String>,
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line, counted from 1; 0 if it is not known.
    pub line: u32,
}

/// A played match, as the worker tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayReply {
    /// What the players did.
    pub transcript: Transcript,
    /// Where the time went.
    pub timing: PlayTiming,
}

/// Where the time of a match went, in nanoseconds of wall clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayTiming {
    /// The whole match.
    pub total_ns: u64,
    /// Inside the bots, instantiation included.
    pub bot_ns: u64,
}

/// What the parent makes of these bytes from a worker's pipe: the messages up to the first that is none,
/// as a worker would write them. For tests of the pipe, without a process.
pub fn retell(mut pipe: &[u8]) -> Vec<u8> {
    let mut told = Vec::new();
    while let Ok(Some(reply)) = frame::read::<Reply>(&mut pipe) {
        // Memory takes whatever was read.
        let _ = frame::write(&mut told, &reply);
    }
    told
}
