//! `judge rules`: the rules of the games, explored from the shell and from scripts.

mod check;
mod explore;
mod setting;

use clap::Subcommand;
use judge_runner::Error;

use crate::exit::Exit;

/// Explore the rules of the games, or run test vectors.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Arguments),
    Perft(explore::Perft),
    Legal(explore::Legal),
    Show(explore::Show),
    Apply(explore::Apply),
    Score(explore::Score),
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Perft(arguments) => explore::perft(arguments),
        Command::Legal(arguments) => explore::legal(arguments),
        Command::Show(arguments) => explore::show(arguments),
        Command::Apply(arguments) => explore::apply(arguments),
        Command::Score(arguments) => explore::score(arguments),
    }
}
