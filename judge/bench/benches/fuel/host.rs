//! Calls of the host: a bot's log, and WASI functions of a program on stdio.

use crate::{LOCALS, Pattern, START};

/// Address of a program's line, and two lists for WASI calls: one buffer of 4096 bytes at 1024, and
/// 1024 empty buffers.
const LINE: u32 = 0;
const EMPTY: u32 = 16 << 10;
const OUT: u32 = 512;

pub(crate) fn patterns() -> Vec<Pattern> {
    [log(), system()].concat()
}

fn log() -> Vec<Pattern> {
    [0, 1, 100, 65_536]
        .map(|bytes| {
            let body = format!("(call $log (local.get $k) (i32.const {bytes}))");
            Pattern::repeated(&format!("judge.log of {bytes} bytes"), &body)
        })
        .into()
}

fn system() -> Vec<Pattern> {
    let calls = [
        ("sched_yield", "(call $sched_yield)".to_owned()),
        ("fd_sync, always refused", "(call $fd_sync (i32.const 1))".to_owned()),
        (
            "path_open, always refused",
            format!("(call $path_open {} (i64.const 0) (i64.const 0) {})", zeros(5), zeros(2)),
        ),
        (
            "clock_time_get",
            format!("(call $clock_time_get (i32.const 0) (i64.const 0) (i32.const {OUT}))"),
        ),
        ("random_get of 0 bytes", random(0)),
        ("random_get of 1 byte", random(1)),
        ("random_get of 8 bytes", random(8)),
        ("random_get of 65,536 bytes", random(65_536)),
        ("fd_fdstat_get", format!("(call $fd_fdstat_get (i32.const 0) (i32.const {OUT}))")),
        ("fd_filestat_get", format!("(call $fd_filestat_get (i32.const 0) (i32.const {OUT}))")),
        ("fd_close of a closed one", "(call $fd_close (i32.const 7))".to_owned()),
        (
            "environ_sizes_get",
            format!("(call $environ_sizes_get (i32.const {OUT}) (i32.const {OUT}))"),
        ),
        ("fd_read of no pieces", stream("read", 0, EMPTY, 0)),
        ("fd_read of 1024 empty pieces", stream("read", 0, EMPTY, 1024)),
        ("fd_write of no pieces", stream("write", 1, EMPTY, 0)),
        ("fd_write of an empty piece", stream("write", 1, EMPTY, 1)),
        ("fd_write of 1024 empty pieces", stream("write", 1, EMPTY, 1024)),
        ("fd_write of 4096 bytes to the log", stream("write", 2, LINE, 1)),
        ("poll_oneoff of one", poll(1)),
        ("poll_oneoff of 1024", poll(1024)),
    ];
    calls
        .into_iter()
        .map(|(name, call)| Pattern {
            stdio: true,
            ..Pattern::repeated(name, &format!("(drop {call})"))
        })
        .collect()
}

fn zeros(count: usize) -> String {
    "(i32.const 0)".repeat(count)
}

fn random(bytes: u32) -> String {
    format!("(call $random_get (local.get $k) (i32.const {bytes}))")
}

fn stream(what: &str, descriptor: u32, list: u32, count: u32) -> String {
    format!(
        "(call $fd_{what} (i32.const {descriptor}) (i32.const {list}) (i32.const {count}) \
         (i32.const {OUT}))"
    )
}

fn poll(count: u32) -> String {
    format!(
        "(call $poll_oneoff (i32.const {EMPTY}) (i32.const 131072) (i32.const {count}) \
         (i32.const {OUT}))"
    )
}

/// WASI functions that the patterns call, with their parameters.
const IMPORTS: [(&str, &str); 12] = [
    ("sched_yield", ""),
    ("fd_sync", "i32"),
    ("path_open", "i32 i32 i32 i32 i32 i64 i64 i32 i32"),
    ("clock_time_get", "i32 i64 i32"),
    ("random_get", "i32 i32"),
    ("fd_fdstat_get", "i32 i32"),
    ("fd_filestat_get", "i32 i32"),
    ("fd_close", "i32"),
    ("environ_sizes_get", "i32 i32"),
    ("fd_read", "i32 i32 i32 i32"),
    ("fd_write", "i32 i32 i32 i32"),
    ("poll_oneoff", "i32 i32 i32 i32"),
];

/// A program that reads a notice and a question, and spins instead of answering.
pub(crate) fn program(pattern: &Pattern) -> String {
    let imports: String = IMPORTS
        .map(|(name, parameters)| {
            format!(
                r#"(import "wasi_snapshot_preview1" "{name}"
                (func ${name} (param {parameters}) (result i32)))"#
            )
        })
        .concat();
    let Pattern { setup, body, .. } = pattern;
    let read = format!("(drop {})", stream("read", 0, LINE, 1));
    format!(
        r#"(module {imports} (memory (export "memory") 4)
        (data (i32.const {LINE}) "\00\04\00\00\00\10\00\00")
        (func (export "_start") {LOCALS}
          {read} {read} {START} {setup}
          (loop $again {body} (br $again))))"#
    )
}
