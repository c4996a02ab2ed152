//! Calls of the engine that need `unsafe`: the one file of this crate with an exception from
//! `unsafe_code`. Both functions are called from one place each, which says why it may.
#![allow(unsafe_code)]

use wasmtime::{Config, Engine, Module};

/// Lets the compiler use the processor's instructions of this name.
///
/// Only to be called for instructions without which the engine is never started.
pub(crate) fn enable_instructions(config: &mut Config, name: &str) {
    // SAFETY: the setting only lets the compiler choose instructions. `processor::check` refuses
    // a machine that lacks them, as the engine itself does for every module.
    unsafe { config.cranelift_flag_enable(name) };
}

/// Loads machine code that an engine with the same settings made.
///
/// Only to be called in a worker process, which exists to run a stranger's code behind walls.
///
/// # Errors
/// When the bytes are not from this version of the engine with these settings.
pub(crate) fn load_machine_code(engine: &Engine, code: &[u8]) -> wasmtime::Result<Module> {
    // SAFETY: this is machine code from another worker process, which compiled the one module that
    // this process plays. An attacker who takes over the compiler by such a module gains a confined
    // process that sees only that bot's round, and whose word counts only for the bot's answers.
    unsafe { Module::deserialize(engine, code) }
}
