//! Fuel by function: exact for every way to leave a function.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use judge_core::{Limits, Player, PlayerFault, Seat, Seed};
use judge_sandbox::{BotPlayer, Compiled, FunctionCost, Measured, Profile, Sandbox};

/// Functions with every way to return, called from `judge_line`.
const WAYS: &str = r#"(module
    (import "judge" "log" (func $log (param i32 i32)))
    (memory (export "memory") 2)
    (table 2 funcref) (elem (i32.const 0) $branch $several)
    (type $unary (func (param i32) (result i32)))
    (type $binary (func (param i32) (result i32 i32)))
    (func $early (param i32) (result i32)
        (if (i32.gt_s (local.get 0) (i32.const 3)) (then (return (i32.const 1))))
        (i32.const 2))
    (func $branch (type $unary)
        (block (result i32)
            (br_if 1 (i32.const 5) (local.get 0)) drop
            (br_table 0 1 (i32.const 7) (local.get 0))))
    (func $several (type $binary) (return (local.get 0) (i32.const 9)))
    (func $nothing)
    (func $bulk (param i32)
        (memory.fill (i32.const 4096) (i32.const 1) (i32.const 60000))
        (call $log (i32.const 0) (i32.const 10)))
    (func $down (param i32) (result i32)
        (if (result i32) (local.get 0)
            (then (call $down (i32.sub (local.get 0) (i32.const 1))))
            (else (i32.const 0))))
    (func (export "judge_buffer") (result i32) (i32.const 70000))
    (func $line (export "judge_line") (param i32) (result i32)
        (drop (call $early (local.get 0)))
        (drop (call_indirect (type $unary) (local.get 0) (i32.const 0)))
        (call_indirect (type $binary) (local.get 0) (i32.const 1)) drop drop
        (call $nothing) (call $bulk (i32.const 0))
        (drop (call $down (i32.const 4)))
        (i32.eq (i32.load8_u (i32.const 70000)) (i32.const 100))))"#;

/// A program that reads lines in one function and answers in another.
const PROGRAM: &str = r#"(module
    (import "wasi_snapshot_preview1" "fd_read"
        (func $fd_read (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "fd_write"
        (func $fd_write (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
    (memory (export "memory") 1)
    (func $read (result i32)
        (i32.store (i32.const 0) (i32.const 1024))
        (i32.store (i32.const 4) (i32.const 4097))
        (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
        (i32.load (i32.const 8)))
    (func $answer (param $length i32)
        (i32.store (i32.const 16) (i32.const 1024))
        (i32.store (i32.const 20) (local.get $length))
        (drop (call $fd_write
            (i32.const 1) (i32.const 16) (i32.const 1) (i32.const 24))))
    (func (export "_start") (local $n i32)
        (loop $next
            (local.set $n (call $read))
            (if (i32.eq (i32.load8_u (i32.const 1024)) (i32.const 100))
                (then (call $answer (local.get $n)) (br $next))))
        (call $exit (i32.const 0))))"#;

const LINES: [&str; 4] = ["discard? 1", "discard? 2", "discard? 3", "end win 1 0"];

/// The fuel of each line, the failure if there is one, and the profile.
fn play(text: &str, measured: Option<Measured>) -> (Vec<u64>, Option<PlayerFault>, Profile) {
    let (sandbox, bytes) = (Sandbox::new().unwrap(), wat::parse_str(text).unwrap());
    let compile = if measured.is_some() { Compiled::instrumented } else { Compiled::new };
    let compiled = compile(&sandbox, &bytes).unwrap();
    let player = BotPlayer::new(&compiled, Limits::COURSE).seeded(Seed(1), Seat::One);
    let mut player = player.measured(measured);
    let mut fuel = Vec::new();
    for line in LINES {
        let mut answer = String::new();
        let told = match judge_protocol::is_question(line) {
            true => player.ask(line, &mut answer),
            false => player.notice(line),
        };
        match told {
            Ok(spent) => fuel.push(spent.unwrap()),
            Err(fault) => return (fuel, Some(fault), player.profile().unwrap_or_default()),
        }
    }
    (fuel, None, player.profile().unwrap_or_default())
}

fn cost_of(profile: &Profile, function: u32) -> FunctionCost {
    *profile.functions.iter().find(|one| one.function == function).unwrap()
}

#[test]
fn profiling_changes_no_fuel_and_counts_every_unit() {
    for text in [WAYS, PROGRAM] {
        let (plain, fault, nothing) = play(text, None);
        assert_eq!((fault, nothing), (None, Profile::default()));
        let (counted, _, profile) = play(text, Some(Measured::Every));
        assert_eq!(counted, plain);
        assert_eq!((profile.fuel(), profile.outside), (plain.iter().sum::<u64>(), 0));
        for (call, fuel) in (0..).zip(&plain) {
            let (_, _, one) = play(text, Some(Measured::Call(call)));
            assert_eq!((one.fuel(), one.outside), (*fuel, 0), "call {call}");
        }
    }
}

#[test]
fn a_profile_has_the_calls_and_chains_of_the_module() {
    let (plain, _, profile) = play(WAYS, Some(Measured::Every));
    // Imports come first: `log` is 0. `judge_buffer` ran before the first line.
    let calls: Vec<(u32, u64)> =
        profile.functions.iter().map(|one| (one.function, one.calls)).collect();
    assert_eq!(calls, [(1, 4), (2, 4), (3, 4), (4, 4), (5, 4), (6, 20), (8, 4)]);
    assert_eq!(
        cost_of(&profile, 8).total,
        plain.iter().sum::<u64>(),
        "everything is below `judge_line`"
    );
    assert_eq!(cost_of(&profile, 4).own, 4, "entering an empty function costs 1");
    // Filling a byte costs 1, and so does logging one.
    let bulk = cost_of(&profile, 5);
    assert!(bulk.own > 4 * (60_000 + 100 + 10) && bulk.own < 4 * 61_000, "{bulk:?}");
    let down = cost_of(&profile, 6);
    assert_eq!(down.own, down.total, "it calls nothing but itself");
    let chains = profile.paths.iter().filter(|path| path.function == 6).count();
    assert_eq!(chains, 5, "one for each depth");
}

#[test]
fn a_profile_ends_at_the_trap_with_its_location() {
    let text = PROGRAM.replace("(call $fd_write", "unreachable (call $fd_write");
    let (_, fault, profile) = play(&text, Some(Measured::Every));
    assert!(fault.is_some());
    assert_eq!(cost_of(&profile, 4).calls, 1);

    let (sandbox, bytes) = (Sandbox::new().unwrap(), wat::parse_str(&text).unwrap());
    let compiled = Compiled::new(&sandbox, &bytes).unwrap();
    let mut player = BotPlayer::new(&compiled, Limits::COURSE);
    assert!(player.trace().is_empty());
    player.ask("discard? 1", &mut String::new()).unwrap_err();
    let functions: Vec<u32> = player.trace().iter().map(|frame| frame.function).collect();
    assert_eq!(functions, [4, 5], "`answer`, called by `_start`");
    assert!(player.trace().iter().all(|frame| frame.offset.is_some()));
}

#[test]
fn a_module_cannot_import_the_counters() {
    for (import, parameters) in [("enter", "(param i32)"), ("leave", "")] {
        let text = format!(
            r#"(module (import "judge_profile" "{import}" (func {parameters}))
                (memory (export "memory") 1)
                (func (export "judge_buffer") (result i32) i32.const 0)
                (func (export "judge_line") (param i32) (result i32) i32.const 0))"#
        );
        let refused = judge_sandbox::intake::inspect(&wat::parse_str(text).unwrap()).unwrap_err();
        assert!(refused.to_string().contains(&format!("judge_profile.{import}")), "{refused}");
    }
}
