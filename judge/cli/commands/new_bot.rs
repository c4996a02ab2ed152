//! `judge new`: a small project to begin a bot with.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::bots::new_bot::{self, Request};

use crate::exit::Exit;
use crate::show::output;

/// Make a new bot: a small project that plays at once.
///
/// Languages: `c`, `cpp`, `rust`, `zig`, `go`, `assemblyscript`, and without a compiler
/// `javascript`, `python` and `wat` (WebAssembly text). Existing files are not overwritten.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folder of the bot, a new one or an empty one; its name is that of the bot.
    #[arg(value_name = "NAME")]
    folder: PathBuf,
    /// Game to play; `judge games` lists them.
    #[arg(long, value_name = "GAME")]
    game: String,
    /// Language to write it in.
    #[arg(long, value_name = "LANG")]
    lang: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let Arguments { folder, game, lang } = arguments;
    let request = Request { folder: folder.clone(), game: game.clone(), language: lang.clone() };
    let outcome = new_bot::run(&request)?;
    output::unless_reader_left(output::print(&outcome.to_text()))?;
    Ok(Exit::Passed)
}
