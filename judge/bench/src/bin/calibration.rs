//! Checks `judge calibrate`: compares the chances that it estimates from some rounds with the share
//! of testcases on new seeds that the same bots pass.
//!
//! `cargo build --release && cargo run --release -p judge-bench --bin calibration -- --suite mahjong`

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;
use judge_bench::root;
use judge_core::GradeReport;
use judge_statistics as statistics;
use serde_json::Value;

/// First seed of the real testcases, far from those of the calibrations.
const FRESH: u64 = 5_000_000_000;

#[derive(Parser)]
#[command(about = "Compares the chances of `judge calibrate` with what happens on fresh seeds")]
struct Arguments {
    /// A bundled suite.
    #[arg(long, default_value = "mahjong")]
    suite: String,
    /// Bots of `sample-bots/prebuilt`. Default: all of the suite's game.
    #[arg(long)]
    bot: Vec<String>,
    /// Number of times to play each testcase, each time on other seeds.
    #[arg(long, default_value_t = 1000)]
    fresh: u64,
    /// Number of calibrations, each on other seeds.
    #[arg(long, default_value_t = 20)]
    calibrations: u64,
    /// Rounds of a calibration.
    #[arg(long, default_value_t = 400)]
    rounds: u64,
}

/// A value for each bot and testcase.
type ChanceTable<T> = Vec<Vec<T>>;

fn main() -> io::Result<()> {
    let arguments = Arguments::parse();
    let bots = bots(&arguments)?;
    let suite = root().join("testcases").join(&arguments.suite);
    let seen = shares(&suite, &bots, arguments.fresh)?;
    let mut told = 0_u32;
    let mut held = [0_u32; 2];
    for number in 0..arguments.calibrations {
        let first = 1_000_000_000 + number * arguments.rounds;
        for (told_row, seen_row) in
            std::iter::zip(chances(&suite, &bots, &arguments, first)?, &seen)
        {
            for (chance, share) in std::iter::zip(told_row, seen_row) {
                let [_, low, high] = chance;
                told += 1;
                let [low, seen, high] = [low, *share, high].map(told_as);
                held[0] += u32::from((low..=high).contains(&seen));
                held[1] += u32::from(agree(chance, *share, arguments.fresh));
            }
        }
    }
    print(&arguments, &bots, &seen);
    let per_cent = |count: u32| 100.0 * f64::from(count) / f64::from(told);
    println!(
        "{told} chances: {:.1} % of the intervals contain the observed share,",
        per_cent(held[0])
    );
    println!("{:.1} % agree with it within its own error", per_cent(held[1]));
    Ok(())
}

/// The figure as printed: in tenths of a per cent.
fn told_as(share: f64) -> i64 {
    (1000.0 * share).round() as i64
}

/// True if the two differ by no more than their errors.
fn agree([estimate, low, high]: [f64; 3], share: f64, count: u64) -> bool {
    let seen = statistics::share((share * count as f64).round() as u64, count);
    let margin = if share < estimate {
        (estimate - low).hypot(seen.high - share)
    } else {
        (high - estimate).hypot(share - seen.low)
    };
    (share - estimate).abs() <= margin
}

fn bots(arguments: &Arguments) -> io::Result<Vec<PathBuf>> {
    let folder = root().join("sample-bots/prebuilt");
    if !arguments.bot.is_empty() {
        let path = |name: &String| folder.join(name).with_extension("wasm");
        return Ok(arguments.bot.iter().map(path).collect());
    }
    let all: io::Result<Vec<PathBuf>> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let own = |path: &PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        name.starts_with(&format!("{}-", arguments.suite)) && name.ends_with(".wasm")
    };
    let mut own: Vec<PathBuf> = all?.into_iter().filter(own).collect();
    own.sort();
    Ok(own)
}

/// For each bot and testcase, the share of passed copies on new seeds.
fn shares(suite: &Path, bots: &[PathBuf], fresh: u64) -> io::Result<ChanceTable<f64>> {
    let folder = std::env::temp_dir().join(format!("judge-calibration-{}", std::process::id()));
    let names = testcases(suite)?;
    let mut table = vec![Vec::new(); bots.len()];
    for (number, name) in (0..).zip(&names) {
        let text = std::fs::read_to_string(suite.join(name))?;
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("suite.toml"), "title = \"fresh\"\n")?;
        for copy in 0..fresh {
            let first = FRESH + number * 100_000_000 + copy * 1_000;
            std::fs::write(folder.join(format!("{copy:05}.toml")), reseeded(&text, first))?;
        }
        let json = judge(["grade"], bots, &["--suite".as_ref(), folder.as_os_str()])?;
        let report = GradeReport::from_json(&json).map_err(io::Error::other)?;
        for (row, bot) in std::iter::zip(&mut table, &report.bots) {
            row.push(f64::from(bot.passed) / fresh as f64);
        }
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(table)
}

/// The testcase with the same number of other seeds.
fn reseeded(text: &str, first: u64) -> String {
    let line = |line: &str| match line.strip_prefix("seeds = [") {
        Some(seeds) => {
            let count = seeds.split(',').count() as u64;
            let seeds: Vec<String> = (first..first + count).map(|seed| seed.to_string()).collect();
            format!("seeds = [{}]\n", seeds.join(", "))
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

fn testcases(suite: &Path) -> io::Result<Vec<String>> {
    let all: io::Result<Vec<String>> = std::fs::read_dir(suite)?
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect();
    let mut names: Vec<String> = all?;
    names.retain(|name| name != "suite.toml");
    names.sort();
    Ok(names)
}

/// For each bot and testcase, the chance and the ends of its interval.
fn chances(
    suite: &Path,
    bots: &[PathBuf],
    arguments: &Arguments,
    first: u64,
) -> io::Result<ChanceTable<[f64; 3]>> {
    let (rounds, seed) = (arguments.rounds.to_string(), first.to_string());
    let more: [&OsStr; 6] = [
        "--suite".as_ref(),
        suite.as_os_str(),
        "--rounds".as_ref(),
        rounds.as_ref(),
        "--seed".as_ref(),
        seed.as_ref(),
    ];
    let json = judge(["calibrate"], bots, &more)?;
    let findings: Value = serde_json::from_str(&json)?;
    let testcases = findings["testcases"].as_array().cloned().unwrap_or_default();
    let chance = |testcase: &Value, bot: usize| {
        serde_json::from_value::<[f64; 3]>(testcase["bots"][bot]["chance"].clone())
    };
    let row = |bot| testcases.iter().map(|one| Ok(chance(one, bot)?)).collect();
    (0..bots.len()).map(row).collect()
}

/// Runs the released binary and returns its JSON.
fn judge(command: [&str; 1], bots: &[PathBuf], more: &[&OsStr]) -> io::Result<String> {
    let judge = judge_bench::judge();
    let mut run = Command::new(&judge);
    let output = run.args(command).args(bots).args(more).args(["--json", "-"]).output()?;
    if matches!(output.status.code(), Some(0 | 1)) {
        return String::from_utf8(output.stdout).map_err(io::Error::other);
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(io::Error::other(format!("`{}` ended with {}: {said}", judge.display(), output.status)))
}

fn print(arguments: &Arguments, bots: &[PathBuf], seen: &ChanceTable<f64>) {
    println!("suite `{}`, passed of {} fresh copies:", arguments.suite, arguments.fresh);
    for (bot, row) in std::iter::zip(bots, seen) {
        let name = bot.file_stem().unwrap_or_default().to_string_lossy();
        let row: Vec<String> = row.iter().map(|share| format!("{:5.1}", 100.0 * share)).collect();
        println!("  {name:24} {} %", row.join(" "));
    }
}
