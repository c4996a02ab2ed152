//! `judge profile`: shows where a bot's fuel goes.

use std::path::PathBuf;

use judge_core::Blame;
use judge_runner::Error;
use judge_runner::rounds::profile::{self, Outcome, ProfiledRounds, Request};

use crate::args::{DefineArgs, RoundArgs, Walls, sources};
use crate::exit::Exit;
use crate::show::{Terminal, output, tell};

/// Show where a bot's fuel goes, function by function.
///
/// Plays a round, or with `--testcase` all rounds of a testcase, which share its time, and counts
/// every instruction for the function that ran it: the sum is what the rounds cost, and it is the
/// same on every machine. A script's functions and lines are estimated: its rounds are replayed to
/// 8 to 48 points each. Exits with 1 if the bot fails in a round.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Bot: a WebAssembly module, or a source (see `judge build`).
    #[arg(value_name = "BOT")]
    bot: PathBuf,
    /// With a testcase: measure only its N-th round.
    #[arg(long, value_name = "N", requires = "testcase")]
    round: Option<usize>,
    #[command(flatten)]
    single: RoundArgs,
    /// Measure only this move, counted from 1 as in `judge replay --move`.
    #[arg(long, value_name = "P")]
    ply: Option<usize>,
    /// Show this many functions.
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Write into this folder the whole table, a flame graph (SVG), and files for speedscope and
    /// for tools that read folded stacks.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    defines: DefineArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let (bot, ply, round) = (arguments.bot.clone(), arguments.ply, arguments.round);
    let rounds = match arguments.single.only_testcase()?.cloned() {
        Some(testcase) => ProfiledRounds::Testcase { testcase, round },
        None => ProfiledRounds::Single(arguments.single.setting(Some(&bot))?),
    };
    arguments.defines.apply();
    let workers = arguments.walls.workers()?;
    let request = Request { bot, rounds, ply };
    let outcome = profile::run(&request, &workers, &mut Terminal::default())?;
    show(arguments, &outcome)?;
    Ok(match outcome.blame() {
        Some(Blame::Bot) => Exit::Failed,
        _ => Exit::Passed,
    })
}

fn show(arguments: &Arguments, outcome: &Outcome) -> Result<(), Error> {
    let text = outcome.to_text(&sources::named(&arguments.bot.to_string_lossy()), arguments.top);
    output::unless_reader_left(output::print(&text))?;
    let Some(folder) = &arguments.out else { return Ok(()) };
    for path in outcome.write(folder)? {
        tell(&format!("written: `{}`", path.display()));
    }
    Ok(())
}
