//! Number of workers, and isolation of bots.

use judge_runner::Error;
use judge_runner::base::workers::Workers;

use super::{MachineArgs, SourceArgs};
use crate::show::{interrupt, tell};

/// Worker processes and the isolation of bots.
#[derive(clap::Args)]
pub(crate) struct WorkerArgs {
    /// Set the number of worker processes. Default: one per processor. Changes no result.
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
    #[command(flatten)]
    walls: Walls,
    #[command(flatten)]
    machines: MachineArgs,
}

/// Isolation of bots, for commands without `--jobs`.
#[derive(clap::Args, Default)]
pub(crate) struct Walls {
    /// Play nothing unless bots are fully isolated (see `judge doctor`).
    #[arg(long)]
    require_isolation: bool,
    /// Compile every module, without the machine code that earlier runs keep in the user's cache
    /// folder. Changes no result.
    #[arg(long)]
    no_cache: bool,
    #[command(flatten)]
    sources: SourceArgs,
}

impl WorkerArgs {
    /// Returns workers for a command that ends at the first Ctrl-C.
    pub(crate) fn workers(&self) -> Result<Workers, Error> {
        let elsewhere = self.machines.remote_pool()?;
        Ok(Workers { jobs: self.jobs, elsewhere, ..self.walls.workers()? })
    }

    /// Returns workers that finish their rounds after the first Ctrl-C.
    pub(crate) fn interruptible(&self) -> Result<Workers, Error> {
        let workers = self.workers()?;
        interrupt::stops(&workers.stop);
        Ok(workers)
    }
}

impl Walls {
    /// Returns workers with this isolation.
    pub(crate) fn workers(&self) -> Result<Workers, Error> {
        self.sources.apply();
        let workers = Workers::of_this_program()?;
        let workers = if self.no_cache { workers } else { workers.with_cache_of_user() };
        if let Some(problem) = workers.cache_problem() {
            format!("note: {problem}").lines().for_each(tell);
        }
        Ok(Workers { require_isolation: self.require_isolation, ..workers })
    }
}

/// Parses `--jobs`.
pub(crate) fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=1024) => Ok(number),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}
