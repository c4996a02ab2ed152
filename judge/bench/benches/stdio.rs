//! Cost of a line over each transport: the same simple bot as exports and as a program on stdio.
//! They alternate, so that noise affects both alike. Also the host's time per unit of fuel for a
//! program that only makes system calls.
//!
//! `cargo bench -p judge-bench --bench stdio`

use std::time::{Duration, Instant};

use judge_bench::{Rate, play_round, spec};
use judge_core::{Limits, Player, PlayerFault};
use judge_sandbox::{BotPlayer, Compiled, Sandbox};

const REPEATS: usize = 41;
const ROUNDS: u64 = 200;

/// Discards the last drawn tile, and wins when it can. `$think` makes the answer to the line at
/// 1024 and returns its length.
const THINK: &str = r#"
    (memory (export "memory") 1)
    (func $think (result i32) (local $kind i32)
        (local.set $kind (i32.load16_u (i32.const 1024)))
        ;; `dr`: keep the tile.
        (if (i32.eq (local.get $kind) (i32.const 0x7264))
            (then (i32.store16 (i32.const 512) (i32.load16_u (i32.const 1029))) (return (i32.const 0))))
        ;; `di`: throw it.
        (if (i32.eq (local.get $kind) (i32.const 0x6964))
            (then (i32.store16 (i32.const 1024) (i32.load16_u (i32.const 512))) (return (i32.const 2))))
        ;; `wi`: yes.
        (if (i32.eq (local.get $kind) (i32.const 0x6977))
            (then (i32.store (i32.const 1024) (i32.const 0x736579)) (return (i32.const 3))))
        i32.const 0)"#;

const EXPORTS: &str = r#"
    (func (export "judge_buffer") (result i32) i32.const 1024)
    (func (export "judge_line") (param i32) (result i32) (call $think))"#;

const IMPORTS: &str = r#"
    (import "wasi_snapshot_preview1" "fd_read"
        (func $fd_read (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "fd_write"
        (func $fd_write (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
    (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "sock_shutdown" (func $refused (param i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "clock_time_get"
        (func $clock (param i32 i64 i32) (result i32)))"#;

const STDIO: &str = r#"
    (data (i32.const 0) "\00\04\00\00\00\10\00\00\00\04\00\00")
    (func (export "_start") (local $n i32)
        (loop $next
            (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 16)))
            (if (i32.load (i32.const 16)) (then
                (local.set $n (call $think))
                (if (local.get $n) (then
                    (i32.store8 (i32.add (i32.const 1024) (local.get $n)) (i32.const 10))
                    (i32.store (i32.const 12) (i32.add (local.get $n) (i32.const 1)))
                    (drop (call $fd_write
                        (i32.const 1) (i32.const 8) (i32.const 1) (i32.const 16)))))
                (br $next)))))"#;

/// The call to repeat, and the loop's body. All addresses are of empty or small data.
const SPINS: [(&str, &str); 7] = [
    ("plain loop", ""),
    ("sched_yield", "(drop (call $yield))"),
    ("sock_shutdown", "(drop (call $refused (i32.const 0) (i32.const 0)))"),
    ("clock_time_get", "(drop (call $clock (i32.const 0) (i64.const 0) (i32.const 512)))"),
    ("random_get, 8 bytes", "(drop (call $random (i32.const 512) (i32.const 8)))"),
    (
        "fd_read, nothing",
        "(drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 16)))",
    ),
    (
        "fd_write, 1 byte to the log",
        "(i32.store (i32.const 12) (i32.const 1))
         (drop (call $fd_write (i32.const 2) (i32.const 8) (i32.const 1) (i32.const 16)))",
    ),
];

fn main() {
    let sandbox = Sandbox::new().expect("an engine");
    let compile = |text: &str| {
        let module = wat::parse_str(text).expect("a module");
        Compiled::new(&sandbox, &module).expect("a bot")
    };
    let exports = compile(&format!("(module {THINK} {EXPORTS})"));
    let stdio = compile(&format!("(module {IMPORTS} {THINK} {STDIO})"));
    compare(&exports, &stdio);

    let mut plain = 0.0;
    for (name, body) in SPINS {
        let spin = compile(&format!(
            r#"(module {IMPORTS} (memory (export "memory") 1)
                (data (i32.const 0) "\00\04\00\00\00\10\00\00\00\04\00\00")
                (func (export "_start")
                    (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 16)))
                    (loop $again {body} (br $again))))"#
        ));
        let cost = median((0..5).map(|_| nanoseconds_per_fuel(&spin)).collect());
        plain = if body.is_empty() { cost } else { plain };
        println!("  {name:28} {cost:7.3} ns a unit of fuel, {:5.2} × a plain loop", cost / plain);
    }
}

fn compare(exports: &Compiled, stdio: &Compiled) {
    let lines = lines_of_a_round(exports);
    assert_eq!(lines, lines_of_a_round(stdio), "both play alike");
    let mut times: [Vec<f64>; 2] = Default::default();
    for _ in 0..REPEATS {
        let rates =
            [exports, stdio].map(|compiled| Rate::measure(ROUNDS, |seed| round(compiled, seed)));
        assert_eq!(rates[0].score, rates[1].score, "both play alike");
        for (times, rate) in times.iter_mut().zip(rates) {
            times.push(1e9 / rate.per_second());
        }
    }
    let [exports, stdio] = times.map(median);
    println!("a round of {lines} lines, one core, median of {REPEATS}");
    println!("  exports {exports:8.0} ns a round, {:6.1} ns a line", exports / lines as f64);
    println!(
        "  stdio   {stdio:8.0} ns a round, {:6.1} ns a line, {:.1} ns more",
        stdio / lines as f64,
        (stdio - exports) / lines as f64
    );
}

/// Plays a round like a worker: with a new instance.
fn round(compiled: &Compiled, seed: u64) -> i64 {
    let spec = spec(seed);
    let mut player = BotPlayer::new(compiled, spec.limits);
    let score = play_round(&spec, &mut player);
    std::hint::black_box(player.usage());
    score
}

/// Counts the lines of a player.
struct Counted<'a>(BotPlayer<'a>, u64);

impl Player for Counted<'_> {
    fn notice(&mut self, line: &str) -> Result<Option<u64>, PlayerFault> {
        self.1 += 1;
        self.0.notice(line)
    }

    fn ask(&mut self, line: &str, answer: &mut String) -> Result<Option<u64>, PlayerFault> {
        self.1 += 1;
        self.0.ask(line, answer)
    }
}

/// Mean over all measured rounds, rounded down.
fn lines_of_a_round(compiled: &Compiled) -> u64 {
    let mut lines = 0;
    for seed in 0..ROUNDS {
        let spec = spec(seed);
        let mut player = Counted(BotPlayer::new(compiled, spec.limits), 0);
        play_round(&spec, &mut player);
        lines += player.1;
    }
    lines / ROUNDS
}

/// Lets a program spin until its fuel is used up.
fn nanoseconds_per_fuel(spin: &Compiled) -> f64 {
    let limits = Limits { fuel: 100_000_000, ..Limits::COURSE };
    let mut player = BotPlayer::new(spin, limits);
    let begin = Instant::now();
    let fault = player.notice("game test seat 1").expect_err("it never ends");
    let time: Duration = begin.elapsed();
    assert_eq!(fault, PlayerFault::out_of_time());
    time.as_nanos() as f64 / limits.fuel as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
