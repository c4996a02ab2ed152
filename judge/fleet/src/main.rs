//! `judge-worker`: plays rounds that are handed out through a database.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "these are the program's own words")]

mod commands;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use judge_fleet::Error;
use judge_runner::base::workers;
use tracing_subscriber::filter::LevelFilter;

/// First argument when the judge runs this program to play a bot.
const WORKER: &str = "worker";

/// The worker's one option.
const SECONDS: &str = "--processor-seconds=";

/// Plays rounds that others hand out through a PostgreSQL database.
#[derive(Debug, Parser)]
#[command(name = "judge-worker", version, args_conflicts_with_subcommands = false)]
struct Arguments {
    /// The database: `postgres://…`. Better in the environment, where no list of processes shows it
    #[arg(long, value_name = "URL", env = "JUDGE_DATABASE", hide_env_values = true, global = true)]
    database: Option<String>,
    #[command(flatten)]
    play: Play,
    #[command(subcommand)]
    command: Option<FleetCommand>,
}

/// Settings of a machine that plays.
#[derive(Debug, Args)]
struct Play {
    /// This machine's name in the database, the same at each start [default: the host's name]
    #[arg(long)]
    name: Option<String>,
    /// Batches to play at a time, one processor each [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Seconds after which a batch goes to another machine when nothing is heard of this one
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    lease: u64,
    /// Seconds that batches under way may continue when the program is asked to stop
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(0..=3600))]
    grace: u64,
    /// Folder for modules and tables [default: `worker` in the user's folder for the judge's
    /// caches]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Play nothing unless bots are fully isolated
    #[arg(long)]
    require_isolation: bool,
}

#[derive(Debug, Subcommand)]
enum FleetCommand {
    /// Create missing tables in the database, and give a role the rights of a machine that plays
    Setup {
        /// The role, which has to be there
        #[arg(long)]
        role: String,
    },
    /// Show machines, waiting batches, and alarms
    Status {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Let a machine play again that was not trusted any more
    Trust {
        /// Its name
        machine: String,
    },
}

fn main() -> ExitCode {
    // Before any thread: a worker isolates the first thread of its process.
    if std::env::args().nth(1).as_deref() == Some(WORKER) {
        workers::close_inherited();
        return match workers::serve(processor_seconds()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(4),
        };
    }
    workers::keep_to_this_process();
    let arguments = Arguments::parse();
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
    // A command prints only its result.
    let level = if arguments.command.is_some() { LevelFilter::WARN } else { LevelFilter::INFO };
    let _ = log.with_max_level(level).try_init();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The text may come from the database or its rows, which are not trusted.
            let text = error.to_string();
            let lines = text.lines().map(|line| judge_core::printable(line, usize::MAX));
            eprintln!("error: {}", lines.collect::<Vec<_>>().join("\n"));
            exit_code(error.as_ref())
        }
    }
}

/// 3 for errors that the user can fix, 4 for other failures.
fn exit_code(error: &(dyn std::error::Error + 'static)) -> ExitCode {
    let is_mendable = match error.downcast_ref::<Error>() {
        Some(error) => matches!(error, Error::Address(_) | Error::Role(_) | Error::NoMachine(_)),
        None => error.downcast_ref::<commands::NoDatabase>().is_some(),
    };
    ExitCode::from(if is_mendable { 3 } else { 4 })
}

/// The processor time that the judge allows this worker.
fn processor_seconds() -> u64 {
    let mut rest = std::env::args().skip(2);
    let told = rest.find_map(|argument| argument.strip_prefix(SECONDS)?.parse().ok());
    told.unwrap_or(workers::PROCESSOR_SECONDS)
}

fn run(arguments: Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let database = arguments.database.ok_or(commands::NoDatabase)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        match arguments.command {
            Some(FleetCommand::Setup { role }) => commands::set_up(&database, &role).await,
            Some(FleetCommand::Status { json }) => commands::status(&database, json).await,
            Some(FleetCommand::Trust { machine }) => commands::trust(&database, &machine).await,
            None => commands::play(&database, arguments.play).await,
        }
    });
    // Rounds that no run waits for any more end with this process.
    runtime.shutdown_background();
    done
}
