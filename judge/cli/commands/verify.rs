//! `judge verify`: checks a replay, a report or the result of a run.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::verify::{self, Conclusion, Request};

use crate::args::WorkerArgs;
use crate::exit::Exit;
use crate::show::{Terminal, output};

/// Check a replay, a report, a journal, or the JSON of a match or tournament.
///
/// Without bots, every line, move, score and hash is computed again by the rules. With the bots
/// that took part, their rounds are played again, and every answer and its cost must be the same.
/// The first line begins with `holds`, `NOT CHECKED` or `DOES NOT HOLD`. Exit codes: 0 all of it
/// holds; 1 it does not hold; 3 the file cannot be checked, or comes from another judge; 5 nothing
/// contradicts it, but not all of it was checked, or rounds are missing: the first line says how
/// many.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// File to check, written by `judge play --replay` or `judge grade --json`; a journal, or the
    /// JSON of a match or tournament.
    #[arg(value_name = "REPLAY|REPORT.json|JOURNAL|MATCH.json")]
    file: PathBuf,
    /// Bots, and `trained:TABLE`, that played in it; with them everything is played again.
    #[arg(value_name = "BOT.wasm|trained:TABLE")]
    players: Vec<PathBuf>,
    /// For a report: choose the suite, by the name of a bundled one or the path of a folder
    /// (`./NAME` or `NAME/`). Default: the bundled suite that the report names, which must match.
    #[arg(long, value_name = "DIR|NAME")]
    suite: Option<PathBuf>,
    /// For a report: give a testcase that was graded outside a suite; may be repeated.
    #[arg(long = "testcase", value_name = "FILE.toml", conflicts_with = "suite")]
    testcases: Vec<PathBuf>,
    /// Write the findings as JSON, instead of the text; `-` is standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    #[command(flatten)]
    workers: WorkerArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let request = Request {
        file: arguments.file.clone(),
        players: arguments.players.clone(),
        suite: arguments.suite.clone(),
        testcases: arguments.testcases.clone(),
    };
    let workers = arguments.workers.workers()?;
    let outcome = verify::run(&request, &workers, &mut Terminal::default())?;
    match &arguments.json {
        None => output::unless_reader_left(output::print(&outcome.text()))?,
        Some(path) if path.as_os_str() == "-" => {
            output::unless_reader_left(output::print(&outcome.json()))?;
        }
        Some(path) => output::write(path, &outcome.json())?,
    }
    Ok(exit(outcome.conclusion()))
}

/// Only a complete check is a success.
fn exit(conclusion: Conclusion) -> Exit {
    match conclusion {
        Conclusion::Holds => Exit::Passed,
        Conclusion::NotChecked => Exit::Undecided,
        Conclusion::DoesNotHold => Exit::Failed,
    }
}
