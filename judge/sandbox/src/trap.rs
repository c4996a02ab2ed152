//! Translates the engine's errors to verdicts that a bot's author understands.

use judge_core::{PlayerFault, Verdict};
use serde::{Deserialize, Serialize};
use wasmtime::{Trap, WasmBacktrace};

use crate::limiter::NoMemory;
use crate::mangled::shown_name;

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

/// The fault of a failed call. `refused` is true if a memory growth was refused before. Only traps
/// and errors of host functions are the bot's fault; all others come from the engine or the
/// machine.
pub(crate) fn explain(error: &wasmtime::Error, refused: bool) -> PlayerFault {
    if error.downcast_ref::<NoMemory>().is_some() {
        return PlayerFault::no_memory();
    }
    let Some(cause) = cause(error) else {
        return PlayerFault::new(Verdict::JudgeError, format!("the engine failed: {error:#}"));
    };
    let place = place(error);
    if refused {
        let detail = format!("{cause}{place}, after the memory limit had refused it more memory");
        return PlayerFault::new(Verdict::MemoryLimitExceeded, detail);
    }
    PlayerFault::new(Verdict::RuntimeError, format!("{cause}{place}"))
}

/// Describes the bot's mistake, if it is one.
fn cause(error: &wasmtime::Error) -> Option<String> {
    let trap = error.downcast_ref::<Trap>().map(|trap| describe(*trap));
    trap.or_else(|| error.downcast_ref::<HostFault>().map(HostFault::to_string))
}

fn describe(trap: Trap) -> String {
    match trap {
        Trap::StackOverflow => "stack overflow: too deep a recursion".to_owned(),
        Trap::MemoryOutOfBounds => "access outside of the memory".to_owned(),
        Trap::TableOutOfBounds => {
            "access to a table outside of its elements, or a call through a wrong pointer"
                .to_owned()
        }
        Trap::IndirectCallToNull => "call through a null function pointer".to_owned(),
        Trap::BadSignature => "call through a function pointer of another type".to_owned(),
        Trap::IntegerOverflow => "integer overflow in a division or conversion".to_owned(),
        Trap::IntegerDivisionByZero => "integer division by zero".to_owned(),
        Trap::BadConversionToInteger => "conversion of a float that is not an integer".to_owned(),
        Trap::UnreachableCodeReached => {
            "aborted: `unreachable` reached (abort, a failed assertion, a panic or an uncaught \
             exception)"
                .to_owned()
        }
        other => other.to_string(),
    }
}

/// ` in function `f``, if the module has function names.
fn place(error: &wasmtime::Error) -> String {
    error
        .downcast_ref::<WasmBacktrace>()
        .and_then(|trace| trace.frames().iter().find_map(|frame| frame.func_name()))
        .map(|name| format!(" in function `{}`", shown_name(name, NAME_LETTERS)))
        .unwrap_or_default()
}

/// Most letters of a function's name in a verdict.
const NAME_LETTERS: usize = 80;
