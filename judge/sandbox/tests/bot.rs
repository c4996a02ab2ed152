//! Tests of bots in the sandbox: lines in, lines out, and every way to fail.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_core::{Limits, Player, PlayerFault, Usage, Verdict};
use judge_sandbox::{BotPlayer, Compiled, Sandbox};

const BUFFER: &str = r#"(func (export "judge_buffer") (result i32) i32.const 1024)"#;

/// Compiles a bot with `body` in `judge_line` and the module fields of `extra`.
fn compile(extra: &str, body: &str) -> Compiled {
    let text = format!(
        r#"(module {extra} (memory (export "memory") 1) {BUFFER}
            (func (export "judge_line") (param $length i32) (result i32) {body}))"#
    );
    compile_text(&text)
}

fn compile_text(text: &str) -> Compiled {
    let sandbox = Sandbox::new().unwrap();
    Compiled::new(&sandbox, &wat::parse_str(text).unwrap()).unwrap()
}

fn ask(compiled: &Compiled, limits: Limits) -> Result<(String, u64), PlayerFault> {
    let mut answer = String::new();
    let fuel = BotPlayer::new(compiled, limits).ask("discard?", &mut answer)?;
    Ok((answer, fuel.unwrap()))
}

fn fault(compiled: &Compiled) -> PlayerFault {
    ask(compiled, Limits::COURSE).unwrap_err()
}

#[test]
fn a_line_is_sent_and_the_answer_is_returned() {
    let echo = compile("", "local.get $length");
    let (answer, fuel) = ask(&echo, Limits::COURSE).unwrap();
    assert_eq!(answer, "discard?");
    assert!(fuel > 0);
}

#[test]
fn each_round_starts_fresh() {
    // The length of its answer is the number of its calls.
    let counter = compile(
        "(global $calls (mut i32) (i32.const 0))",
        "(global.set $calls (i32.add (global.get $calls) (i32.const 1))) global.get $calls",
    );
    for _ in 0..3 {
        assert_eq!(ask(&counter, Limits::COURSE).unwrap().0, "d");
    }
}

#[test]
fn fuel_is_the_same_every_time_and_exact_at_the_edge() {
    let work = compile(
        "(global $i (mut i32) (i32.const 1000))",
        "(loop $again
            (global.set $i (i32.sub (global.get $i) (i32.const 1)))
            (br_if $again (global.get $i)))
         local.get $length",
    );
    let (_, fuel) = ask(&work, Limits::COURSE).unwrap();
    for _ in 0..100 {
        assert_eq!(ask(&work, Limits { fuel, ..Limits::COURSE }).unwrap().1, fuel);
        let short = ask(&work, Limits { fuel: fuel - 1, ..Limits::COURSE });
        assert_eq!(short.unwrap_err(), PlayerFault::out_of_time());
    }
}

#[test]
fn an_infinite_loop_runs_out_of_time() {
    let spin = compile("", "(loop $again (br $again)) i32.const 0");
    let limits = Limits { fuel: 10_000_000, ..Limits::COURSE };
    assert_eq!(ask(&spin, limits).unwrap_err(), PlayerFault::out_of_time());
}

#[test]
fn the_budget_is_for_all_calls_together() {
    let echo = compile("", "local.get $length");
    let (_, fuel) = ask(&echo, Limits::COURSE).unwrap();
    let mut player = BotPlayer::new(&echo, Limits { fuel: 3 * fuel, ..Limits::COURSE });
    let mut answer = String::new();
    for _ in 0..3 {
        player.ask("discard?", &mut answer).unwrap();
    }
    assert_eq!(player.ask("discard?", &mut answer).unwrap_err(), PlayerFault::out_of_time());
}

#[test]
fn the_start_is_bounded_but_not_counted() {
    let start = |rounds: u32| {
        format!(
            r#"(func (export "_initialize") (local $i i32) (local.set $i (i32.const {rounds}))
               (loop $again (local.set $i (i32.sub (local.get $i) (i32.const 1)))
               (br_if $again (local.get $i))))"#
        )
    };
    let (_, plain) = ask(&compile("", "local.get $length"), Limits::COURSE).unwrap();
    let (_, busy) = ask(&compile(&start(1000), "local.get $length"), Limits::COURSE).unwrap();
    assert_eq!(plain, busy);

    let endless = compile(r#"(func $f (loop $again (br $again))) (start $f)"#, "i32.const 0");
    let fault = fault(&endless);
    assert_eq!(fault.verdict, Verdict::TimeLimitExceeded);
    assert!(
        fault.detail.as_str().starts_with("still starting up after 100 ms"),
        "{}",
        fault.detail
    );
}

#[test]
fn traps_are_runtime_errors_with_a_message() {
    let cases = [
        ("unreachable", "aborted: `unreachable` reached"),
        ("(i32.div_u (i32.const 1) (i32.const 0))", "integer division by zero"),
        ("(i32.load (i32.const 65536))", "access outside of the memory"),
        ("(call $deep) i32.const 0", "stack overflow"),
    ];
    for (body, expected) in cases {
        let fault = fault(&compile("(func $deep (call $deep))", body));
        assert_eq!(fault.verdict, Verdict::RuntimeError, "{body}");
        assert!(fault.detail.as_str().starts_with(expected), "{}", fault.detail);
    }
}

#[test]
fn a_trap_names_its_function_if_the_module_has_names() {
    let fault = fault(&compile("(func $think unreachable)", "(call $think) i32.const 0"));
    assert!(fault.detail.as_str().ends_with("in function `think`"), "{}", fault.detail);
}

#[test]
fn names_of_functions_in_rust_are_decoded() {
    for name in ["_ZN6my_bot5think17h0123456789abcdefE", "_RNvC6my_bot5think"] {
        let extra = format!("(func ${name} unreachable)");
        let fault = fault(&compile(&extra, &format!("(call ${name}) i32.const 0")));
        let detail = fault.detail.as_str();
        assert!(detail.ends_with("in function `my_bot::think`"), "{detail}");
    }
}

#[test]
fn names_of_functions_in_cpp_are_decoded() {
    let extra = "(func $_ZN5board5thinkERK5Statei unreachable)";
    let fault = fault(&compile(extra, "(call $_ZN5board5thinkERK5Statei) i32.const 0"));
    let detail = fault.detail.as_str();
    assert!(detail.ends_with("in function `board::think(State const&, int)`"), "{detail}");
}

#[test]
fn a_trap_after_refused_memory_is_a_memory_fault() {
    // Grows page by page until refused, then answers or fails.
    let grow = "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))";
    let calm = compile("", &format!("{grow} local.get $length"));
    let mut player = BotPlayer::new(&calm, Limits::COURSE);
    let mut answer = String::new();
    player.ask("discard?", &mut answer).unwrap();
    assert_eq!(player.usage().peak_memory_bytes, 2 << 20);

    let panics = compile("", &format!("{grow} unreachable"));
    let fault = fault(&panics);
    assert_eq!(fault.verdict, Verdict::MemoryLimitExceeded);
    assert!(
        fault.detail.as_str().contains("after the memory limit had refused"),
        "{}",
        fault.detail
    );
}

#[test]
fn a_module_above_the_testcases_memory_limit_is_refused() {
    let compiled = compile("", "local.get $length");
    let limits = Limits { memory_bytes: 65_535, ..Limits::COURSE };
    assert_eq!(ask(&compiled, limits).unwrap_err().verdict, Verdict::InvalidModule);
}

#[test]
fn forged_lengths_are_faults() {
    let negative = fault(&compile("", "i32.const -1"));
    assert_eq!(negative.verdict, Verdict::ProtocolError);
    let long = fault(&compile("", "i32.const 4097"));
    assert_eq!(long.verdict, Verdict::OutputLimitExceeded);
    assert!(long.detail.as_str().contains("returned 4097"), "{}", long.detail);
}

#[test]
fn a_buffer_outside_of_the_memory_is_a_fault() {
    for address in [65_536 - 4095, -1, -4096] {
        let text = format!(
            r#"(module (memory (export "memory") 1)
                (func (export "judge_buffer") (result i32) i32.const {address})
                (func (export "judge_line") (param i32) (result i32) i32.const 0))"#
        );
        let fault = fault(&compile_text(&text));
        assert_eq!(fault.verdict, Verdict::ProtocolError);
        assert!(fault.detail.as_str().contains("do not fit into the memory"), "{}", fault.detail);
    }
}

#[test]
fn silence_and_unprintable_bytes_are_not_answers() {
    let silent = fault(&compile("", "i32.const 0"));
    assert_eq!(silent, PlayerFault::new(Verdict::ProtocolError, "no answer to `discard?`"));
    let escape = compile("", "(i32.store8 (i32.const 1024) (i32.const 27)) i32.const 2");
    let fault = fault(&escape);
    assert_eq!(fault.verdict, Verdict::ProtocolError);
    assert!(
        fault.detail.as_str().starts_with(r"answered `\x1bi` to `discard?`"),
        "{}",
        fault.detail
    );
}

#[test]
fn answering_a_notice_is_a_fault() {
    let echo = compile("", "local.get $length");
    let fault = BotPlayer::new(&echo, Limits::COURSE).notice("draw 3b").unwrap_err();
    assert_eq!(fault.verdict, Verdict::ProtocolError);
    assert_eq!(fault.detail.as_str(), "answered `draw 3b` to `draw 3b`, which is not a question");
}

const LOG: &str = r#"(import "judge" "log" (func $log (param i32 i32)))"#;

#[test]
fn the_log_is_kept_up_to_its_limit() {
    let logs = compile(LOG, "(call $log (i32.const 1024) (local.get $length)) i32.const 0");
    let mut player = BotPlayer::new(&logs, Limits { log_bytes: 10, ..Limits::COURSE });
    player.notice("draw 3b").unwrap();
    player.notice("draw 4c").unwrap();
    let usage = player.usage();
    assert_eq!(usage.log, b"draw 3bdra");
    assert_eq!(usage.log_dropped, 4);
    assert_eq!(parts(&usage), [(0, 7), (1, 3)], "cut off in the second call");
}

/// The parts of the log, which must not be empty.
fn parts(usage: &Usage) -> Vec<(u32, u32)> {
    usage.log_parts.iter().flatten().map(|part| (part.call, part.bytes)).collect()
}

#[test]
fn each_call_has_its_part_of_the_log_even_a_failing_one() {
    // Logs the text after the first seven characters, in two calls, and traps on a long line.
    let logs = compile(
        &format!(
            r#"{LOG} (data (i32.const 0) "start")
               (func (export "_initialize") (call $log (i32.const 0) (i32.const 5)))"#
        ),
        "(call $log (i32.const 1031) (i32.const 0))
         (call $log (i32.const 1031) (i32.sub (local.get $length) (i32.const 7)))
         (if (i32.gt_u (local.get $length) (i32.const 12)) (then unreachable))
         (i32.eq (i32.load8_u (i32.const 1026)) (i32.const 63))",
    );
    let limits = Limits { log_bytes: 15, ..Limits::COURSE };
    let mut player = BotPlayer::new(&logs, limits);
    player.notice("draw 3b").unwrap();
    player.notice("draw 3bone").unwrap();
    player.ask("it? no.two", &mut String::new()).unwrap();
    player.notice("draw 4b").unwrap();
    assert!(player.notice("draw 4b and more").is_err());
    let usage = player.usage();
    assert_eq!(usage.log, b"startonetwo and");
    assert_eq!(usage.log_dropped, 5);
    assert_eq!(parts(&usage), [(1, 3), (2, 3), (4, 4)]);
}

#[test]
fn a_call_that_only_logs_beyond_the_limit_has_no_part() {
    let logs = compile(LOG, "(call $log (i32.const 1024) (local.get $length)) i32.const 0");
    let mut player = BotPlayer::new(&logs, Limits { log_bytes: 7, ..Limits::COURSE });
    player.notice("draw 3b").unwrap();
    player.notice("draw 4c").unwrap();
    assert_eq!(parts(&player.usage()), [(0, 7)]);
    let mut silent = BotPlayer::new(&logs, Limits { log_bytes: 0, ..Limits::COURSE });
    silent.notice("draw 3b").unwrap();
    let usage = silent.usage();
    assert_eq!((usage.log_parts, usage.log_dropped), (None, 7), "nothing was kept");
}

#[test]
fn logging_costs_fuel_by_the_byte() {
    let cost = |bytes: u32| {
        let body = format!("(call $log (i32.const 0) (i32.const {bytes})) local.get $length");
        ask(&compile(LOG, &body), Limits::COURSE).unwrap().1
    };
    assert_eq!(cost(1000) - cost(0), 1000);
    let spin = compile(
        LOG,
        "(loop $again (call $log (i32.const 0) (i32.const 65536)) (br $again)) i32.const 0",
    );
    assert_eq!(fault(&spin), PlayerFault::out_of_time());
}

#[test]
fn logging_from_outside_of_the_memory_is_a_fault() {
    for (pointer, length) in [(65_536, 1), (-16, 32), (0, -1)] {
        let body = format!("(call $log (i32.const {pointer}) (i32.const {length})) i32.const 0");
        let fault = fault(&compile(LOG, &body));
        assert_eq!(fault.verdict, Verdict::RuntimeError, "{fault}");
        assert!(fault.detail.as_str().contains("outside of the memory"), "{fault}");
    }
}

/// A bot that answers `3` if its table and nearly all of its memory are in their initial state, and
/// `4` otherwise. Then it leaves marks everywhere.
const LEAVES_MARKS: &str = r#"(module
    (table 100 funcref) (elem declare func $mark)
    (memory (export "memory") 1)
    (func $mark)
    (func (export "judge_buffer") (result i32) i32.const 0)
    (func (export "judge_line") (param i32) (result i32) (local $at i32) (local $clean i32)
        (drop (memory.grow (i32.const 30)))
        (local.set $clean (ref.is_null (table.get (i32.const 50))))
        (table.set (i32.const 50) (ref.func $mark))
        (local.set $at (i32.const 4096))
        (loop $next
            (if (i32.load (local.get $at)) (then (local.set $clean (i32.const 0))))
            (i32.store (local.get $at) (i32.const -1))
            (local.set $at (i32.add (local.get $at) (i32.const 64)))
            (br_if $next (i32.lt_u (local.get $at) (i32.const 2031616))))
        (i32.store8 (i32.const 0) (i32.sub (i32.const 52) (local.get $clean)))
        i32.const 1))"#;

#[test]
fn no_state_is_kept_between_rounds() {
    let compiled = compile_text(LEAVES_MARKS);
    for round in 0..4 {
        assert_eq!(ask(&compiled, Limits::COURSE).unwrap().0, "3", "round {round}");
    }
}

#[test]
fn tables_grow_to_their_limit_and_no_further() {
    let body = "(drop (table.grow $t (ref.null func) (i32.const 19990)))
        (if (i32.ne (table.grow $t (ref.null func) (i32.const 1)) (i32.const -1)) (then unreachable))
        unreachable";
    let fault = fault(&compile("(table $t 10 funcref)", body));
    assert_eq!(fault.verdict, Verdict::RuntimeError, "a table does not count as memory: {fault}");
}

#[test]
fn asking_for_impossible_memory_is_an_ordinary_refusal() {
    let body =
        "(if (i32.ne (memory.grow (i32.const -1)) (i32.const -1)) (then (return (i32.const 0))))
        unreachable";
    let fault = fault(&compile("", body));
    assert_eq!(fault.verdict, Verdict::MemoryLimitExceeded, "{fault}");
}

#[test]
fn the_log_of_a_failed_start_is_kept() {
    let logs = compile(
        r#"(import "judge" "log" (func $log (param i32 i32))) (data (i32.const 0) "why")
           (func (export "_initialize") (call $log (i32.const 0) (i32.const 3)) unreachable)"#,
        "i32.const 0",
    );
    let mut player = BotPlayer::new(&logs, Limits::COURSE);
    assert!(player.notice("draw 3b").is_err());
    let usage = player.usage();
    assert_eq!(usage.log, b"why");
    assert_eq!(usage.log_parts, Some(vec![]), "it was no call's");
}
