//! `judge check`: properties of a module, and problems that the judge would refuse it for.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::rounds::check_bot::{self, Request};

use crate::args::{DefineArgs, LimitArgs, SHARED_TIME, Walls};
use crate::exit::Exit;
use crate::show::{Terminal, output, tell};

/// Inspect a bot, and say whether the judge accepts it.
///
/// Shows its transport, toolchain, imports and exports, its memory and its share of each limit, and
/// plays a round against the weakest opponent. For each problem it says what to do, in the words of
/// the bot's toolchain. Exits with 1 if the bot is refused, or fails when it starts or in the round.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Bot: a WebAssembly module, or a source.
    #[arg(value_name = "BOT")]
    bot: PathBuf,
    /// Choose the game of the round. Default: the one that the bot says it plays.
    #[arg(long)]
    game: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    defines: DefineArgs,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let players = [arguments.bot.display().to_string()];
    let testcase = arguments.limits.testcase(arguments.game.as_deref(), &players)?;
    let request = Request {
        bot: arguments.bot.clone(),
        game: arguments.game.clone().or_else(|| Some(testcase.as_ref()?.game.clone())),
        limits: arguments.limits.limits(testcase.as_ref()),
    };
    arguments.defines.apply();
    let workers = arguments.walls.workers()?;
    let outcome = check_bot::run(&request, &workers, &mut Terminal::default())?;
    let text = if arguments.json { outcome.to_json() } else { outcome.to_text() };
    output::unless_reader_left(output::print(&text))?;
    if testcase.is_none() && outcome.is_slow() {
        tell(&format!("hint: {SHARED_TIME}"));
    }
    Ok(if outcome.is_sound() { Exit::Passed } else { Exit::Failed })
}
