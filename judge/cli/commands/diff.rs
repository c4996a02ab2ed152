//! `judge diff`: the first difference between two replays.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::rounds::diff::{self, Request};

use crate::exit::Exit;
use crate::show::{output, tell};

/// Show the first difference between two replays.
///
/// Compares their settings, then each call, then the result. Lines of the first file begin with
/// `-`, those of the second with `+`. With `--moves` it finds the first move that differs, for two
/// versions of a bot that do not use the same fuel. Exit codes: 0 the same round, 1 different
/// rounds, 3 a file is not a replay.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Replay: a file written by `judge play --replay`.
    one: PathBuf,
    /// Another replay.
    other: PathBuf,
    /// Show this many calls before the first that differs.
    #[arg(long, value_name = "N", default_value_t = 3)]
    context: usize,
    /// Compare only moves and the end; fuel, logs and the names of the players may differ.
    #[arg(long)]
    moves: bool,
    /// Write a page for a browser with the positions around the first difference, and next to it a
    /// page for each round.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let files = [arguments.one.clone(), arguments.other.clone()];
    let Arguments { context, moves, html, .. } = arguments;
    html.iter().try_for_each(|path| output::can_write(path))?;
    let outcome =
        diff::run(&Request { files, context: *context, moves: *moves, page: html.clone() })?;
    output::unless_reader_left(output::print(&outcome.text()))?;
    match (&outcome.page, html) {
        (Some(path), _) => tell(&format!("the page: `{}`", path.display())),
        (None, Some(_)) => tell("no page: no call differs"),
        (None, None) => {}
    }
    Ok(if outcome.is_same() { Exit::Passed } else { Exit::Failed })
}
