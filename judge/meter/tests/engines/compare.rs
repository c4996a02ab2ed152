//! One case in every engine: in those of this process at once, in V8 with all cases of a test.

use std::cell::{Cell, RefCell};

use crate::host::{End, Scenario, Trace};
use crate::node;
use crate::rewritten::{compiled, interpreted};
use crate::sandboxed;

/// Generated modules that wasmi 2.0.0 runs in another way than wasmtime and V8, which agree. All but one
/// end in a division by zero that the others do not see.
const OTHERWISE_IN_WASMI: [u64; 33] = [
    324, 2980, 4615, 4805, 4933, 5219, 5651, 5778, 6358, 7079, 7123, 7172, 7186, 8868, 8884, 9426,
    10005, 10599, 11015, 12115, 12260, 12407, 14439, 14818, 15444, 16134, 16964, 17250, 18291,
    18691, 18819, 19506, 19893,
];

/// The engines.
pub(crate) struct Engines {
    sandboxed: wasmtime::Engine,
    compiled: wasmtime::Engine,
    interpreted: wasmi::Engine,
    /// Cases for V8.
    runs: RefCell<Vec<Run>>,
    /// Number of cases that V8 could compile, and of those that it was given.
    compared: Cell<[usize; 2]>,
}

/// A case with its rewritten module and the run in wasmtime.
pub(crate) struct Run {
    pub(crate) case: Scenario,
    pub(crate) rewritten: Vec<u8>,
    pub(crate) trace: Trace,
}

/// A module in wasmtime as it is, and rewritten.
pub(crate) struct Pair {
    own: wasmtime::Module,
    rewritten: wasmtime::Module,
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
        let (interpreted, runs) = (interpreted::engine(), RefCell::default());
        Engines { sandboxed, compiled, interpreted, runs, compared: Cell::default() }
    }

    /// Runs a case in this process's engines and compares; returns the rewritten module's run.
    pub(crate) fn compare(&self, case: &Scenario) -> (Trace, Likeness) {
        let rewritten = judge_meter::rewrite(&case.module).unwrap();
        let (trace, likeness) = self.pair(&case.module, &rewritten).compare(case);
        self.compare_others(case, rewritten, &trace);
        (trace, likeness)
    }

    /// Compares with wasmi, and keeps the run for V8.
    pub(crate) fn compare_others(&self, case: &Scenario, rewritten: Vec<u8>, trace: &Trace) {
        let module = wasmi::Module::new(&self.interpreted, &rewritten).unwrap();
        let interpreted = interpreted::run(&module, case);
        let number = case.name.strip_prefix("generated module ").and_then(|text| text.parse().ok());
        if number.is_some_and(|number: u64| OTHERWISE_IN_WASMI.contains(&number)) {
            assert_ne!(interpreted, *trace, "{} is alike now: remove it from the list", case.name);
        } else {
            assert_eq!(interpreted, *trace, "{} in wasmi", case.name);
        }
        let (case, trace) = (case.clone(), trace.clone());
        self.runs.borrow_mut().push(Run { case, rewritten, trace });
    }

    /// Runs the kept cases in V8 and compares.
    pub(crate) fn compare_in_v8(&self) {
        let runs = self.runs.take();
        if !node::is_there() {
            return;
        }
        let [compared, given] = self.compared.get();
        let [compared, given] = [compared + node::compare(&runs), given + runs.len()];
        println!("{compared} of {given} compared with V8");
        assert!(compared * 4 > given * 3);
        self.compared.set([compared, given]);
    }

    /// Compiles a module and its rewritten form.
    pub(crate) fn pair(&self, module: &[u8], rewritten: &[u8]) -> Pair {
        let own = wasmtime::Module::new(&self.sandboxed, module).unwrap();
        let rewritten = wasmtime::Module::new(&self.compiled, rewritten).unwrap();
        Pair { own, rewritten }
    }
}

impl Pair {
    /// Runs a case in both forms and compares; returns the rewritten module's run.
    pub(crate) fn compare(&self, case: &Scenario) -> (Trace, Likeness) {
        let own = sandboxed::run(&self.own, case);
        let rewritten = compiled::run(&self.rewritten, case);
        let likeness = likeness(&case.name, &own, &rewritten);
        (rewritten, likeness)
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
