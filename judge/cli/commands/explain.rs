//! `judge explain`: shows what a bot's other answers would have scored.

use std::path::PathBuf;

use judge_core::Blame;
use judge_report::write_json;
use judge_runner::Error;
use judge_runner::rounds::explain::{self, Outcome, Request};

use crate::args::{DefineArgs, FromArgs, RoundArgs, Walls, jobs};
use crate::exit::Exit;
use crate::show::{Terminal, browser, output, tell};

/// Find the moves that cost the most in a round.
///
/// With `--testcase` it is the worst round of the testcase, unless `--seed` names another one. Plays the round, and then again with another answer to one of its questions, each time to the
/// end by the same players with the same luck: this is how it would have ended. For hidden tiles it
/// also prints the mean over other orders, because a bot cannot know the order. Exits with 1 if the
/// bot fails in the round.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Bot: a WebAssembly module, or a source (see `judge build`).
    #[arg(value_name = "BOT")]
    bot: PathBuf,
    #[command(flatten)]
    round: RoundArgs,
    #[command(flatten)]
    from: FromArgs,
    /// Show at most N moves.
    #[arg(long, value_name = "N", default_value_t = 5)]
    moves: usize,
    /// Play at most N rounds with another answer. Default: as many as take a few seconds; of more
    /// answers it takes a sample, the same one every time.
    #[arg(long, value_name = "N", value_parser = rounds)]
    rounds: Option<usize>,
    /// Write the round as a page for a browser, with a curve of the scores, and next to it a page
    /// for each other round that is shown.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Open the page in a browser. Needs `--html`.
    #[arg(long, requires = "html")]
    open: bool,
    /// Write all scores as JSON, instead of the table; `-` is standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Set the number of worker processes. Default: one per processor. Changes no result.
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    defines: DefineArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let Arguments { html, json, .. } = arguments;
    if html.is_some() && html == json {
        return Err(Error::usage("page and JSON cannot go to the same file", "name two"));
    }
    html.iter().chain(json).try_for_each(|path| output::can_write(path))?;
    arguments.defines.apply();
    let workers = arguments.walls.workers()?;
    let workers = match arguments.jobs {
        Some(jobs) => workers.with_jobs(jobs),
        None => workers,
    };
    let request = Request {
        bot: arguments.bot.clone(),
        setting: arguments.round.setting_from(&arguments.from, Some(&arguments.bot))?,
        worst_of: arguments.round.whole_testcase(&arguments.bot)?,
        rounds: arguments.rounds,
        moves: arguments.moves,
        page: html.clone(),
    };
    let outcome = explain::run(&request, &workers, &mut Terminal::default())?;
    arguments.from.remark().iter().for_each(|remark| tell(remark));
    show(arguments, &outcome)?;
    let fault = outcome.record.trailer.fault.as_ref();
    Ok(match fault.map(|fault| fault.blame(outcome.seat)) {
        Some(Blame::Bot) => Exit::Failed,
        _ => Exit::Passed,
    })
}

fn show(arguments: &Arguments, outcome: &Outcome) -> Result<(), Error> {
    if let Some(path) = &arguments.json {
        output::unless_reader_left(write_json(output::open(path)?, outcome))?;
    }
    if !arguments.json.as_deref().is_some_and(output::is_stdout) {
        output::unless_reader_left(output::print(&outcome.to_text()))?;
    }
    let Some(path) = &outcome.page else { return Ok(()) };
    if !(arguments.open && browser::open(path)) {
        tell(&format!("the round's page: `{}`", path.display()));
    }
    Ok(())
}

/// Parses `--rounds`.
fn rounds(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1_000_000) => Ok(number),
        _ => Err("expected a number from 1 to 1000000".to_owned()),
    }
}
