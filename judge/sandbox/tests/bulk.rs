//! Bulk operators. Outside the memory or table they fail with a range error, regardless of the
//! remaining fuel. Inside, their length costs time.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_core::{Limits, Player, PlayerFault, Verdict};
use judge_sandbox::{BotPlayer, Compiled, Sandbox};

const OUTSIDE: &str = "access outside of the memory";
const OUTSIDE_TABLE: &str = "access to a table outside of its elements";

/// A module with one page, a table of ten elements, segments of four elements and four bytes, and
/// `body` in `judge_line`.
fn exports(extra: &str, body: &str) -> String {
    format!(
        r#"(module (memory (export "memory") 1) (table $t 10 20 funcref)
            (data $d "data") (elem $e func $f $f $f $f) (func $f) {extra}
            (func (export "judge_buffer") (result i32) i32.const 1024)
            (func $think (export "judge_line") (param $length i32) (result i32) (local $i i32)
                {body} local.get $length))"#
    )
}

/// A program that runs `body` before it reads.
fn program(body: &str) -> String {
    format!(
        r#"(module (memory (export "memory") 1) (table $t 10 20 funcref)
            (data $d "data") (elem $e func $f $f $f $f) (func $f)
            (func (export "_start") (local $i i32) {body}))"#
    )
}

fn play(text: &str, limits: Limits) -> Result<u64, PlayerFault> {
    let sandbox = Sandbox::new().unwrap();
    let compiled = Compiled::new(&sandbox, &wat::parse_str(text).unwrap()).unwrap();
    let told = BotPlayer::new(&compiled, limits).ask("discard?", &mut String::new());
    told.map(Option::unwrap)
}

fn is_runtime_error(told: &Result<u64, PlayerFault>, words: &str) -> bool {
    told.as_ref().is_err_and(|fault| {
        fault.verdict == Verdict::RuntimeError && fault.detail.as_str().contains(words)
    })
}

/// A length that the compiler cannot treat as a constant, because only running shows it.
fn hidden(number: u32) -> String {
    format!("(i32.add (local.get $i) (i32.const {}))", number as i32)
}

/// Operators with their operands, and their errors.
fn outside(length: &str) -> Vec<(String, &'static str)> {
    let memory = |operator: &str| (operator.replace("LENGTH", length), OUTSIDE);
    let table = |operator: &str| (operator.replace("LENGTH", length), OUTSIDE_TABLE);
    vec![
        memory("(memory.fill (i32.const 4096) (i32.const 1) LENGTH)"),
        memory("(memory.copy (i32.const 4096) (i32.const 64) LENGTH)"),
        memory("(memory.copy (i32.const 64) (i32.const 4096) LENGTH)"),
        memory("(memory.init $d (i32.const 64) (i32.const 0) LENGTH)"),
        memory("(data.drop $d) (memory.init $d (i32.const 64) (i32.const 0) LENGTH)"),
        table("(table.fill $t (i32.const 0) (ref.null func) LENGTH)"),
        table("(table.copy $t $t (i32.const 1) (i32.const 0) LENGTH)"),
        table("(table.init $t $e (i32.const 0) (i32.const 0) LENGTH)"),
        table("(elem.drop $e) (table.init $t $e (i32.const 0) (i32.const 0) LENGTH)"),
    ]
}

#[test]
fn an_access_outside_the_memory_traps_with_any_remaining_fuel() {
    let course = Limits::COURSE.fuel;
    for number in [65_536_u32, 1 << 20, 1 << 24, 1 << 31, u32::MAX - 63, u32::MAX] {
        for length in [format!("(i32.const {})", number as i32), hidden(number)] {
            for (body, words) in outside(&length) {
                let text = exports("", &body);
                for fuel in [course, 200_000, 1000] {
                    let told = play(&text, Limits { fuel, ..Limits::COURSE });
                    assert!(is_runtime_error(&told, words), "{body} with {fuel}: {told:?}");
                    assert!(is_runtime_error(&told, "in function `think`"), "{told:?}");
                }
                let told = play(&program(&body), Limits::COURSE);
                assert!(is_runtime_error(&told, words), "program, {body}: {told:?}");
            }
        }
    }
}

/// Near the remaining fuel, where the engine's own fuel check depends on a few units.
#[test]
fn an_outside_access_traps_with_a_length_near_the_fuel() {
    let fuel = 1_000_000;
    for near in [0_u32, 1 << 20, 1 << 21, 1 << 23, 1 << 24] {
        for off in [0_u32, 100, 10_000] {
            let length = hidden(1_000_000 + near + off);
            let body = format!("(memory.fill (i32.const 0) (i32.const 0) {length})");
            let told = play(&exports("", &body), Limits { fuel, ..Limits::COURSE });
            assert!(is_runtime_error(&told, OUTSIDE), "{near}, {off}: {told:?}");
        }
    }
}

#[test]
fn an_access_may_end_at_the_end_of_the_memory() {
    let at = |address: u32, length: u32| {
        let length = hidden(length);
        let body = format!("(memory.fill (i32.const {address}) (i32.const 1) {length})");
        play(&exports("", &body), Limits::COURSE)
    };
    assert!(at(65_536, 0).is_ok());
    assert!(at(65_535, 1).is_ok());
    assert!(is_runtime_error(&at(65_537, 0), OUTSIDE));
    assert!(is_runtime_error(&at(65_535, 2), OUTSIDE));
}

#[test]
fn an_access_outside_the_memory_traps_at_the_start() {
    let fill = "(memory.fill (i32.const 4096) (i32.const 1) (i32.const -1))";
    let hooks = [
        format!("(func $begin {fill}) (start $begin)"),
        format!(r#"(func (export "_initialize") {fill})"#),
    ];
    for hook in hooks {
        let told = play(&exports(&hook, ""), Limits::COURSE);
        assert!(is_runtime_error(&told, OUTSIDE), "{hook}: {told:?}");
        assert!(is_runtime_error(&told, "while starting up"), "{hook}: {told:?}");
    }
}

/// Fills a page of memory again and again until the fuel runs out.
#[test]
fn an_access_inside_the_memory_costs_its_length() {
    let again = format!(
        "(loop $again (memory.fill (i32.const 0) (i32.const 65) {}) (br $again))",
        hidden(65_536)
    );
    let once = format!("(memory.fill (i32.const 0) (i32.const 65) {})", hidden(65_536));
    let limits = Limits { fuel: 10_000_000, ..Limits::COURSE };
    assert_eq!(play(&exports("", &again), limits), Err(PlayerFault::out_of_time()));
    let spent = play(&exports("", &once), limits).unwrap();
    assert!((65_536..66_000).contains(&spent), "{spent}");
    let short = Limits { fuel: spent - 1, ..limits };
    assert_eq!(play(&exports("", &once), short), Err(PlayerFault::out_of_time()));
    assert_eq!(play(&exports("", &once), Limits { fuel: spent, ..limits }), Ok(spent));
}

/// A failure after a call's time is over does not count.
#[test]
fn a_trap_after_the_end_of_the_fuel_is_a_time_fault() {
    let spin = "(loop $again (br_if $again (i32.lt_u
        (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const ROUNDS))))";
    let late = |failure: &str| {
        let body = format!("{} {failure}", spin.replace("ROUNDS", "500000"));
        play(&exports("", &body), Limits { fuel: 100_000, ..Limits::COURSE })
    };
    for failure in ["unreachable", "(drop (i32.load (i32.const -1)))", "(return (i32.const 1))"] {
        assert_eq!(late(failure), Err(PlayerFault::out_of_time()), "{failure}");
    }
}

#[test]
fn refused_growth_costs_little_fuel() {
    for delta in [-1, 11, 20_000, i32::MIN, i32::MAX] {
        for operator in ["(table.grow $t (ref.null func) DELTA)", "(memory.grow DELTA)"] {
            if operator.contains("memory") && delta == 11 {
                continue;
            }
            for shown in [format!("(i32.const {delta})"), hidden(delta as u32)] {
                let grow = operator.replace("DELTA", &shown);
                let body = format!("(if (i32.ne {grow} (i32.const -1)) (then unreachable))");
                let spent = play(&exports("", &body), Limits::COURSE).unwrap();
                assert!(spent < 21_000, "{grow}: {spent}");
                // It is a program, and it ends: so its checks held.
                let told = play(&program(&body), Limits::COURSE);
                assert!(is_runtime_error(&told, "exit code 0"), "{grow}: {told:?}");
            }
        }
    }
}

/// The same cost as in the engine's own table, although the judge now charges it.
#[test]
fn growing_a_table_costs_one_unit_per_element() {
    let spent = |delta: &str| {
        let body = format!("(drop (table.grow $t (ref.null func) {delta}))");
        play(&exports("", &body), Limits::COURSE).unwrap()
    };
    let nothing = spent(&hidden(0));
    assert_eq!(spent(&hidden(7)) - nothing, 7);
    assert_eq!(spent(&hidden(10)) - nothing, 10);
    assert_eq!(spent(&hidden(100)) - nothing, 100, "refused");
    let (constant, none) = (spent("(i32.const 7)"), spent("(i32.const 0)"));
    assert_eq!(constant - none, 7);
}

/// A call pays for the growth of its table, and no other call does.
#[test]
fn a_grown_table_is_paid_once() {
    let body = "(drop (table.grow $t (ref.null func) (i32.const 5)))";
    let sandbox = Sandbox::new().unwrap();
    let compiled = Compiled::new(&sandbox, &wat::parse_str(exports("", body)).unwrap()).unwrap();
    let mut bot = BotPlayer::new(&compiled, Limits::COURSE);
    let mut ask = || bot.ask("discard?", &mut String::new()).unwrap().unwrap();
    let first = ask();
    assert_eq!(ask(), first, "the second growth, to the maximum");
    assert_eq!(ask(), first, "the third is refused");
}

#[test]
fn memory_may_fill_its_limit_next_to_a_table() {
    let limits = Limits { memory_bytes: 2 << 20, ..Limits::COURSE };
    let of = |pages: u32, body: &str| {
        let text = format!(
            r#"(module (memory (export "memory") {pages}) (table 20000 funcref)
                (func (export "judge_buffer") (result i32) i32.const 1024)
                (func (export "judge_line") (param $length i32) (result i32)
                    {body} local.get $length))"#
        );
        let sandbox = Sandbox::new().unwrap();
        let compiled = Compiled::new(&sandbox, &wat::parse_str(text).unwrap()).unwrap();
        let mut bot = BotPlayer::new(&compiled, limits);
        let told = bot.ask("discard?", &mut String::new());
        (told, bot.usage().peak_memory_bytes)
    };
    let (told, peak) = of(32, "");
    assert!(told.is_ok(), "{told:?}");
    assert_eq!(peak, 2 << 20);
    let grown = "(if (i32.ne (memory.grow (i32.const 31)) (i32.const 1)) (then unreachable))";
    assert!(of(1, grown).0.is_ok());
    let more = "(if (i32.ne (memory.grow (i32.const 32)) (i32.const -1)) (then unreachable))";
    assert!(of(1, more).0.is_ok());
    assert_eq!(of(1, "").1, 65_536 + 8 * 20_000, "tables are reported with the memory");
    let (told, _) = of(33, "");
    assert_eq!(told.unwrap_err().verdict, Verdict::InvalidModule);
}
