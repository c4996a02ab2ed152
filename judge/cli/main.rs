//! The command line: parse, build the parts, run them, map what happened to an exit code.

mod board;
mod bots;
mod bundled;
mod calibrate;
mod completions;
mod contest;
mod course;
mod diff;
mod doctor;
mod export;
mod failure;
mod formats;
mod games;
mod grade;
mod human;
mod journal;
mod match_bots;
mod output;
mod play;
mod promise;
mod record;
mod replay;
mod report;
mod rules;
mod selftest;
mod tournament;
mod train;
mod trained;
mod verify;
mod watch;
mod worker;

use clap::{Parser, Subcommand};

use failure::{Exit, Failure};

/// A headless referee for game-playing bots compiled to WebAssembly.
///
/// Exit codes: 0 all passed, 1 a testcase (or vector, or played round) failed, or what was to be
/// verified does not hold, 2 usage, 3 invalid input, 4 judge error, 5 not all of what was to be
/// verified was checked. `judge match --sprt`: 0 H1 accepted, 1 H0 accepted, 5 not decided.
#[derive(Parser)]
// Named here, as the program is called `judge.exe` on Windows.
#[command(bin_name = "judge", version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Grade(grade::Arguments),
    Watch(watch::Arguments),
    Play(play::Arguments),
    Match(match_bots::Arguments),
    Tournament(tournament::Arguments),
    Record(record::Arguments),
    Train(train::Arguments),
    Replay(replay::Arguments),
    Board(board::Arguments),
    Merge(course::MergeArguments),
    Calibrate(calibrate::Arguments),
    Commit(promise::CommitArguments),
    Reveal(promise::RevealArguments),
    Verify(verify::Arguments),
    Diff(diff::Arguments),
    Report(report::Arguments),
    Export(export::Arguments),
    Games(games::Arguments),
    Rules(rules::Arguments),
    Doctor(doctor::Arguments),
    Selftest(selftest::Arguments),
    Completions(completions::Arguments),
    #[command(hide = true)]
    Worker(worker::Arguments),
}

/// Stack of the thread that does the work, in bytes: what the shell gives the first thread
/// (`ulimit -s`) may be next to nothing.
const STACK: usize = 8 << 20;

fn main() -> std::process::ExitCode {
    let thread = std::thread::Builder::new().name("main".to_owned()).stack_size(STACK);
    let done = match thread.spawn(begin) {
        Ok(thread) => thread.join().unwrap_or_else(|_| Done::Exit(bug().report())),
        // Not one more thread can be had: then the first one has to do.
        Err(_) => begin(),
    };
    match done {
        Done::Exit(exit) => exit.into(),
        // The walls around a worker are built by its first thread, for itself and those that it
        // begins: there must be no other.
        Done::Worker(arguments) => finish(|| worker::run(&arguments)).into(),
    }
}

/// What came of the command line.
enum Done {
    /// All is done.
    Exit(Exit),
    /// This process is a worker.
    Worker(worker::Arguments),
}

fn begin() -> Done {
    match Cli::parse().command {
        Command::Worker(arguments) => Done::Worker(arguments),
        command => Done::Exit(finish(|| run(command))),
    }
}

/// Does the work and tells of a failure.
fn finish(work: impl FnOnce() -> Result<Exit, Failure>) -> Exit {
    // A panic is a bug in the judge, and has the judge's exit code. Its message is already out.
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    result.unwrap_or_else(|_| Err(bug())).unwrap_or_else(Failure::report)
}

fn bug() -> Failure {
    Failure::Judge("this is a bug in judge".to_owned())
}

fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Grade(arguments) => grade::run(&arguments),
        Command::Watch(arguments) => watch::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Match(arguments) => match_bots::run(&arguments),
        Command::Tournament(arguments) => tournament::run(&arguments),
        Command::Record(arguments) => record::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Board(arguments) => board::run(&arguments),
        Command::Merge(arguments) => course::merge(&arguments),
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::Commit(arguments) => promise::commit(&arguments),
        Command::Reveal(arguments) => promise::reveal(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Games(arguments) => games::run(&arguments),
        Command::Rules(arguments) => rules::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Selftest(arguments) => selftest::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Worker(arguments) => worker::run(&arguments),
    }
}
