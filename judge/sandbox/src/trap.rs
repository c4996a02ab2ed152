//! From the engine's errors to verdicts in words that a bot's author understands.

use judge_core::{PlayerFault, Verdict};
use wasmtime::{Trap, WasmBacktrace};

/// An error that a host function raises on the bot's behalf.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct HostFault(pub(crate) String);

/// Whether the module ran out of fuel.
pub(crate) fn is_out_of_fuel(error: &wasmtime::Error) -> bool {
    error.downcast_ref::<Trap>() == Some(&Trap::OutOfFuel)
}

/// What a failed call means; `refused` tells that a growth of memory was refused before.
pub(crate) fn explain(error: &wasmtime::Error, refused: bool) -> PlayerFault {
    let cause = cause(error);
    let place = place(error);
    if refused {
        let detail = format!("{cause}{place}, after the memory limit had refused it more memory");
        return PlayerFault::new(Verdict::MemoryLimitExceeded, detail);
    }
    PlayerFault::new(Verdict::RuntimeError, format!("{cause}{place}"))
}

fn cause(error: &wasmtime::Error) -> String {
    if let Some(trap) = error.downcast_ref::<Trap>() {
        return describe(*trap);
    }
    match error.downcast_ref::<HostFault>() {
        Some(fault) => fault.to_string(),
        None => error.root_cause().to_string(),
    }
}

fn describe(trap: Trap) -> String {
    match trap {
        Trap::StackOverflow => "stack overflow: too deep a recursion".to_owned(),
        Trap::MemoryOutOfBounds => "access outside of the memory".to_owned(),
        Trap::TableOutOfBounds => "call of a function that does not exist".to_owned(),
        Trap::IndirectCallToNull => "call through a null function pointer".to_owned(),
        Trap::BadSignature => "call through a function pointer of another type".to_owned(),
        Trap::IntegerOverflow => "integer overflow in a division or conversion".to_owned(),
        Trap::IntegerDivisionByZero => "integer division by zero".to_owned(),
        Trap::BadConversionToInteger => "conversion of a float that is no integer".to_owned(),
        Trap::UnreachableCodeReached => {
            "aborted: `unreachable` reached (abort, a failed assertion, a panic or an uncaught \
             exception)"
                .to_owned()
        }
        other => other.to_string(),
    }
}

/// ` in function `f``, where the module kept its function names.
fn place(error: &wasmtime::Error) -> String {
    error
        .downcast_ref::<WasmBacktrace>()
        .and_then(|trace| trace.frames().iter().find_map(|frame| frame.func_name()))
        .map(|name| format!(" in function `{}`", printable(name)))
        .unwrap_or_default()
}

/// A name from the module, shortened and without anything that a terminal would act on.
fn printable(name: &str) -> String {
    name.chars().take(80).flat_map(char::escape_default).collect()
}
