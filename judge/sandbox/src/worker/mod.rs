//! The processes around the sandbox: one child compiles a module and ends, another plays that one
//! bot, and the parent can kill them.
//!
//! Parent and child exchange length-framed messages over the child's standard input and output. The
//! parent trusts nothing that the child says: frames are capped, and the reply for a round is only
//! a transcript, over which the rules are replayed (see `judge-arena`).

mod confine;
mod frame;
mod group;
mod message;
mod patience;
mod pipe;
mod places;
mod room;
mod seated;
mod serve;
mod supervisor;
mod watchdog;

pub use confine::Wall;
pub use confine::probe::Attempt;
pub use group::{ControlGroup, NoGroup};
pub use message::{Inspected, LineResult, PlayReply, PlayTiming, SourceLocation, retell};
pub use patience::COUNTS_PROCESSOR_TIME;
pub use serve::{Host, Life, ServeError, serve};
pub use supervisor::{Supervisor, Terms, WorkerCommand, WorkerError};
pub use watchdog::Meter;

/// Largest table for trained players, in bytes.
pub const MAX_TABLE_BYTES: usize = 16 << 20;
