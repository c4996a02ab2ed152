//! `judge compare`: two versions of a bot, by the scores that a suite grades.

use std::path::PathBuf;

use judge_report::write_json;
use judge_runner::Error;
use judge_runner::base::workers::Workers;
use judge_runner::grade::calibrate::FRESH;
use judge_runner::grade::compare::{self, Answer, Outcome, Request, SeedRange};

use crate::args::{self, SuiteArgs, Walls};
use crate::exit::Exit;
use crate::show::{Terminal, output, tell};

/// Compare two versions of a bot on a suite.
///
/// Plays both against the suite's opponents on the same fresh seeds, until the 95 % interval of the
/// score difference excludes 0. Shows for every testcase the chance of each version to pass. Hidden
/// testcases need no key. Exit codes: 0 the new version is better, 1 it is worse, 5 undecided.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Old version: a WebAssembly module or a source; or `previous`, `@1`, `@2`, … for the version
    /// that many versions before the present one of NEW, from those that `judge build`, `grade`,
    /// `watch` and this command have kept.
    old: PathBuf,
    /// New version.
    new: PathBuf,
    #[command(flatten)]
    suite: SuiteArgs,
    /// Play at most this many rounds with each version under each testcase's conditions.
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u64).range(10..=100_000))]
    rounds: u64,
    /// Set the first of the fresh seeds.
    #[arg(long, value_name = "SEED", default_value_t = FRESH)]
    seed: u64,
    /// Write the rounds in which the new version lost the most as pages into this folder.
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Write the figures as JSON, instead of the table; `-` is standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Set the number of worker processes. Default: one per processor. Changes no result.
    #[arg(long, value_name = "N", value_parser = args::jobs)]
    jobs: Option<usize>,
    #[command(flatten)]
    walls: Walls,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    arguments.json.iter().try_for_each(|path| output::can_write(path))?;
    let workers = Workers { jobs: arguments.jobs, ..arguments.walls.workers()? };
    let request = Request {
        old: arguments.old.clone().into(),
        new: arguments.new.clone(),
        suite: arguments.suite.choice(),
        seeds: SeedRange { first: arguments.seed, most: arguments.rounds },
        pages: arguments.html.clone(),
    };
    let outcome = compare::run(&request, &workers, &mut Terminal::default())?;
    show(arguments, &outcome)?;
    Ok(match outcome.answer {
        _ if outcome.judge_errors > 0 => Exit::JudgeError,
        Answer::Better => Exit::Passed,
        Answer::Worse => Exit::Failed,
        Answer::Undecided => Exit::Undecided,
    })
}

fn show(arguments: &Arguments, outcome: &Outcome) -> Result<(), Error> {
    match &arguments.json {
        Some(path) => output::unless_reader_left(write_json(output::open(path)?, outcome))?,
        None => output::unless_reader_left(output::print(&outcome.to_text()))?,
    }
    if let Some(folder) = &arguments.html {
        tell(&format!("the largest losses, as pages: `{}`", folder.join("index.html").display()));
    }
    Ok(())
}
