//! `judge rounds`: the table of a run's rounds, filtered, as CSV, JSON Lines or text.

use std::io::{self, BufWriter};
use std::path::PathBuf;

use judge_report::RoundFormat;
use judge_runner::Error;
use judge_runner::rounds;

use crate::args::Wanted;
use crate::exit::Exit;
use crate::show::{output, tell};

/// List the rounds of a match, tournament or course.
///
/// Shows seed, seats, opening, result, scores, reason, length and cost of each round, in an order
/// that does not depend on `--jobs`. Every column is explained in `judge/docs/rounds.md`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run: a journal (`--journal FILE`), the folder of a course, or the JSON of a match or
    /// tournament (`--json FILE`).
    #[arg(value_name = "JOURNAL|MATCH.json")]
    file: PathBuf,
    #[command(flatten)]
    wanted: Wanted,
    /// Show only the N worst rounds, worst first: faults, then losses by decreasing margin.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    worst: Option<u64>,
    /// Choose the format: `table`, `csv` or `jsonl`.
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = format)]
    format: RoundFormat,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let (file, filter) = (arguments.file.clone(), arguments.wanted.filter());
    let listing = rounds::run(&rounds::Request { file, filter, worst: arguments.worst })?;
    if let Some(remark) = listing.remark() {
        tell(&format!("note: {remark}"));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match listing.write(arguments.format, &mut out) {
        Ok(0) => tell("no rounds match"),
        Err(Error::Output(error)) => output::unless_reader_left(Err(error))?,
        other => drop(other?),
    }
    Ok(Exit::Passed)
}

fn format(text: &str) -> Result<RoundFormat, &'static str> {
    match text {
        "csv" => Ok(RoundFormat::Csv),
        "jsonl" => Ok(RoundFormat::JsonLines),
        "table" => Ok(RoundFormat::Table),
        _ => Err("expected `table`, `csv` or `jsonl`"),
    }
}
