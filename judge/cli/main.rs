//! The command line: parses arguments, runs the command, maps the outcome to an exit code.

mod args;
mod commands;
mod exit;
mod human;
mod show;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use commands::{
    build, calibrate, check, commit, compare, completions, diff, doctor, explain, export, games,
    grade, match_bots, merge, new_bot, new_suite, page, play, profile, record, replay, report,
    reveal, roster, rounds, rules, scoreboard, selftest, tournament, train, verify, watch, worker,
};
use exit::Exit;
use judge_runner::Error;

/// A headless referee for game-playing bots compiled to WebAssembly.
///
/// Exit codes: 0 everything passed; 1 a testcase, test vector or round failed, or a checked file
/// does not hold; 2 usage error; 3 invalid input; 4 judge error; 5 not everything could be checked;
/// 130 interrupted by Ctrl-C. `judge match --sprt`: 0 H1 accepted, 1 H0 accepted, 5 undecided.
/// `judge compare`: 0 the new version is better, 1 it is worse, 5 undecided.
#[derive(Parser)]
// Set explicitly: on Windows the program is called `judge.exe`.
#[command(bin_name = "judge", version, propagate_version = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    New(new_bot::Arguments),
    Grade(grade::Arguments),
    Watch(watch::Arguments),
    Build(build::Arguments),
    Check(check::Arguments),
    Play(play::Arguments),
    Explain(explain::Arguments),
    Profile(profile::Arguments),
    Match(match_bots::Arguments),
    Tournament(tournament::Arguments),
    Record(record::Arguments),
    Train(train::Arguments),
    Rounds(rounds::Arguments),
    Replay(replay::Arguments),
    Roster(roster::Arguments),
    Scoreboard(scoreboard::Arguments),
    Merge(merge::Arguments),
    NewSuite(new_suite::Arguments),
    Page(page::Arguments),
    Calibrate(calibrate::Arguments),
    Compare(compare::Arguments),
    Commit(commit::Arguments),
    Reveal(reveal::Arguments),
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

/// Stack of the working thread, in bytes. The first thread's stack (`ulimit -s`) may be tiny.
const STACK: usize = 8 << 20;

fn main() -> std::process::ExitCode {
    match std::env::args_os().nth(1).is_some_and(|first| first == "worker") {
        true => judge_runner::base::workers::close_inherited(),
        false => judge_runner::base::workers::keep_to_this_process(),
    }
    let thread = std::thread::Builder::new().name("main".to_owned()).stack_size(STACK);
    let done = match thread.spawn(begin) {
        Ok(thread) => thread.join().unwrap_or_else(|_| Done::Exit(exit::report(bug()))),
        // The system refuses another thread, so use the first one.
        Err(_) => begin(),
    };
    match done {
        Done::Exit(Exit::Interrupted) => show::interrupt::end().into(),
        Done::Exit(exit) => exit.into(),
        // A worker isolates its first thread and all threads started later, so no other thread may
        // exist yet.
        Done::Worker(arguments) => finish(|| worker::run(&arguments)).into(),
    }
}

enum Done {
    /// The command has finished.
    Exit(Exit),
    /// This process is a worker.
    Worker(worker::Arguments),
}

fn begin() -> Done {
    let mut line = Cli::command();
    // The name may not be Unicode.
    let name = std::env::args_os().nth(1).and_then(|name| name.into_string().ok());
    let matches = line
        .try_get_matches_from_mut(std::env::args_os())
        .unwrap_or_else(|error| args::with_tip(error, &line, name.as_deref()).exit());
    match Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).command {
        Command::Worker(arguments) => Done::Worker(arguments),
        command => Done::Exit(finish(|| {
            show::interrupt::watch();
            args::are_no_inputs(&line, &matches)?;
            run(command)
        })),
    }
}

/// Runs the work and reports a failure.
fn finish(work: impl FnOnce() -> Result<Exit, Error>) -> Exit {
    // A panic is a bug in the judge, so it gets the exit code of a judge error. Its message is
    // already printed.
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    result.unwrap_or_else(|_| Err(bug())).unwrap_or_else(exit::report)
}

fn bug() -> Error {
    Error::Judge("this is a bug in judge".to_owned())
}

fn run(command: Command) -> Result<Exit, Error> {
    match command {
        Command::New(arguments) => new_bot::run(&arguments),
        Command::Grade(arguments) => grade::run(&arguments),
        Command::Watch(arguments) => watch::run(&arguments),
        Command::Build(arguments) => build::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Profile(arguments) => profile::run(&arguments),
        Command::Match(arguments) => match_bots::run(&arguments),
        Command::Tournament(arguments) => tournament::run(&arguments),
        Command::Record(arguments) => record::run(&arguments),
        Command::Train(arguments) => train::run(&arguments),
        Command::Rounds(arguments) => rounds::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Roster(arguments) => roster::run(&arguments),
        Command::Scoreboard(arguments) => scoreboard::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::NewSuite(arguments) => new_suite::run(&arguments),
        Command::Page(arguments) => page::run(&arguments),
        Command::Calibrate(arguments) => calibrate::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Commit(arguments) => commit::run(&arguments),
        Command::Reveal(arguments) => reveal::run(&arguments),
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
