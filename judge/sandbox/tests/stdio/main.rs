//! Programs in the sandbox: lines on standard input, answers on standard output, and every way to
//! fail.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod ends;
mod fuel;
mod lines;
mod system;

use judge_core::{Limits, Player, PlayerFault, Seat, Seed, Usage};
use judge_sandbox::{BotPlayer, Compiled, Sandbox};

/// Common functions of all programs here. `$read` reads a line to address 1024 and returns its
/// length with the line feed, 0 at the end of the input. `$print` prints bytes; `$say` prints them
/// to a descriptor. Data may use addresses from 8192 on.
const LIBRARY: &str = r#"
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
    (func $say (param $descriptor i32) (param $text i32) (param $length i32)
        (i32.store (i32.const 16) (local.get $text))
        (i32.store (i32.const 20) (local.get $length))
        (drop (call $fd_write
            (local.get $descriptor) (i32.const 16) (i32.const 1) (i32.const 24))))
    (func $print (param $text i32) (param $length i32)
        (call $say (i32.const 1) (local.get $text) (local.get $length)))
"#;

/// Compiles a program with `_start` from `body` and the imports of `extra`.
fn compile(extra: &str, body: &str) -> Compiled {
    compile_with(extra, "", body)
}

/// Compiles a program with `fields` after the imports.
fn compile_with(imports: &str, fields: &str, body: &str) -> Compiled {
    let text = format!(
        r#"(module {imports} {LIBRARY} {fields}
            (func (export "_start") (local $n i32) (local $i i32) {body}))"#
    );
    Compiled::new(&Sandbox::new().unwrap(), &wat::parse_str(text).unwrap()).unwrap()
}

/// An import of WASI.
fn import(name: &str, parameters: &str) -> String {
    format!(
        r#"(import "wasi_snapshot_preview1" "{name}" (func ${name} (param {parameters}) (result i32)))"#
    )
}

/// Reads lines forever and runs `body` on each; `$n` is its length.
fn for_each_line(body: &str) -> Compiled {
    compile("", &each_line(body))
}

fn each_line(body: &str) -> String {
    format!(
        "(loop $next
            (local.set $n (call $read))
            (if (local.get $n) (then {body} (br $next))))"
    )
}

/// Prints the line back if it begins with `d`.
const ECHO: &str = "(if (i32.eq (i32.load8_u (i32.const 1024)) (i32.const 100))
    (then (call $print (i32.const 1024) (local.get $n))))";

fn player(compiled: &Compiled) -> BotPlayer<'_> {
    BotPlayer::new(compiled, Limits::COURSE).seeded(Seed(1), Seat::One)
}

fn ask(player: &mut BotPlayer<'_>, line: &str) -> Result<(String, u64), PlayerFault> {
    let mut answer = String::new();
    let fuel = player.ask(line, &mut answer)?;
    Ok((answer, fuel.unwrap()))
}

/// The parts of the log, which must not be empty.
fn parts(usage: &Usage) -> Vec<(u32, u32)> {
    usage.log_parts.iter().flatten().map(|part| (part.call, part.bytes)).collect()
}

/// The answer of a new instance.
fn first_answer(compiled: &Compiled) -> Result<String, PlayerFault> {
    ask(&mut player(compiled), "discard?").map(|(answer, _)| answer)
}

fn fault(compiled: &Compiled) -> PlayerFault {
    first_answer(compiled).unwrap_err()
}
