//! The specification's assertions that hold in wasmtime hold in it after rewriting as well, with the
//! same fuel.

use std::collections::BTreeSet;

use judge_sandbox::intake::{IntakeRefusal, inspect};
use judge_test_support::specification::{Ends, RIGHT, Script, bot, line, scripts};

use crate::cases::LIMITS;
use crate::compare::{Engines, Likeness, Pair};
use crate::host::{Scenario, Trace};
use crate::{all_tests, with_room};

/// Fuel for a copy of four billion bytes, which is charged before its check.
const FUEL: u64 = 1 << 40;

/// One of so many modules runs without `JUDGE_TESTS=all`.
const SAMPLE: usize = 16;

/// Number of modules and assertions of each kind.
#[derive(Debug, Default)]
struct Count {
    /// Two versions of the suite have many modules and assertions in common.
    known: BTreeSet<Vec<u8>>,
    modules: u32,
    returns: u32,
    traps: u32,
    overflows: u32,
    /// Modules that intake refuses, or that have no room for a line.
    refused: u32,
    /// Assertions about more memory than this test's host gives, or about the host.
    left_out: u32,
}

/// The module as a bot; none if intake refuses it, or it has no room for a line.
fn accepted(script: &Script) -> Option<Vec<u8>> {
    match inspect(&script.module) {
        Ok(_) | Err(IntakeRefusal::MissingExports { .. }) => {}
        Err(_) => return None,
    }
    let bot = bot(&script.module, &script.cases)?;
    inspect(&bot).is_ok_and(|info| info.check_limits(&LIMITS).is_ok()).then_some(bot)
}

impl Count {
    fn script(&mut self, engines: &Engines, script: &Script) {
        let Some(module) = accepted(script) else {
            self.refused += 1;
            return;
        };
        if !self.known.insert(module.clone()) {
            return;
        }
        let rewritten = judge_meter::rewrite(&module).unwrap();
        let pair = engines.pair(&module, &rewritten);
        self.modules += 1;
        self.left_out += script.left_out;
        let name = &script.name;
        let mut case = Scenario { name: name.clone(), module, fuel: FUEL, lines: Vec::new() };
        for (number, asserted) in script.cases.iter().enumerate() {
            let before = case.lines.len();
            case.lines.push(line(number));
            if matches!(asserted.ends, Ends::Traps(_)) {
                case.name = format!("{name}, case {number}");
                self.trap(&pair, &case);
                case.lines.truncate(before);
            }
        }
        // A module that traps at its start has no lines.
        if !case.lines.is_empty() || script.cases.is_empty() {
            case.name.clone_from(name);
            let trace = self.returns(&pair, &case);
            engines.compare_others(&case, rewritten, &trace);
        }
    }

    /// All lines but the last return, and the last traps.
    fn trap(&mut self, pair: &Pair, case: &Scenario) {
        match pair.compare(case) {
            (_, Likeness::Trap) => self.traps += 1,
            (_, Likeness::Overflow) => self.overflows += 1,
            other => panic!("{}: {other:?}", case.name),
        }
    }

    fn returns(&mut self, pair: &Pair, case: &Scenario) -> Trace {
        let (trace, likeness) = pair.compare(case);
        assert_eq!(likeness, Likeness::Finished, "{}: {trace:?}", case.name);
        let (right, all) = (right(&trace), case.lines.len() as u32);
        self.returns += right;
        self.left_out += all - right;
        trace
    }
}

/// Number of lines that an assertion answers with success.
fn right(trace: &Trace) -> u32 {
    let end = format!("line 1 {RIGHT}");
    trace.events.iter().filter(|event| event.what == end).count() as u32
}

#[test]
fn assertions_of_the_specification_pass() {
    with_room(|| {
        let engines = Engines::new();
        let step = if all_tests() { 1 } else { SAMPLE };
        let mut count = Count::default();
        for script in scripts().step_by(step) {
            count.script(&engines, &script);
        }
        count.known.clear();
        println!("{count:?}");
        engines.compare_in_v8();
        let least = |all: u32| all / step as u32;
        assert!(count.modules > least(800) && count.returns > least(40_000), "{count:?}");
        assert!(count.traps > least(1_500) && count.left_out < 100, "{count:?}");
    });
}
