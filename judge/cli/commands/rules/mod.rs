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
    command: RulesCommand,
}

#[derive(Subcommand)]
enum RulesCommand {
    Check(check::Arguments),
    Perft(explore::Perft),
    Legal(explore::Legal),
    Show(explore::Show),
    Apply(explore::Apply),
    Score(explore::ScoreArguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    match &arguments.command {
        RulesCommand::Check(arguments) => check::run(arguments),
        RulesCommand::Perft(arguments) => explore::perft(arguments),
        RulesCommand::Legal(arguments) => explore::legal(arguments),
        RulesCommand::Show(arguments) => explore::show(arguments),
        RulesCommand::Apply(arguments) => explore::apply(arguments),
        RulesCommand::Score(arguments) => explore::score(arguments),
    }
}
