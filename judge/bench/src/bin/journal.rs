//! The cost of a round outside the rules: `random` against `straightforward` in Mahjong, played
//! without a journal and with one, resumed, listed, reported and verified by the released binary.
//!
//! `cargo build --release && cargo run --release -p judge-bench --bin journal`. The variable `JUDGE`
//! may name another binary.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use judge_bench::{processor_time, root};
use judge_core::{BySeat, Limits, Options, RoundSpec, SeatSpec, Seed};
use wait4::Wait4 as _;

const PLAYERS: [&str; 2] = ["random", "straightforward"];

#[derive(Parser)]
#[command(about = "Plays a match and reads its journal in every way")]
struct Arguments {
    /// Number of rounds.
    #[arg(long, default_value_t = 100_000)]
    rounds: u64,
}

/// A measured command: wall clock and processor time of all its processes.
struct MeasuredCommand {
    what: &'static str,
    wall: Duration,
    processor: Duration,
}

fn main() -> io::Result<()> {
    let Arguments { rounds } = Arguments::parse();
    let judge = root().join("target/release/judge");
    let judge = std::env::var_os("JUDGE").map_or(judge, PathBuf::from);
    if !judge.exists() {
        eprintln!("`{}` is missing\n\nhint: cargo build --release", judge.display());
        std::process::exit(1);
    }
    let folder = std::env::temp_dir().join(format!("judge-journal-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let rules = rules(rounds.min(20_000));
    let all = measure(&judge, &folder, &rounds.to_string())?;
    let size = std::fs::metadata(folder.join("journal"))?.len();
    std::fs::remove_dir_all(&folder)?;
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / rounds as f64;
    println!("{rounds} rounds of `{}` against `{}`", PLAYERS[0], PLAYERS[1]);
    println!("  {:22} {rules:44.1} µs a round", "rules and transcript");
    for MeasuredCommand { what, wall, processor } in all {
        println!(
            "  {what:22} {:8.2} s {:8.2} s of processor time {:11.1} µs a round, {:5.1} times",
            wall.as_secs_f64(),
            processor.as_secs_f64(),
            micros(processor),
            micros(processor) / rules
        );
    }
    println!("  {size} bytes, {} a round", size / rounds);
    Ok(())
}

/// Every command on the same match.
fn measure(judge: &Path, folder: &Path, rounds: &str) -> io::Result<Vec<MeasuredCommand>> {
    let game = ["--game", "mahjong", "--seed", "1", "--rounds", rounds];
    let plain = [&["match"][..], &PLAYERS, &game].concat();
    let kept = [&plain[..], &["--journal", "journal"]].concat();
    let commands = [
        ("match, no journal", plain),
        ("match, journal", kept.clone()),
        ("resume", [&kept[..], &["--resume"]].concat()),
        ("rounds", vec!["rounds", "journal", "--format", "csv"]),
        ("report", vec!["report", "journal"]),
        ("verify", vec!["verify", "journal"]),
    ];
    let run = |(what, words): &(&'static str, Vec<&str>)| {
        let begin = Instant::now();
        let mut command = Command::new(judge);
        command.args(words).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        let ended = command.spawn()?.wait4()?;
        assert!(ended.status.success(), "`judge {}`: {}", words.join(" "), ended.status);
        let processor = ended.rusage.utime + ended.rusage.stime;
        Ok(MeasuredCommand { what, wall: begin.elapsed(), processor })
    };
    commands.iter().map(run).collect()
}

/// Microseconds of processor time of a round by the rules, up to its transcript.
fn rules(rounds: u64) -> f64 {
    let spec = |seed| RoundSpec {
        game: "mahjong".to_owned(),
        options: Options::new(),
        seed: Seed(seed),
        seats: PLAYERS.map(|name| SeatSpec::Reference { name: name.to_owned() }),
        limits: Limits::COURSE,
    };
    let before = processor_time();
    for seed in 0..rounds {
        let played = judge_arena::play(&spec(seed), BySeat::default(), &[]);
        std::hint::black_box(played.expect("a round"));
    }
    processor_time().saturating_sub(before).as_secs_f64() * 1e6 / rounds as f64
}
