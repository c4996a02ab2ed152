//! One case in every engine of this process.

use crate::host::{Case, End, Trace};
use crate::rewritten::{compiled, interpreted};
use crate::sandboxed;

/// Modules that wasmi 2.0.0 runs in another way than wasmtime and V8, which agree.
const OTHERWISE_IN_WASMI: [&str; 1] = ["generated module 324"];

/// The engines.
pub(crate) struct Engines {
    sandboxed: wasmtime::Engine,
    compiled: wasmtime::Engine,
    interpreted: wasmi::Engine,
}

/// The result of a comparison that found no difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    Finished,
    Stopped,
    OutOfFuel,
    Trap,
    /// The native or the virtual stack was full, at another depth.
    Overflow,
    /// The rewritten module cannot say whether fuel or a trap ended the call.
    InDoubt,
}

impl Engines {
    pub(crate) fn new() -> Engines {
        let (sandboxed, compiled) = (sandboxed::engine(), compiled::engine());
        Engines { sandboxed, compiled, interpreted: interpreted::engine() }
    }

    /// Runs a case in all engines and compares; returns the rewritten module's run.
    pub(crate) fn compare(&self, case: &Case) -> (Trace, Likeness) {
        let own = sandboxed::run(&self.sandboxed, case);
        let rewritten = judge_meter::rewrite(&case.module).unwrap();
        let trace = compiled::run(&self.compiled, case, &rewritten);
        let likeness = likeness(&case.name, &own, &trace);
        let interpreted = interpreted::run(&self.interpreted, case, &rewritten);
        if OTHERWISE_IN_WASMI.contains(&case.name.as_str()) {
            assert_ne!(interpreted, trace, "{} is alike now: remove it from the list", case.name);
        } else {
            assert_eq!(interpreted, trace, "{} in wasmi", case.name);
        }
        (trace, likeness)
    }

    /// The run of a rewritten module in wasmtime, with the module.
    pub(crate) fn rewritten(&self, case: &Case) -> (Trace, Vec<u8>) {
        let rewritten = judge_meter::rewrite(&case.module).unwrap();
        (compiled::run(&self.compiled, case, &rewritten), rewritten)
    }
}

/// Compares the sandbox's run with one of the rewritten module.
fn likeness(name: &str, own: &Trace, other: &Trace) -> Likeness {
    let found = match (&own.end, &other.end) {
        (End::Overflow, _) | (_, End::Overflow) => return Likeness::Overflow,
        (End::OutOfFuel | End::Trap(_), End::InDoubt) => Likeness::InDoubt,
        // An operator's own check during the grace, which the sandbox finds by its place.
        (End::InDoubt, End::OutOfFuel) => Likeness::OutOfFuel,
        (End::InDoubt, End::Trap(kind)) if kind == "memory" || kind == "table" => Likeness::Trap,
        // It asks for more than the grace at once.
        (End::OutOfFuel, End::Trap(kind)) if kind == "memory" || kind == "table" => Likeness::Trap,
        (one, other) => {
            assert_eq!(one, other, "{name}");
            match one {
                End::Finished => Likeness::Finished,
                End::Stopped => Likeness::Stopped,
                End::OutOfFuel => Likeness::OutOfFuel,
                _ => Likeness::Trap,
            }
        }
    };
    assert_eq!(own.events, other.events, "{name}");
    assert_eq!(own.refused, other.refused, "{name}");
    // Even when a call runs out of fuel: the places of the checks are the same.
    if found != Likeness::InDoubt && own.memory.is_some() {
        assert_eq!(own.memory, other.memory, "{name}");
    }
    if found == Likeness::Finished {
        assert_eq!(other.stack, Some(judge_meter::STACK_BYTES as i32), "{name}");
    }
    found
}
