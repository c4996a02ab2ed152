//! Grading a sample bot on the bundled suite with the released binary: wall clock from start to
//! end, and peak memory of judge and workers together.
//!
//! `cargo build --release && cargo bench -p judge-bench --bench suite [-- BOT]` (Linux)

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use judge_bench::{resident, root};

const REPEATS: usize = 15;

fn main() {
    let bot = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let bot = bot.unwrap_or_else(|| "mahjong-straightforward".to_owned());
    let judge = root().join("target/release/judge");
    if !judge.exists() {
        eprintln!("`{}` is missing\n\nhint: cargo build --release", judge.display());
        std::process::exit(1);
    }
    let module = root().join("sample-bots/prebuilt").join(&bot).with_extension("wasm");
    let mut runs: Vec<(Duration, u64)> = (0..REPEATS).map(|_| grade(&judge, &module)).collect();
    runs.sort();
    let (fastest, median, slowest) = (runs[0].0, runs[REPEATS / 2].0, runs[REPEATS - 1].0);
    let memory = runs.iter().map(|(_, memory)| *memory).max().unwrap_or(0);
    println!("{bot} on the suite `mahjong`, {REPEATS} runs");
    println!("  wall clock  {median:.1?} (from {fastest:.1?} to {slowest:.1?})");
    println!("  memory      {:.1} MiB at most, judge and workers together", memory as f64 / 1024.0);
    // The last line of standard error of one more run shows how its time splits.
    let output = Command::new(&judge).arg("grade").arg(&module).args(["--jobs", "1"]).output();
    let stderr = output.map(|output| output.stderr).unwrap_or_default();
    println!("  one worker  {}", String::from_utf8_lossy(&stderr).trim());
}

/// Wall clock of one run, and the peak resident memory (KiB) during it.
fn grade(judge: &Path, module: &Path) -> (Duration, u64) {
    let begin = Instant::now();
    let mut child = Command::new(judge)
        .arg("grade")
        .arg(module)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the judge starts");
    let mut most = 0;
    loop {
        most = most.max(resident(child.id()));
        if child.try_wait().expect("a child to wait for").is_some() {
            return (begin.elapsed(), most);
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}
