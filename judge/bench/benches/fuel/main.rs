//! Wall clock per unit of fuel, by kind of work: the largest figure is the most effective way for a
//! hostile module to be slow.
//!
//! `cargo bench -p judge-bench --bench fuel [-- PATTERN…]` prints the table of
//! `judge/docs/security.md`, or the rows with names that contain a pattern.

mod calls;
mod host;
mod memory;
mod numbers;

use std::time::Duration;

use judge_bench::processor_time;
use judge_core::{FUEL_PER_MS, Limits, Player, PlayerFault};
use judge_sandbox::{BotPlayer, Compiled, Sandbox};

/// Fuel of each run, including preparation: long enough to make starting negligible, short enough
/// for slow patterns.
const BUDGET: u64 = 100 * FUEL_PER_MS;

/// Runs of each pattern, of which the fastest counts: noise only ever adds.
const RUNS: usize = 5;

/// A pattern that took this long runs only once: noise cannot explain it.
const LONG: Duration = Duration::from_secs(2);

/// The loop of a module.
#[derive(Clone)]
struct Pattern {
    name: String,
    /// Memory, tables and functions of the module, in addition to those of every bot.
    parts: String,
    /// Runs long before the loop; not counted.
    preparation: String,
    /// Runs right before the loop.
    setup: String,
    /// Runs forever. Has locals `$i` and `$k` (i32), `$j` (i64), `$f` (f64) and `$v` (v128).
    body: String,
    /// True for a program on stdio, which may call WASI functions.
    stdio: bool,
}

impl Pattern {
    /// A loop around `body`, which needs only one page of memory.
    fn new(name: &str, body: impl Into<String>) -> Pattern {
        Pattern {
            name: name.to_owned(),
            parts: PAGE.to_owned(),
            preparation: String::new(),
            setup: String::new(),
            body: body.into(),
            stdio: false,
        }
    }

    /// A loop around so many copies of `body` that the loop itself does not matter.
    fn repeated(name: &str, body: &str) -> Pattern {
        Pattern::new(name, body.repeat(64))
    }

    fn with(self, parts: impl Into<String>) -> Pattern {
        Pattern { parts: parts.into(), ..self }
    }

    fn after(self, setup: impl Into<String>) -> Pattern {
        Pattern { setup: setup.into(), ..self }
    }

    fn prepared(self, preparation: impl Into<String>) -> Pattern {
        Pattern { preparation: preparation.into(), ..self }
    }

    fn module(&self) -> Vec<u8> {
        let text = if self.stdio { host::program(self) } else { self.bot() };
        wat::parse_str(text).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// A bot that spins at a question, and not at a notice.
    fn bot(&self) -> String {
        let Pattern { parts, preparation, setup, body, .. } = self;
        format!(
            r#"(module (import "judge" "log" (func $log (param i32 i32)))
            (global $g (mut i32) (i32.const 0))
            {parts}
            (func (export "judge_buffer") (result i32) (i32.const 0))
            (func (export "judge_line") (param i32) (result i32) {LOCALS}
              (if (i32.ne (i32.load8_u (i32.const 0)) (i32.const {asked}))
                (then {preparation} (return (i32.const 0))))
              (i64.store (i32.const 0) (i64.const 0))
              {START} {setup}
              (loop $again {body} (br $again))
              (i32.const 0)))"#,
            asked = QUESTION.as_bytes()[0]
        )
    }
}

/// One page of memory.
const PAGE: &str = r#"(memory (export "memory") 1)"#;

const LOCALS: &str =
    "(local $i i32) (local $k i32) (local $j i64) (local $f f64) (local $v v128) (local $w v128)";

/// Values that the compiler does not know.
const START: &str = "(local.set $k (i32.load (i32.const 16)))
    (local.set $i (i32.add (local.get $k) (i32.const 0x1234567)))
    (local.set $j (i64.extend_i32_s (local.get $i)))
    (local.set $f (f64.add (f64.convert_i32_s (local.get $k)) (f64.const 1.25)))
    (local.set $v (f64x2.splat (local.get $f)))
    (local.set $w (f64x2.splat (local.get $f)))";

const QUESTION: &str = "spin?";

fn main() {
    let only: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let sandbox = Sandbox::new().expect("an engine");
    let plain = plain_loop();
    let unit = nanoseconds_per_fuel(&sandbox, &plain);
    println!("| pattern | ns per fuel | times a plain loop |\n|---|--:|--:|");
    row(&plain.name, unit, unit);
    let wanted =
        |name: &str| only.is_empty() || only.iter().any(|part| name.contains(part.as_str()));
    for pattern in patterns().iter().filter(|pattern| wanted(&pattern.name)) {
        row(&pattern.name, nanoseconds_per_fuel(&sandbox, pattern), unit);
    }
}

fn row(name: &str, cost: f64, unit: f64) {
    println!("| {name} | {cost:.2} | {:.1} |", cost / unit);
}

/// The unit of measurement: a loop with one unit of fuel per iteration.
fn plain_loop() -> Pattern {
    Pattern::new("plain loop", "")
}

fn patterns() -> Vec<Pattern> {
    [numbers::patterns(), memory::patterns(), calls::patterns(), host::patterns()].concat()
}

fn nanoseconds_per_fuel(sandbox: &Sandbox, pattern: &Pattern) -> f64 {
    let compiled = Compiled::new(sandbox, &pattern.module())
        .unwrap_or_else(|error| panic!("{}: {error}", pattern.name));
    let begin = processor_time();
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        best = best.min(spin(&compiled, &pattern.name));
        if processor_time() - begin > LONG {
            break;
        }
    }
    best
}

/// Processor time per unit of fuel, in nanoseconds, of one instance from its question until its
/// fuel is used up. On an otherwise idle machine it equals the wall clock.
fn spin(compiled: &Compiled, name: &str) -> f64 {
    let limits = Limits { fuel: BUDGET, memory_bytes: 128 << 20, ..Limits::COURSE };
    let mut player = BotPlayer::new(compiled, limits);
    // Instantiates and prepares, outside the measured time.
    let prepared = player.notice("wait").unwrap_or_else(|fault| panic!("{name}: {}", fault.detail));
    let begin = processor_time();
    let fault = player.ask(QUESTION, &mut String::new()).expect_err("it never ends");
    let time = processor_time() - begin;
    assert_eq!(fault, PlayerFault::out_of_time(), "{name}");
    time.as_nanos() as f64 / (BUDGET - prepared.unwrap_or(0)) as f64
}
