//! `judge compare`: two versions of a bot, by the scores that a suite grades.

use std::path::PathBuf;

use judge_report::{quoted, see_again, write_json};
use judge_runner::Error;
use judge_runner::base::workers::Workers;
use judge_runner::bots::sources::Define;
use judge_runner::grade::calibrate::FRESH;
use judge_runner::grade::compare::{self, Answer, Outcome, Request, SeedRange};

use serde::Serialize;

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
    /// Old version: a WebAssembly module or a source; or `previous`, `@1`, `@2`, …: the version 1,
    /// 2, … before NEW, among those kept by `judge build`, `grade`, `watch` and this command.
    old: PathBuf,
    /// New version.
    new: PathBuf,
    #[command(flatten)]
    suite: SuiteArgs,
    /// Set a constant in NEW, which must be a source (see `judge build -D`); may be repeated.
    /// `NAME=1..8` compares a build for each value from 1 to 8 with OLD.
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE|A..B")]
    defines: Vec<Define>,
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
    let mut builds = compare::variants(&arguments.defines)?;
    let mut request = Request {
        old: arguments.old.clone().into(),
        new: arguments.new.clone(),
        defines: Vec::new(),
        suite: arguments.suite.choice(),
        seeds: SeedRange { first: arguments.seed, most: arguments.rounds },
        pages: arguments.html.clone(),
    };
    if builds.len() > 1 {
        return sweep(arguments, &request, &builds, &workers);
    }
    request.defines = builds.pop().unwrap_or_default();
    let outcome = compare::run(&request, &workers, &mut Terminal::default())?;
    show(arguments, &outcome, || outcome.to_text() + &again(&request, &outcome))?;
    if let Some(folder) = &arguments.html {
        tell(&format!("the largest losses, as pages: `{}`", folder.join("index.html").display()));
    }
    Ok(exit(&outcome))
}

/// The command that plays the new version's largest loss again; empty without one.
fn again(request: &Request, outcome: &Outcome) -> String {
    let Some(worst) = outcome.worst.first() else { return String::new() };
    let defines = request.defines.iter();
    let defines = defines.map(|define| format!(" -D {}", quoted(&define.to_string())));
    let file = quoted(&request.new.display().to_string()) + &defines.collect::<String>();
    format!("see it again        {}\n", see_again(&file, &worst.reproduce))
}

/// Compares several builds. The exit code is that of the best one.
fn sweep(
    arguments: &Arguments,
    request: &Request,
    builds: &[Vec<Define>],
    workers: &Workers,
) -> Result<Exit, Error> {
    if arguments.html.is_some() {
        let what = "`--html` shows the rounds of a single build";
        return Err(Error::usage(what, "give each constant one value"));
    }
    let sweep = compare::sweep(request, builds, workers, &mut Terminal::default())?;
    show(arguments, &sweep, || sweep.to_text())?;
    let failed = sweep.variants.iter().any(|variant| variant.outcome.judge_errors > 0);
    let best = sweep.best().map_or(Exit::Undecided, |variant| exit(&variant.outcome));
    Ok(if failed { Exit::JudgeError } else { best })
}

fn show<T: Serialize>(
    arguments: &Arguments,
    figures: &T,
    text: impl FnOnce() -> String,
) -> Result<(), Error> {
    Ok(output::unless_reader_left(match &arguments.json {
        Some(path) => write_json(output::open(path)?, figures),
        None => output::print(&text()),
    })?)
}

fn exit(outcome: &Outcome) -> Exit {
    match outcome.answer {
        _ if outcome.judge_errors > 0 => Exit::JudgeError,
        Answer::Better => Exit::Passed,
        Answer::Worse => Exit::Failed,
        Answer::Undecided => Exit::Undecided,
    }
}
