//! The table of what a match, a course, a tournament and a script cost a user, each next to a peer that is
//! measured in the same run: `cargo bench -p judge-bench --bench table`.

mod course;
mod journal;
mod kernels;
mod pairs;
mod recorded;
mod start;

use std::fmt;
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use judge_bench::{BenchRow, root, table};
use wait4::Wait4 as _;

/// The parts to measure, and their sizes.
#[derive(Debug, Parser)]
#[command(about = "Measures what a user waits for, next to other programs, on this machine")]
struct Arguments {
    /// Parts of the table; by default all of them.
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// Ignored: Cargo passes it to every benchmark.
    #[arg(long, hide = true)]
    bench: bool,
    /// Number of rounds of a match.
    #[arg(long, default_value_t = 2000)]
    rounds: u64,
    /// Number of rounds in the journal.
    #[arg(long, default_value_t = 100_000)]
    journal_rounds: u64,
    /// Number of submissions of the large course; of its speed with two workers a quarter.
    #[arg(long, default_value_t = 1200)]
    submissions: usize,
}

/// A part of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Rounds between two modules, and scripts against a reference opponent.
    Pairs,
    /// A match between reference opponents, and everything that reads its journal.
    Journal,
    /// `judge play`, from the shell.
    Start,
    /// A course and a tournament: time and memory.
    Course,
    /// Programs in C.
    Kernels,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(table) => print!("{table}"),
        Err(failure) => {
            eprintln!("error: {failure}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Measures the parts and returns the table in Markdown.
fn run(arguments: &Arguments) -> Result<String, String> {
    let mut rows = Vec::new();
    for &part in Part::value_variants() {
        if arguments.parts.is_empty() || arguments.parts.contains(&part) {
            eprintln!("measuring: {part:?}");
            rows.extend(measure(part, arguments)?);
        }
    }
    Ok(table(&rows))
}

fn measure(part: Part, arguments: &Arguments) -> Result<Vec<BenchRow>, String> {
    match part {
        Part::Pairs => pairs::rows(arguments.rounds),
        Part::Journal => journal::rows(arguments.journal_rounds),
        Part::Start => start::rows(),
        Part::Course => course::rows(arguments.submissions),
        Part::Kernels => kernels::rows(),
    }
}

/// A program that has ended.
struct Ended {
    status: ExitStatus,
    wall: Duration,
    /// Processor time of all its processes.
    processor: Duration,
}

/// Runs a program without input or output, in the repository's folder unless it has another.
fn ended(command: &mut Command) -> io::Result<Ended> {
    if command.get_current_dir().is_none() {
        command.current_dir(root());
    }
    let begin = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let ended = command.spawn()?.wait4()?;
    let processor = ended.rusage.utime + ended.rusage.stime;
    Ok(Ended { status: ended.status, wall: begin.elapsed(), processor })
}

/// The same for a program that has to succeed; returns its wall clock and processor time.
fn succeeded(command: &mut Command) -> Result<(Duration, Duration), String> {
    let ended = ended(command).map_err(|error| format!("`{command:?}`: {error}"))?;
    match ended.status.success() {
        true => Ok((ended.wall, ended.processor)),
        false => Err(format!("`{command:?}` ended with {}", ended.status)),
    }
}

/// A temporary folder, removed at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Result<Folder, String> {
        let path = std::env::temp_dir().join(format!("judge-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| format!("`{}`: {error}", path.display()))?;
        Ok(Folder(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The system's cleaning of temporary files does the rest.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The middle of some figures.
fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A failure of the system, as text.
fn text(error: impl fmt::Display) -> String {
    error.to_string()
}
