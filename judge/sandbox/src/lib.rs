//! Runs one WebAssembly module under limits: lines in, lines out. It does not know any game.
//!
//! A module passes three gates: [`intake`] (checks its content; nothing runs), [`Compiled`]
//! (compilation) and [`BotPlayer`] (one instance, one round). The last two run in separate worker
//! processes; see [`worker`].

mod bot;
mod bulk;
mod compiled;
mod costs;
mod descriptors;
mod engine;
mod exports;
mod fuel;
mod idle;
mod limiter;
mod processor;
mod profile;
mod script;
mod stdio;
mod trap;
mod unchecked;
pub mod worker;

pub use bot::BotPlayer;
pub use compiled::{CompileError, Compiled, MAX_MACHINE_CODE_BYTES, machine_code_version};
pub use descriptors::{close_inherited, keep_to_this_process};
pub use engine::{EngineError, SLOTS, Sandbox, fingerprint};
pub use judge_guest::answer::{MAX_OUTPUT, flood, nothing, one_line};
pub use judge_guest::{intake, random_seed, remedies, shown_name};
pub use profile::{FunctionCost, Measured, PathCost, Profile};
pub use script::interpreter_of;
pub use trap::TrapFrame;
