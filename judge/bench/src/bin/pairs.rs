//! The cost of a round between two modules, in each game: `judge match` with light sample bots, all
//! processes included. In Mahjong also two native processes that are kept open, with the same lines,
//! and scripts against a module.
//!
//! `cargo build --release && cargo run --release -p judge-bench --bin pairs` (Unix)

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Parser;
use judge_bench::{Native, PipePlayer, processor_time, root};
use judge_core::{Limits, Options, RoundSpec, SeatSpec, Seed};
use wait4::Wait4 as _;

/// Scripts that throw their first tile, and a module that plays about as simply; with the milliseconds of a
/// round against `random` that are wanted.
const SCRIPTS: [(&str, f64); 3] = [
    ("sample-bots/prebuilt/mahjong-straightforward.wasm", 0.25),
    ("judge/bench/compare/first-tile.js", 1.7),
    ("judge/bench/compare/first-tile.py", 3.0),
];

/// A game with two light bots, and the rounds a second of processor time that are wanted.
const GAMES: [(&str, [&str; 2], u32); 5] = [
    ("mahjong", ["mahjong-straightforward", "mahjong-straightforward"], 1700),
    ("patchwork", ["patchwork-first-fit", "patchwork-first-fit"], 1500),
    ("agamemnon", ["agamemnon-crossroads", "agamemnon-crossroads"], 1500),
    ("cc", ["cc-runner", "cc-runner"], 2500),
    ("amazons", ["amazons-open", "amazons-open"], 300),
];

#[derive(Parser)]
#[command(about = "Measures matches between two modules")]
struct Arguments {
    /// Number of rounds of each match.
    #[arg(long, default_value_t = 2000)]
    rounds: u64,
}

fn main() -> Result<(), String> {
    let Arguments { rounds } = Arguments::parse();
    let judge = root().join("target/release/judge");
    let judge = std::env::var_os("JUDGE").map_or(judge, PathBuf::from);
    let failed =
        |error: io::Error| format!("`{}`: {error}\nhint: cargo build --release", judge.display());
    let native = native(rounds.min(2000))?;
    println!("mahjong, two native processes: {native:.3} ms a round");
    for (game, bots, wanted) in GAMES {
        let bots = bots.map(|bot| format!("sample-bots/prebuilt/{bot}.wasm"));
        let ms = milliseconds(&judge, game, &bots, rounds).map_err(failed)?;
        let rate = 1e3 / ms;
        print!("{game:12} {ms:8.3} ms a round, {rate:6.0} a second, {wanted} are wanted");
        if game == "mahjong" {
            print!(", {:.2} times the native processes", ms / native);
        }
        println!();
    }
    for (bot, wanted) in SCRIPTS {
        let players = [bot.to_owned(), "random".to_owned()];
        let ms = milliseconds(&judge, "mahjong", &players, rounds).map_err(failed)?;
        println!("{bot:50} {ms:8.3} ms a round against `random`, {wanted} are wanted");
    }
    Ok(())
}

/// Milliseconds of processor time of a round, without the start and the compilation of modules.
fn milliseconds(judge: &Path, game: &str, bots: &[String; 2], rounds: u64) -> io::Result<f64> {
    let start = matched(judge, game, bots, 2)?;
    let all = matched(judge, game, bots, rounds)?;
    Ok(all.saturating_sub(start).as_secs_f64() * 1e3 / (rounds - 2) as f64)
}

/// Processor time of a match, over all processes.
fn matched(judge: &Path, game: &str, bots: &[String; 2], rounds: u64) -> io::Result<Duration> {
    let mut command = Command::new(judge);
    command
        .current_dir(root())
        .arg("match")
        .args(bots)
        .args(["--game", game, "--seed", "1", "--jobs", "1"]);
    command.args(["--rounds", &rounds.to_string()]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let ended = command.spawn()?.wait4()?;
    assert!(ended.status.success(), "`judge match` in {game}: {}", ended.status);
    Ok(ended.rusage.utime + ended.rusage.stime)
}

/// Milliseconds of processor time of a Mahjong round between two native processes, over all
/// processes.
fn native(rounds: u64) -> Result<f64, String> {
    let native = Native::build("mahjong-straightforward")?;
    let start = || PipePlayer::start(&native.pipe).map_err(|error| error.to_string());
    let (mut one, mut two, before) = (start()?, start()?, processor_time());
    let bot = SeatSpec::Reference { name: "random".to_owned() };
    for seed in 0..rounds {
        let (game, options) = ("mahjong".to_owned(), Options::new());
        let seats = [bot.clone(), bot.clone()];
        let spec = RoundSpec { game, options, seed: Seed(seed), seats, limits: Limits::COURSE };
        let played = judge_referee::sit_down(&spec, [&mut one, &mut two], None);
        std::hint::black_box(played.map_err(|error| error.to_string())?);
    }
    let own = processor_time().saturating_sub(before);
    let bots = [one, two].map(|player| player.end().unwrap_or_default());
    Ok((own + bots[0] + bots[1]).as_secs_f64() * 1e3 / rounds as f64)
}
