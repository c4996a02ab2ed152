//! Translates the engine's errors to verdicts that a bot's author understands.

use judge_core::{PlayerFault, Verdict};
use judge_guest::faults::{MemoryRefusal, ModuleTrap, trapped};
use serde::{Deserialize, Serialize};
use wasmtime::{Trap, WasmBacktrace};

use crate::limiter::NoMemory;

/// An error that a host function raises on the bot's behalf.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct HostFault(pub(crate) String);

/// A function on the stack when a call trapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrapFrame {
    /// The function's index in the module, imports included.
    pub function: u32,
    /// The offset in the module, if the engine knows it.
    pub offset: Option<u32>,
}

/// The stack of a failed call, innermost function first; empty if nothing trapped.
pub(crate) fn frames(error: &wasmtime::Error) -> Vec<TrapFrame> {
    let trace = error.downcast_ref::<WasmBacktrace>();
    let frames = trace.map(WasmBacktrace::frames).unwrap_or_default().iter();
    let frame = |frame: &wasmtime::FrameInfo| TrapFrame {
        function: frame.func_index(),
        offset: frame.module_offset().and_then(|offset| u32::try_from(offset).ok()),
    };
    frames.map(frame).collect()
}

/// The fault of a failed call, with the reason why a growth of the memory was refused before. Only
/// traps and errors of host functions are the bot's fault; all others come from the engine or the
/// machine.
pub(crate) fn explain(error: &wasmtime::Error, refused: Option<MemoryRefusal>) -> PlayerFault {
    if error.downcast_ref::<NoMemory>().is_some() {
        return PlayerFault::no_memory();
    }
    let Some(cause) = cause(error) else {
        return PlayerFault::new(Verdict::JudgeError, format!("the engine failed: {error:#}"));
    };
    trapped(&cause, function(error), refused)
}

/// Describes the bot's mistake, if it is one.
fn cause(error: &wasmtime::Error) -> Option<String> {
    let trap = error.downcast_ref::<Trap>().map(|trap| describe(*trap));
    trap.or_else(|| error.downcast_ref::<HostFault>().map(HostFault::to_string))
}

fn describe(trap: Trap) -> String {
    let known = match trap {
        Trap::StackOverflow => ModuleTrap::StackOverflow,
        Trap::MemoryOutOfBounds => ModuleTrap::OutsideMemory,
        Trap::TableOutOfBounds => ModuleTrap::OutsideTable,
        Trap::IndirectCallToNull => ModuleTrap::NullFunction,
        Trap::BadSignature => ModuleTrap::FunctionType,
        Trap::IntegerOverflow => ModuleTrap::Overflow,
        Trap::IntegerDivisionByZero => ModuleTrap::DivisionByZero,
        Trap::BadConversionToInteger => ModuleTrap::NotAnInteger,
        Trap::UnreachableCodeReached => ModuleTrap::Unreachable,
        other => return other.to_string(),
    };
    known.text().to_owned()
}

/// The innermost function on the stack that has a name.
fn function(error: &wasmtime::Error) -> Option<&str> {
    let trace = error.downcast_ref::<WasmBacktrace>()?;
    trace.frames().iter().find_map(|frame| frame.func_name())
}
