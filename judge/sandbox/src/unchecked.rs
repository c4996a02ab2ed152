//! Calls that need `unsafe`: the only file of this crate with an exception from
//! `unsafe_code`. Each function has one caller, which says why the call is sound.
#![allow(unsafe_code)]

use wasmtime::{Config, Engine, Module};

/// Lets the compiler use the processor instructions of this name.
///
/// Call it only for instructions without which the engine never starts.
pub(crate) fn enable_instructions(config: &mut Config, name: &str) {
    // SAFETY: the setting only lets the compiler choose instructions. `processor::check` refuses
    // a machine that lacks them, as the engine itself does for every module.
    unsafe { config.cranelift_flag_enable(name) };
}

/// Loads machine code that an engine with the same settings made.
///
/// Call it only in a worker process, which exists to run untrusted code in confinement.
///
/// # Errors
/// When the bytes are not from this version of the engine with these settings.
pub(crate) fn load_machine_code(engine: &Engine, code: &[u8]) -> wasmtime::Result<Module> {
    // SAFETY: this is machine code from another worker process, which compiled the one module that
    // this process plays, now or in an earlier run; the parent has checked the user's seal. An
    // attacker who takes over the compiler by such a module gains a confined process that sees only
    // that bot's round and can only forge that bot's answers.
    unsafe { Module::deserialize(engine, code) }
}

/// Closes the descriptor with that number when this process starts another program.
///
/// # Errors
/// When no descriptor has that number.
#[cfg(unix)]
pub(crate) fn close_on_exec(number: i32) -> rustix::io::Result<()> {
    use rustix::io::{FdFlags, fcntl_setfd};

    // SAFETY: the descriptor is borrowed for one call, which changes a flag and neither closes nor uses
    // it. If it is closed meanwhile, the call fails.
    let descriptor = unsafe { std::os::fd::BorrowedFd::borrow_raw(number) };
    fcntl_setfd(descriptor, FdFlags::CLOEXEC)
}

/// Closes the descriptor with that number, if there is one.
///
/// Call it only before this process has opened anything.
#[cfg(unix)]
pub(crate) fn close(number: i32) {
    // SAFETY: no object of this process owns the descriptor, as it was inherited and the process has
    // opened nothing yet.
    unsafe { rustix::io::close(number) };
}
