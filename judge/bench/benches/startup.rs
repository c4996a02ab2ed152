//! Wall clock of one `judge play` from the shell: with an empty cache of machine code, with a filled
//! one, and without. The cases take turns, so that noise affects all alike. Other programs that
//! start an interpreter are measured in the same run, where they are installed.
//!
//! `cargo build --release && cargo bench -p judge-bench --bench startup`

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use judge_bench::root;

const REPEATS: usize = 11;

/// Bots by kind of source. The first is the largest sample bot in Rust.
const BOTS: [&str; 3] = [
    "sample-bots/prebuilt/mahjong-hunter.wasm",
    "sdk/templates/javascript/mahjong.js",
    "sdk/templates/python/mahjong.py",
];

/// Interpreters of the system, with the options for an empty program.
const PEERS: [(&str, [&str; 2]); 2] = [("node", ["-e", ""]), ("python3", ["-c", ""])];

/// Wall clocks of one case.
struct StartCase {
    name: String,
    times: Vec<Duration>,
}

impl StartCase {
    fn new(name: String) -> StartCase {
        StartCase { name, times: Vec::new() }
    }

    fn print(mut self) {
        self.times.sort();
        let (Some(fastest), Some(slowest)) = (self.times.first(), self.times.last()) else {
            println!("{:<52} not installed", self.name);
            return;
        };
        let median = self.times[self.times.len() / 2];
        println!("{:<52} {median:>9.1?} ({fastest:.1?} to {slowest:.1?})", self.name);
    }
}

fn main() {
    let judge = judge();
    let caches = std::env::temp_dir().join(format!("judge-startup-{}", std::process::id()));
    let mut cases: Vec<StartCase> = BOTS
        .iter()
        .flat_map(|bot| {
            let parts = ["no cache", "first run", "later run"];
            parts.map(|part| StartCase::new(format!("{bot}, {part}")))
        })
        .chain(PEERS.map(|(name, options)| StartCase::new(format!("{name} {}", options[0]))))
        .collect();
    for number in 0..REPEATS {
        let empty = caches.join(number.to_string());
        for (bot, cases) in std::iter::zip(BOTS, cases.chunks_mut(3)) {
            cases[0].times.push(play(&judge, bot, &empty, &["--no-cache"]));
            cases[1].times.push(play(&judge, bot, &empty, &[]));
            cases[2].times.push(play(&judge, bot, &empty, &[]));
        }
        for ((name, options), case) in std::iter::zip(PEERS, &mut cases[3 * BOTS.len()..]) {
            case.times.extend(run(Command::new(name).args(options)));
        }
    }
    cases.into_iter().for_each(StartCase::print);
    // The system's cleaning of temporary files does the rest.
    let _ = std::fs::remove_dir_all(caches);
}

/// The released binary, in cargo's folder for builds.
fn judge() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let judge = target.unwrap_or_else(|| root().join("target")).join("release/judge");
    if !judge.exists() {
        eprintln!("`{}` is missing\n\nhint: cargo build --release", judge.display());
        std::process::exit(1);
    }
    judge
}

/// Plays a round with that cache.
fn play(judge: &Path, bot: &str, cache: &Path, more: &[&str]) -> Duration {
    let mut command = Command::new(judge);
    command.current_dir(root()).env("JUDGE_CACHE", cache).args(["play", bot]).args(more);
    run(&mut command).expect("the judge starts")
}

/// Wall clock of a program; none if it is not installed.
fn run(command: &mut Command) -> Option<Duration> {
    let begin = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let time = begin.elapsed();
    status.ok().map(|_| time)
}
