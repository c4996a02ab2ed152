//! The worker processes around the sandbox. One child compiles a module and ends, another plays
//! that bot, and the parent can kill both.
//!
//! Parent and child exchange length-framed messages over the child's standard input and output. The
//! parent does not trust the child: the size of messages is limited, and the reply for a round is
//! only a transcript, which the parent replays by the rules (see `judge-arena`).

mod confine;
mod frame;
mod group;
mod locations;
mod message;
mod patience;
mod pipe;
mod room;
mod seated;
mod serve;
mod supervisor;
mod turns;
mod watchdog;

pub use confine::Wall;
pub use confine::probe::Attempt;
pub use group::{ControlGroup, NoGroup};
pub use message::{
    BotTurn, BotTurnReply, Inspected, LineResult, PlayReply, PlayTiming, Seating, SourceLocation,
    retell,
};
pub use patience::COUNTS_PROCESSOR_TIME;
pub use serve::{Host, Life, ServeError, serve};
pub use supervisor::{Supervisor, Terms, WorkerCommand, WorkerError};
pub use turns::TellError;
pub use watchdog::Meter;

/// Largest table for trained players, in bytes.
pub const MAX_TABLE_BYTES: usize = 16 << 20;
