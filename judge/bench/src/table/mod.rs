//! The table of what a match, a course, a tournament and a script cost a user, each next to a peer that is
//! measured in the same run: `cargo run --release -p judge-bench --bin table`.

mod course;
mod journal;
mod kernels;
mod pairs;
mod recorded;
mod start;

use std::fmt;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use comfy_table::{CellAlignment, Table, presets};
use wait4::Wait4 as _;

use crate::root;

/// What to measure, and how much of it.
#[derive(Debug, Parser)]
#[command(about = "Measures what a user waits for, next to other programs, on this machine")]
pub struct Arguments {
    /// Parts of the table; by default all of them.
    #[arg(value_enum)]
    pub parts: Vec<Part>,
    /// Number of rounds of a match.
    #[arg(long, default_value_t = 2000)]
    pub rounds: u64,
    /// Number of rounds in the journal.
    #[arg(long, default_value_t = 100_000)]
    pub journal_rounds: u64,
    /// Number of submissions of the large course; of its speed with two workers a quarter.
    #[arg(long, default_value_t = 1200)]
    pub submissions: usize,
}

/// A part of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
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

/// A row of the table.
#[derive(Debug)]
pub struct BenchRow {
    /// What was measured.
    pub what: String,
    /// The judge's figure, in `unit`.
    pub judge: f64,
    /// Unit of both figures.
    pub unit: &'static str,
    /// The peer and its figure in the same run.
    pub peer: Option<(&'static str, f64)>,
    /// What is wanted.
    pub goal: Goal,
}

/// What is wanted of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// At most this many times the peer's.
    Times(f64),
    /// At most this figure.
    AtMost(f64),
    /// At least this figure.
    AtLeast(f64),
    /// Only for comparison.
    Shown,
}

impl BenchRow {
    fn ratio(&self) -> Option<f64> {
        self.peer.map(|(_, figure)| self.judge / figure)
    }

    /// True if the goal is met.
    fn holds(&self) -> bool {
        match self.goal {
            Goal::Times(most) => self.ratio().is_some_and(|ratio| ratio <= most),
            Goal::AtMost(most) => self.judge <= most,
            Goal::AtLeast(least) => self.judge >= least,
            Goal::Shown => true,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Times(most) => write!(f, "≤ {most} ×"),
            Goal::AtMost(most) => write!(f, "≤ {most}"),
            Goal::AtLeast(least) => write!(f, "≥ {least}"),
            Goal::Shown => Ok(()),
        }
    }
}

/// Measures the parts and returns the table in Markdown.
///
/// # Errors
/// When a program is missing or fails.
pub fn run(arguments: &Arguments) -> Result<String, String> {
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

fn table(rows: &[BenchRow]) -> String {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["what", "judge", "", "peer", "", "ratio", "goal", "met"]);
    for row in rows {
        let (name, peer) =
            row.peer.map_or(("", String::new()), |(name, value)| (name, figure(value)));
        let ratio = row.ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let met = match (row.goal, row.holds()) {
            (Goal::Shown, _) => "",
            (_, true) => "yes",
            (_, false) => "**no**",
        };
        table.add_row([
            &row.what,
            &figure(row.judge),
            row.unit,
            name,
            &peer,
            &ratio,
            &row.goal.to_string(),
            met,
        ]);
    }
    for column in [1, 4, 5, 6] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{table}\n")
}

/// A figure with three digits that count.
fn figure(value: f64) -> String {
    match value.abs() {
        large if large >= 100.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        middle if middle >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_whether_its_goal_is_met() {
        let row = |judge, goal| BenchRow {
            what: "rounds".to_owned(),
            judge,
            unit: "ms",
            peer: Some(("a program", 2.0)),
            goal,
        };
        assert!(row(3.0, Goal::Times(1.5)).holds() && !row(3.1, Goal::Times(1.5)).holds());
        assert!(row(3.0, Goal::AtMost(3.0)).holds() && !row(3.0, Goal::AtLeast(3.1)).holds());
        let shown = table(&[row(3.1, Goal::Times(1.5)), row(3.1, Goal::Shown)]);
        assert!(shown.contains("| 1.55 ") && shown.contains("**no**"), "{shown}");
    }
}
