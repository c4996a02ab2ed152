//! `judge calibrate`: probabilities of passing testcases on fresh seeds.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::base::workers::Workers;
use judge_runner::grade::calibrate::{self, FRESH, Request};

use crate::args::{self, MachineArgs, Walls};
use crate::exit::Exit;
use crate::show::{Terminal, output};

/// Estimate how likely bots are to pass a suite's testcases.
///
/// Plays each bot over many fresh seeds under each testcase's conditions. Shows for every testcase
/// the sum of its rounds, the chance to reach its threshold with a 95 % interval, and the
/// thresholds that separate the given bots best. Hidden testcases need no key.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Bots: WebAssembly modules or sources.
    #[arg(required = true, value_name = "BOT.wasm")]
    bots: Vec<PathBuf>,
    /// Choose a suite: the name of a bundled one, or the path of a folder (`./NAME` or `NAME/`).
    #[arg(long, value_name = "DIR|NAME")]
    suite: PathBuf,
    /// Play this many rounds with each bot under each testcase's conditions.
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(10..=100_000))]
    rounds: u32,
    /// Set the first of the fresh seeds.
    #[arg(long, value_name = "SEED", default_value_t = FRESH)]
    seed: u64,
    /// Set the number of worker processes. Default: one per processor. Changes no result.
    #[arg(long, value_name = "N", value_parser = args::jobs)]
    jobs: Option<usize>,
    /// Write the figures as JSON, instead of the tables; `-` is standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Write a Markdown table of the chances.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the threshold that separates two bots best into each testcase's file. Comments and
    /// everything else in the files stay.
    #[arg(long)]
    write: bool,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    machines: MachineArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let files = [&arguments.json, &arguments.markdown];
    files.into_iter().flatten().try_for_each(|path| output::can_write(path))?;
    let elsewhere = arguments.machines.remote_pool()?;
    let workers = Workers { jobs: arguments.jobs, elsewhere, ..arguments.walls.workers()? };
    let request = Request {
        bots: arguments.bots.clone(),
        suite: arguments.suite.clone(),
        rounds: arguments.rounds,
        seed: arguments.seed,
        write: arguments.write,
    };
    let outcome = calibrate::run(&request, &workers, &mut Terminal::default())?;
    if let Some(path) = &arguments.markdown {
        output::write(path, &outcome.to_markdown())?;
    }
    match &arguments.json {
        Some(path) => output::write(path, &outcome.to_json())?,
        None if outcome.changes.is_empty() => {
            output::unless_reader_left(output::print(&outcome.to_text()))?;
        }
        None => {
            let text = outcome.to_text() + &outcome.changes_text();
            output::unless_reader_left(output::print(&text))?;
        }
    }
    Ok(if outcome.judge_errors > 0 { Exit::JudgeError } else { Exit::Passed })
}
