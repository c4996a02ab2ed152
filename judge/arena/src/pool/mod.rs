//! The workers of a machine, and the runs that play rounds on them. Records never depend on which
//! worker plays which round, or on the order in which workers finish.

mod compiler;
mod queue;
mod remote;
mod run;

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use judge_core::{BySeat, Fingerprint, RoundRecord, RoundSpec, Seed};
use judge_referee::{RoundOutline, SetupError};
use judge_sandbox::worker::{
    ControlGroup, PlayTiming, Supervisor, Terms, WorkerCommand, WorkerError,
};

use crate::Isolation;
use crate::bounds::Account;
use crate::store::StoreError;
pub(crate) use compiler::COMPILE_DEADLINE;
pub use compiler::Compiler;
pub(crate) use queue::{CloseOnPanic, Queue};
pub use remote::{RemotePool, RemoteResult, RemoteRun, modules_by_digest};
pub use run::Run;

/// Time for a new worker's first reply. All these times are processor time of the worker if the
/// system reports it, otherwise wall-clock time.
pub(crate) const START_DEADLINE: Duration = Duration::from_secs(30);

/// Time for a round in addition to its budget, for slow machines and slow opponents.
const MATCH_GRACE: Duration = Duration::from_secs(30);

/// Milliseconds that a worker may take per judge-millisecond.
const SLOWNESS: u64 = 100;

/// The same with more memory than fits the processor's caches, where a module can do nothing but
/// miss: `judge/docs/security.md`, "What fuel costs".
const SLOWNESS_FAR: u64 = 200;

/// Most bytes of memory that fit the caches.
const NEAR: u64 = 8 << 20;

/// An error that ends a run.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// A round cannot begin at all: a mistake in the testcase.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A round cannot be stored, or a stored one cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The journal has only a part of the run.
    #[error("the journal lacks a round: {game} with seed `{seed}`, {seats}")]
    NotPlayed {
        /// The game.
        game: String,
        /// The round's seed.
        seed: Seed,
        /// Names of the players.
        seats: String,
    },
    /// Other machines cannot be reached.
    #[error("rounds cannot be handed to other machines: {0}")]
    Elsewhere(Box<dyn std::error::Error + Send + Sync>),
    /// The run was stopped early.
    #[error("the run was stopped")]
    Stopped,
    /// The run's listener failed.
    #[error("an event cannot be delivered: {0}")]
    Undelivered(#[from] std::io::Error),
}

/// One round to play.
#[derive(Debug, Clone)]
pub struct Job {
    /// The round to play.
    pub spec: RoundSpec,
    /// For each bot's seat, the position of its module in the list given to [`Run::play_all`].
    pub modules: BySeat<Option<usize>>,
}

/// Event of a job.
#[derive(Debug)]
pub enum JobStep {
    /// The job with that index is about to be played or found.
    Begun(usize),
    /// The job is finished.
    Finished(Finished),
    /// The job's round is in the journal, and its outline is believed. Only a run that believes its
    /// journal has such steps.
    Believed(Believed),
}

/// A finished job.
#[derive(Debug)]
pub struct Finished {
    /// Its index in the list.
    pub job: usize,
    /// The round; none if it became needless before it began.
    pub played: Option<Box<PlayedRound>>,
}

/// A round of a store that was not made again.
#[derive(Debug)]
pub struct Believed {
    /// The index of its job in the list.
    pub job: usize,
    /// Its outline in the store.
    pub outline: Box<RoundOutline>,
}

/// A played round.
#[derive(Debug)]
pub struct PlayedRound {
    /// Its record.
    pub record: RoundRecord,
    /// The outline of its record.
    pub outline: RoundOutline,
    /// Breakdown of the worker's time.
    pub timing: PlayTiming,
    /// Wall clock of starting a worker and compiling for this round.
    pub start_up: Duration,
}

/// The worker processes of this machine, and the other machines that play instead of them.
#[derive(Debug, Clone)]
pub struct Pool {
    command: WorkerCommand,
    workers: usize,
    fingerprint: Fingerprint,
    isolation: Isolation,
    group: Option<Arc<ControlGroup>>,
    compiler: Arc<Compiler>,
    elsewhere: Option<Arc<dyn RemotePool>>,
}

impl Pool {
    /// A pool of that many workers, which the command starts. The fingerprint goes into every
    /// record. Incomplete isolation is accepted.
    pub fn new(command: WorkerCommand, workers: usize, fingerprint: Fingerprint) -> Pool {
        Pool {
            command,
            workers,
            fingerprint,
            isolation: Isolation::default(),
            group: None,
            compiler: Arc::default(),
            elsewhere: None,
        }
    }

    /// Sets the number of workers.
    #[must_use]
    pub fn with_workers(self, workers: usize) -> Pool {
        Pool { workers, ..self }
    }

    /// Sets the fingerprint for every record.
    #[must_use]
    pub fn with_fingerprint(self, fingerprint: Fingerprint) -> Pool {
        Pool { fingerprint, ..self }
    }

    /// Sets the policy for missing isolation measures.
    #[must_use]
    pub fn with_isolation(self, isolation: Isolation) -> Pool {
        Pool { isolation, ..self }
    }

    /// Sets the control group for the groups of workers; none if the system has not delegated one.
    #[must_use]
    pub fn with_group(self, group: Option<Arc<ControlGroup>>) -> Pool {
        Pool { group, ..self }
    }

    /// Sets the compiler, which clones of the pool share.
    #[must_use]
    pub fn with_compiler(self, compiler: Compiler) -> Pool {
        Pool { compiler: Arc::new(compiler), ..self }
    }

    /// Sets the machines that play instead of the workers; none to play here.
    #[must_use]
    pub fn with_machines(self, elsewhere: Option<Arc<dyn RemotePool>>) -> Pool {
        Pool { elsewhere, ..self }
    }

    /// Number of workers.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Fingerprint for every record.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// Policy for missing isolation measures, and those that are missing.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Machine code compiled so far.
    pub(crate) fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    /// Machines that play instead of the workers, if there are any.
    pub(crate) fn machines(&self) -> Option<&dyn RemotePool> {
        self.elsewhere.as_deref()
    }

    /// Starts a worker with this much processor time, and checks its identity and isolation. The
    /// account pays for its processor time.
    pub(crate) fn start(
        &self,
        life: Duration,
        account: Option<&Account>,
    ) -> Result<Supervisor, WorkerError> {
        let meter = account.map(|account| Arc::clone(&account.meter));
        let (arguments, group) = (vec![processor_time(life)], self.group.clone());
        let terms = Terms { meter, arguments, group };
        let mut worker = Supervisor::start(&self.command, &terms)?;
        self.isolation.check(&worker.hello(START_DEADLINE)?)?;
        Ok(worker)
    }

    /// Time for one round: far above the need of its budget.
    pub(crate) fn deadline(&self, spec: &RoundSpec) -> Duration {
        let bots = spec.seats.iter().filter(|seat| seat.is_bot()).count() as u64;
        let budget = Duration::from_millis(spec.limits.fuel / judge_core::FUEL_PER_MS);
        let slowness = if spec.limits.memory_bytes > NEAR { SLOWNESS_FAR } else { SLOWNESS };
        let factor = u32::try_from(slowness * bots * self.crowding()).unwrap_or(u32::MAX);
        MATCH_GRACE + budget.saturating_mul(factor)
    }

    /// Number of workers per processor if that makes a round slower, which is not so if a worker's
    /// own processor time counts. More workers must not give a bot more time.
    fn crowding(&self) -> u64 {
        if judge_sandbox::worker::COUNTS_PROCESSOR_TIME {
            return 1;
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        self.workers.div_ceil(processors).max(1) as u64
    }
}

/// The argument with a worker's limit on processor time.
fn processor_time(life: Duration) -> OsString {
    // Far above the life of a worker, because the system kills at this limit without a reason.
    format!("--processor-seconds={}", life.as_secs().saturating_mul(2).saturating_add(60)).into()
}
