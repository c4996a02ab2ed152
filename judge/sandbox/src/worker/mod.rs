//! The process around the sandbox: a child that compiles and plays, a parent that can kill it.
//!
//! Parent and child talk in length-framed messages over the child's standard input and output.
//! The parent takes nothing that the child says at its word: frames are capped, and what comes
//! back of a match is only a transcript, over which the rules are replayed (see `judge-arena`).

mod confine;
mod frame;
mod message;
mod patience;
mod serve;
mod supervisor;

pub use confine::Wall;
pub use confine::probe::Attempt;
pub use message::{PlayReply, PlayTiming, retell};
pub use serve::{Host, ServeError, serve};
pub use supervisor::{Supervisor, WorkerCommand, WorkerError};
