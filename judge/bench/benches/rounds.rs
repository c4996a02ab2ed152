//! Rounds per second and core of one C++ bot: natively, in the sandbox, and over two pipes. They
//! alternate, so that noise affects all alike. Prints rates and ratios.
//!
//! `cargo bench -p judge-bench --bench rounds [-- BOT]`, BOT being a C++ sample bot.

use std::process::Command;

use judge_bench::{Callbacks, Native, NativePlayer, PipePlayer, Rate, play_round, root, spec};
use judge_core::Player;
use judge_sandbox::{Compiled, Sandbox};

const REPEATS: usize = 41;
const ROUNDS: u64 = 400;
const PIPE_ROUNDS: u64 = 20;

fn main() {
    let bot = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let bot = bot.unwrap_or_else(|| "mahjong-straightforward".to_owned());
    if let Err(reason) = measure(&bot) {
        eprintln!("cannot measure `{bot}`: {reason}");
        std::process::exit(1);
    }
}

fn measure(bot: &str) -> Result<(), String> {
    let native = Native::build(bot)?;
    let library = Callbacks::load(&native.library).map_err(|error| error.to_string())?;
    let module = root().join("sample-bots/prebuilt").join(bot).with_extension("wasm");
    let module =
        std::fs::read(&module).map_err(|error| format!("{}: {error}", module.display()))?;
    let sandbox = Sandbox::new().map_err(|error| error.to_string())?;
    let compiled = Compiled::new(&sandbox, &module).map_err(|error| error.to_string())?;

    let mut rates: [Vec<Rate>; 4] = Default::default();
    for _ in 0..REPEATS {
        rates[0].push(Rate::measure(ROUNDS, |seed| {
            play_round(&spec(seed), &mut NativePlayer::new(&library))
        }));
        rates[1].push(Rate::measure(ROUNDS, |seed| sandboxed(&compiled, seed)));
        rates[2].push(Rate::measure(PIPE_ROUNDS, |seed| {
            let mut pipe = PipePlayer::start(&native.pipe).expect("a process");
            play_round(&spec(seed), &mut pipe)
        }));
        let mut kept = PipePlayer::start(&native.pipe).expect("a process");
        rates[3].push(Rate::measure(PIPE_ROUNDS, |seed| play_round(&spec(seed), &mut kept)));
    }
    assert_eq!(rates[0][0].score, rates[1][0].score, "native and sandboxed play alike");
    assert_eq!(rates[2][0].score, rates[3][0].score, "both processes play alike");
    print(bot, &rates);
    arcade(&native)
}

/// Plays a round like a worker: with a new instance, by the arena's own code.
fn sandboxed(compiled: &Compiled, seed: u64) -> i64 {
    let spec = spec(seed);
    let mut player = judge_sandbox::BotPlayer::new(compiled, spec.limits);
    let score = play_round(&spec, &mut player);
    std::hint::black_box(player.usage());
    score
}

fn print(bot: &str, rates: &[Vec<Rate>; 4]) {
    let names = ["native library", "sandbox", "process a round, pipes", "one process, pipes"];
    let medians = rates.each_ref().map(|rates| median(rates));
    println!("{bot}, one core, median of {REPEATS}");
    for (name, rate) in names.iter().zip(medians) {
        println!(
            "  {name:24} {rate:10.0} rounds/s {:9.2} µs a round   sandbox / this: {:7.3}",
            1e6 / rate,
            medians[1] / rate
        );
    }
}

fn median(rates: &[Rate]) -> f64 {
    let mut sorted: Vec<f64> = rates.iter().map(Rate::per_second).collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// The kit's own runner: everything in C++, without lines. Printed next to the others unchanged.
fn arcade(native: &Native) -> Result<(), String> {
    let output = Command::new(&native.arcade)
        .args(["--seed", "0", "--rounds", "20000", "--quiet"])
        .output()
        .map_err(|error| error.to_string())?;
    print!("all in C++, without lines:\n{}", String::from_utf8_lossy(&output.stdout));
    Ok(())
}
