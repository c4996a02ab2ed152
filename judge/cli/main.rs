//! The command line: parse, build the parts, run them, map what happened to an exit code.

mod bots;
mod bundled;
mod completions;
mod failure;
mod games;
mod grade;
mod output;
mod play;
mod replay;
mod rules;
mod worker;

use clap::{Parser, Subcommand};

use failure::Failure;

/// A headless referee for game-playing bots compiled to WebAssembly.
///
/// Exit codes: 0 all passed, 1 a testcase (or vector, or played round) failed, 2 usage,
/// 3 invalid input, 4 judge error.
#[derive(Parser)]
#[command(version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Grade(grade::Arguments),
    Play(play::Arguments),
    Replay(replay::Arguments),
    Games(games::Arguments),
    Rules(rules::Arguments),
    Completions(completions::Arguments),
    #[command(hide = true)]
    Worker(worker::Arguments),
}

fn main() -> std::process::ExitCode {
    let result = match Cli::parse().command {
        Command::Grade(arguments) => grade::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Games(arguments) => games::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Worker(arguments) => worker::run(&arguments),
    };
    result.unwrap_or_else(Failure::report).into()
}
