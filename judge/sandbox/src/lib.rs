//! Runs one WebAssembly module under limits: lines in, lines out. Knows no game.
//!
//! A module passes three gates: [`intake`] (what it may contain; nothing runs), [`Compiled`]
//! (compilation, meant for a worker process) and [`BotPlayer`] (one instance, one match). The
//! process around it is in [`worker`].

mod bot;
mod compiled;
mod costs;
mod engine;
mod exports;
pub mod intake;
mod limiter;
mod log;
mod processor;
mod stdio;
mod trap;
pub mod worker;

pub use bot::BotPlayer;
pub use compiled::{CompileError, Compiled};
pub use engine::{EngineError, Sandbox, fingerprint};
