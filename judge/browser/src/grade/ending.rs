//! The fault of a call that failed in the page's engine, in the sandbox's words.

use judge_core::{PlayerFault, Verdict};
use judge_guest::answer;
use judge_guest::faults::{
    MemoryRefusal, ModuleTrap, SYSTEM_IN_START, log_outside, system_outside, trapped,
};
use judge_meter::CallEnding;
use serde::Deserialize;

/// The page's report about a failed call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CallFailure {
    /// The cause.
    cause: FailureCause,
    /// The engine's own words.
    text: String,
    /// Functions on the stack, innermost first.
    pub(crate) functions: Vec<u32>,
    /// Output of a program so far.
    output: Vec<u8>,
    /// Bytes outside of the memory: address and count.
    outside: [u32; 2],
}

/// The cause of a failed call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FailureCause {
    /// A trap of the engine.
    #[default]
    Trap,
    /// An import had too little fuel.
    Fuel,
    /// A program printed too much.
    Flood,
    /// `judge.log` outside of the memory.
    Log,
    /// A system function outside of the memory.
    System,
    /// A system function in a start function.
    SystemInStart,
    /// The engine itself failed.
    Engine,
}

/// The meaning of a failed call.
pub(crate) enum FailedCall {
    /// The call ran out of fuel.
    OutOfFuel,
    /// Another fault. It is uncertain if the sandbox may report it in other words.
    Fault { fault: PlayerFault, is_unsure: bool },
}

impl FailedCall {
    fn sure(fault: PlayerFault) -> FailedCall {
        FailedCall::Fault { fault, is_unsure: false }
    }

    fn judge(detail: &str) -> FailedCall {
        FailedCall::sure(PlayerFault::new(Verdict::JudgeError, detail.to_owned()))
    }
}

/// The meaning of a failure, with the module's globals after it, the reason why it got no more
/// memory before, and the name of its function.
pub(crate) fn settle(
    failure: &CallFailure,
    (state, bulk): (i32, i32),
    refused: Option<MemoryRefusal>,
    function: Option<&str>,
    when: &str,
) -> FailedCall {
    let trap = |cause: &str| {
        let fault = trapped(cause, function, refused);
        FailedCall::sure(if when.is_empty() { fault } else { fault.with_moment(when) })
    };
    let [start, count] = failure.outside;
    match failure.cause {
        FailureCause::Fuel => FailedCall::OutOfFuel,
        FailureCause::Flood => FailedCall::sure(answer::flood(&failure.output, when)),
        FailureCause::Log => trap(&log_outside(start, count)),
        FailureCause::System => trap(&system_outside(start, count)),
        FailureCause::SystemInStart => trap(SYSTEM_IN_START),
        FailureCause::Engine => FailedCall::judge(&format!("this browser: {}", failure.text)),
        FailureCause::Trap => match judge_meter::ending(state, bulk) {
            CallEnding::OutOfFuel => FailedCall::OutOfFuel,
            CallEnding::OutsideMemory => trap(ModuleTrap::OutsideMemory.text()),
            CallEnding::OutsideTable => trap(ModuleTrap::OutsideTable.text()),
            CallEnding::NoMemory => FailedCall::sure(PlayerFault::no_memory()),
            CallEnding::Overflow => unsure(trap(ModuleTrap::StackOverflow.text())),
            CallEnding::InDoubt => FailedCall::judge(
                "this browser cannot decide whether the time ran out: grade with `judge grade`",
            ),
            CallEnding::Trap => match known(&failure.text) {
                Some((known, true)) => trap(known.text()),
                Some((known, false)) => unsure(trap(known.text())),
                None => FailedCall::judge(&format!("this browser: {}", failure.text)),
            },
        },
    }
}

fn unsure(failed: FailedCall) -> FailedCall {
    match failed {
        FailedCall::Fault { fault, .. } => FailedCall::Fault { fault, is_unsure: true },
        FailedCall::OutOfFuel => FailedCall::OutOfFuel,
    }
}

/// The trap that an engine describes with these words (Chromium, then Firefox), and false if it uses
/// them for several traps.
fn known(text: &str) -> Option<(ModuleTrap, bool)> {
    const WORDS: [(&str, ModuleTrap, bool); 16] = [
        ("unreachable", ModuleTrap::Unreachable, true),
        ("memory access out of bounds", ModuleTrap::OutsideMemory, true),
        ("data segment", ModuleTrap::OutsideMemory, true),
        ("divide result unrepresentable", ModuleTrap::Overflow, true),
        ("divide by zero", ModuleTrap::DivisionByZero, true),
        ("remainder by zero", ModuleTrap::DivisionByZero, true),
        ("float unrepresentable", ModuleTrap::Overflow, false),
        ("null function or function signature", ModuleTrap::FunctionType, false),
        ("table index is out of bounds", ModuleTrap::OutsideTable, true),
        ("element segment", ModuleTrap::OutsideTable, true),
        ("table initializer", ModuleTrap::OutsideTable, true),
        ("indirect call to null", ModuleTrap::NullFunction, true),
        ("indirect call signature mismatch", ModuleTrap::FunctionType, true),
        ("integer overflow", ModuleTrap::Overflow, true),
        ("invalid conversion to integer", ModuleTrap::NotAnInteger, true),
        ("index out of bounds", ModuleTrap::OutsideMemory, false),
    ];
    let found = WORDS.iter().find(|(words, ..)| text.contains(words));
    found.map(|(_, trap, sure)| (*trap, *sure))
}
