//! `judge-worker`: plays rounds that are handed out by way of a database.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use judge_fleet::{Error, Machine, MachineSettings, set_up_role};
use judge_runner::workers::{self, Workers};
use tracing_subscriber::filter::LevelFilter;

/// What the judge calls this program with, where it is to play a bot.
const WORKER: &str = "worker";

/// The worker's one option.
const SECONDS: &str = "--processor-seconds=";

/// Plays rounds that others hand out by way of a PostgreSQL database.
#[derive(Debug, Parser)]
#[command(name = "judge-worker", version)]
struct Arguments {
    /// The database; better in the environment, where nobody reads its password off a list of processes
    #[arg(long, value_name = "URL", env = "JUDGE_DATABASE", hide_env_values = true, global = true)]
    database: Option<String>,
    #[command(flatten)]
    play: Play,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Args)]
struct Play {
    /// This machine's name in the database, the same at each start [default: the host's name]
    #[arg(long)]
    name: Option<String>,
    /// Batches to play at a time, one processor each [default: one per processor]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Seconds after which a batch goes to another machine when nothing is heard of this one
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    lease: u64,
    /// Folder for modules and tables [default: `judge-worker` in the system's folder for temporary files]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Play nothing unless bots are fully isolated
    #[arg(long)]
    require_isolation: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make what is missing in the database, and give a role the rights of a machine that plays
    Setup {
        /// The role, which has to be there
        #[arg(long)]
        role: String,
    },
}

fn main() -> ExitCode {
    // Before any thread: a worker isolates the first thread of its process.
    if std::env::args().nth(1).as_deref() == Some(WORKER) {
        return match workers::serve(processor_seconds()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(4),
        };
    }
    let arguments = Arguments::parse();
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
    let _ = log.with_max_level(LevelFilter::INFO).try_init();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

/// The processor time that the judge allows this worker.
fn processor_seconds() -> u64 {
    let mut rest = std::env::args().skip(2);
    let told = rest.find_map(|argument| argument.strip_prefix(SECONDS)?.parse().ok());
    told.unwrap_or(workers::PROCESSOR_SECONDS)
}

fn run(arguments: Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let database = arguments.database.ok_or("`--database` or `JUDGE_DATABASE` is needed")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match arguments.command {
            Some(Command::Setup { role }) => {
                set_up_role(&database, &role, &workers::fingerprint()).await?;
                println!("`{role}` can play, and do nothing else");
                Ok(())
            }
            None => play(&database, arguments.play).await,
        }
    })
}

async fn play(database: &str, play: Play) -> Result<(), Box<dyn std::error::Error>> {
    let mut workers = Workers::of_this_program()?;
    workers.require_isolation = play.require_isolation;
    if let Err(reason) = workers.use_control_groups() {
        tracing::info!(reason, "workers have the limits of processes alone");
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = MachineSettings {
        name: play.name.unwrap_or_else(host),
        jobs: play.jobs.unwrap_or(processors),
        lease: Duration::from_secs(play.lease.max(1)),
        cache: play.cache.unwrap_or_else(|| std::env::temp_dir().join("judge-worker")),
        grace: Duration::from_secs(10),
    };
    tracing::info!(name = settings.name, jobs = settings.jobs, "plays for whoever hands out rounds");
    let machine = Machine::connect(database, &workers, settings).await?;
    machine.run(asked_to_stop()).await.map_err(|error: Error| error.into())
}

/// The host's name, or the process if it has none.
fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => format!("process-{}", std::process::id()),
        name => name.to_owned(),
    }
}

/// Done when Ctrl-C is pressed, or the system asks the program to end.
async fn asked_to_stop() {
    let interrupt = async { _ = tokio::signal::ctrl_c().await };
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                () = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    interrupt.await;
}
