//! The worker processes that run bots, and the entry point of a worker.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_arena::{CacheError, CodeCache, Compiler, Isolation, Pool, RemotePool, Run, Stop};
use judge_core::{Event, Fingerprint, Listener, printable};
use judge_sandbox::worker::{ControlGroup, Life, WorkerCommand};
pub use judge_sandbox::{close_inherited, keep_to_this_process};
use judge_toolchain::Cache;

use crate::Error;

/// Default processor time of a worker in seconds. After that the system ends it.
pub const PROCESSOR_SECONDS: u64 = 3600;

/// Settings for playing bots: number of workers, isolation, and a way to stop early.
#[derive(Debug, Clone)]
pub struct Workers {
    /// The command that starts a worker.
    pub command: WorkerCommand,
    /// Number of workers; one per processor by default. Changes no result.
    pub jobs: Option<usize>,
    /// True if bots must be fully isolated; otherwise nothing is played.
    pub require_isolation: bool,
    /// The control group in which each worker gets a separate group; none if the system has not
    /// delegated one.
    pub group: Option<Arc<ControlGroup>>,
    /// Machines that play rounds instead of local worker processes.
    pub elsewhere: Option<Arc<dyn RemotePool>>,
    /// Machine code of earlier runs; none to compile every module. Changes no result.
    pub code_cache: Option<CodeCache>,
    /// Ends a run early.
    pub stop: Stop,
}

impl Workers {
    /// Returns workers that run this program with the single argument `worker`, which it must
    /// handle with [`serve`].
    ///
    /// # Errors
    /// If the program cannot find its own file.
    pub fn of_this_program() -> Result<Workers, Error> {
        let (jobs, require_isolation, stop) = (None, false, Stop::default());
        let (group, elsewhere, code_cache) = (None, None, None);
        let command = command()?;
        Ok(Workers { command, jobs, require_isolation, group, elsewhere, code_cache, stop })
    }

    /// Keeps machine code in the user's cache folder, if there is one.
    #[must_use]
    pub fn with_cache_of_user(self) -> Workers {
        Workers { code_cache: code_cache_of_user(), ..self }
    }

    /// The reason why this run cannot keep machine code, such as a read-only home; none if it can, and
    /// on systems where no judge can.
    pub fn cache_problem(&self) -> Option<String> {
        match self.code_cache.as_ref()?.check() {
            Ok(_) | Err(CacheError::Unsupported) => None,
            Err(error) => Some(format!("no machine code is kept for later runs: {error}")),
        }
    }

    /// Sets the number of workers.
    #[must_use]
    pub fn with_jobs(self, jobs: usize) -> Workers {
        Workers { jobs: Some(jobs), ..self }
    }

    /// Gives each worker a control group, if the system has delegated one to this program.
    ///
    /// # Errors
    /// If it has not, with the reason. Workers then start without control groups.
    pub fn use_control_groups(&mut self) -> Result<(), String> {
        let group = ControlGroup::of_this_process().map_err(|error| error.to_string())?;
        self.group = Some(Arc::new(group));
        Ok(())
    }

    /// Returns a pool of these workers.
    pub fn pool(&self) -> Pool {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.unwrap_or(processors);
        let isolation =
            if self.require_isolation { Isolation::required() } else { Isolation::default() };
        Pool::new(self.command.clone(), jobs, fingerprint())
            .with_isolation(isolation)
            .with_group(self.group.clone())
            .with_machines(self.elsewhere.clone())
            .with_compiler(Compiler::with_cache(self.code_cache.clone()))
    }

    /// Returns a run on a pool of these workers, which their stop ends early.
    pub fn run(&self) -> Run {
        Run::new(self.pool()).with_stop(self.stop.clone())
    }
}

/// The cache of machine code in the user's cache folder; none if the system has no such folder.
pub fn code_cache_of_user() -> Option<CodeCache> {
    Cache::folder_of_user().map(|folder| code_cache_in(&folder))
}

/// The cache of machine code in that folder, for this build.
pub fn code_cache_in(folder: &Path) -> CodeCache {
    CodeCache::new(folder.join("code"), &identity())
}

/// Compiles or plays for a parent process over standard input and output, until the parent closes
/// them. The process's first thread isolates it, so no other thread may exist.
///
/// # Errors
/// If isolation or communication with the parent fails.
pub fn serve(processor_seconds: u64) -> Result<(), Error> {
    let life = Life { identity: identity(), processor_seconds };
    judge_arena::serve(&life).map_err(|error| Error::Judge(error.to_string()))
}

/// The command that starts this program as a worker.
fn command() -> Result<WorkerCommand, Error> {
    let program = running_binary()
        .map_err(|error| Error::Judge(format!("cannot find the judge's executable: {error}")))?;
    Ok(WorkerCommand { program, arguments: vec!["worker".into()], identity: identity() })
}

/// The running program, even if its file has been replaced since.
fn running_binary() -> std::io::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() {
        return Ok(running);
    }
    std::env::current_exe()
}

/// The identity of this build, which reveals a replaced binary.
fn identity() -> String {
    let Fingerprint { judge, engine } = fingerprint();
    format!("judge {judge}, {engine}")
}

/// Fingerprint of this build.
pub fn fingerprint() -> Fingerprint {
    Fingerprint {
        judge: env!("CARGO_PKG_VERSION").to_owned(),
        engine: judge_sandbox::fingerprint(),
    }
}

/// Reports the isolation measures that were missing for the bots that have just played.
pub(crate) fn tell_of_missing_walls(run: &Run, events: &mut dyn Listener) -> std::io::Result<()> {
    let isolation = run.pool().isolation();
    let missing = isolation.missing();
    if missing.is_empty() || isolation.is_required() {
        return Ok(());
    }
    let names: Vec<&str> = missing.iter().map(|wall| wall.name.as_str()).collect();
    let text = format!(
        "bots are not fully isolated on this system; missing: {} (see `judge doctor`)",
        names.join(", ")
    );
    events.event(&Event::Warning { text: printable(&text, usize::MAX) })
}
