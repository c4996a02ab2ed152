//! Rewritten modules count as the sandbox's engine does: the same answers, fuel, memory and end in
//! wasmtime, in wasmi and in V8.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "figures are shown with a failure or `--nocapture`")]

mod cases;
mod compare;
mod host;
mod node;
mod recursion;
mod rewritten;
mod sandboxed;
mod small;
mod specification;

use std::collections::BTreeMap;
use std::time::Instant;

use cases::Played;
use compare::{Engines, Likeness};

/// Bytes of a test's own thread: engines run on it.
const THREAD: usize = 64 << 20;

/// Number of generated modules, without and with `JUDGE_TESTS=all`.
const GENERATED: [u64; 2] = [120, 20_000];

/// Number of cases that are kept for V8 at a time.
const BATCH: usize = 1_000;

fn all_tests() -> bool {
    std::env::var_os("JUDGE_TESTS").is_some_and(|which| which == "all")
}

/// Runs a test on a thread that has room for an engine's stack.
fn with_room<T: Send>(test: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(THREAD);
        let ended = thread.spawn_scoped(scope, test).unwrap().join();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Compares rounds in all engines, also with the sandbox's own figures.
fn rounds_are_alike(rounds: &[Played]) {
    let engines = Engines::new();
    for round in rounds {
        let trace = engines.compare(&round.case).0;
        if !round.fuel.is_empty()
            && trace.events.iter().any(|event| event.what.starts_with("line "))
        {
            assert_eq!(round.fuel_in(&trace.events), round.fuel, "{}", round.case.name);
        }
        assert!(trace.events.len() >= round.case.lines.len(), "{}: {trace:?}", round.case.name);
    }
    engines.compare_in_v8();
}

#[test]
fn sample_bots_use_equal_fuel_on_both_engines() {
    with_room(|| {
        let rounds = cases::samples();
        assert!(rounds.len() >= 14);
        rounds_are_alike(&rounds);
    });
}

#[test]
fn scripts_use_equal_fuel_on_both_engines() {
    with_room(|| {
        let rounds = cases::scripts(all_tests());
        assert!(rounds.len() >= 2);
        rounds_are_alike(&rounds);
    });
}

/// Compares many cases; returns the number of each likeness.
fn count(cases: impl Iterator<Item = host::Scenario>) -> BTreeMap<Likeness, u64> {
    let engines = Engines::new();
    let mut count = BTreeMap::new();
    for (number, case) in (1..).zip(cases) {
        *count.entry(engines.compare(&case).1).or_default() += 1;
        if number % BATCH == 0 {
            engines.compare_in_v8();
        }
    }
    println!("{count:?}");
    engines.compare_in_v8();
    count
}

/// Compares the first generated modules, on all processors.
fn count_generated(total: u64) -> BTreeMap<Likeness, u64> {
    let parts = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let numbers = |part: u64| total * part / parts..total * (part + 1) / parts;
    let mut all = BTreeMap::new();
    std::thread::scope(|scope| {
        let compare = |part| with_room(|| count(numbers(part).filter_map(cases::generated)));
        let threads = (0..parts).map(|part| scope.spawn(move || compare(part)));
        for thread in threads.collect::<Vec<_>>() {
            let count = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            for (likeness, of) in count {
                *all.entry(likeness).or_default() += of;
            }
        }
    });
    all
}

#[test]
fn generated_modules_use_equal_fuel_on_both_engines() {
    let (total, begun) = (GENERATED[usize::from(all_tests())], Instant::now());
    let count = count_generated(total);
    println!("{total} modules in {:.0} s", begun.elapsed().as_secs_f64());
    let of = |likeness| count.get(&likeness).copied().unwrap_or_default();
    assert!(of(Likeness::Finished) * 5 > total, "many must play to the end: {count:?}");
    assert!(of(Likeness::OutOfFuel) * 40 > total, "and some must run out of fuel: {count:?}");
    assert!(of(Likeness::Trap) * 40 > total, "and some must trap: {count:?}");
    assert!(of(Likeness::InDoubt) * 100 < total, "hardly any is in doubt: {count:?}");
}

#[test]
fn hostile_modules_use_equal_fuel_on_both_engines() {
    with_room(|| {
        let count = count(cases::hostile(all_tests()).into_iter());
        assert!(count.values().sum::<u64>() > 40, "{count:?}");
    });
}
