//! A number of worker processes and the settings for them. Records never show which worker plays
//! which round, or the order in which workers finish.

mod compiler;
mod elsewhere;
mod queue;

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use judge_core::{BySeat, Fingerprint, RoundRecord, RoundSpec, Seed};
use judge_referee::{SetupError, Tables};
use judge_sandbox::worker::{
    ControlGroup, PlayTiming, Supervisor, Terms, WorkerCommand, WorkerError,
};

use crate::bounds::{Account, Bounds};
use crate::store::{RoundStore, StoreError};
use crate::{Isolation, Stop};
pub(crate) use compiler::COMPILE_DEADLINE;
pub use compiler::Compiler;
pub use elsewhere::{RemotePool, RemoteResult, RemoteRun, modules_by_digest};
pub(crate) use queue::{CloseOnPanic, Queue};

/// Time for a new worker's first reply. This and what follows is the worker's own processor time
/// where the system reports it, otherwise wall-clock time.
pub(crate) const START_DEADLINE: Duration = Duration::from_secs(30);

/// Time for a match on top of its budget: as much again for slow machines and thoughtful
/// opponents.
const MATCH_GRACE: Duration = Duration::from_secs(30);

/// Factor by which a worker may be slower than one millisecond per judge-millisecond.
const SLOWNESS: u64 = 100;

/// The same for memory beyond what processors keep near them, in which a module can do nothing but
/// miss: `judge/docs/security.md`, "What fuel costs".
const SLOWNESS_FAR: u64 = 200;

/// Most memory, in bytes, that is near.
const NEAR: u64 = 8 << 20;

/// Reasons why a run cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// A match cannot begin at all: a mistake in the testcase.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A round cannot be stored, or a stored one cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The journal holds only a part of the run.
    #[error("the journal lacks a round: {game} with seed `{seed}`, {seats}")]
    NotPlayed {
        /// The game.
        game: String,
        /// The round's seed.
        seed: Seed,
        /// Players.
        seats: String,
    },
    /// Other machines cannot be asked to play.
    #[error("rounds cannot be handed to other machines: {0}")]
    Elsewhere(Box<dyn std::error::Error + Send + Sync>),
    /// The run was stopped.
    #[error("the run was stopped")]
    Stopped,
    /// The listener of the run has failed.
    #[error("an event cannot be delivered: {0}")]
    Undelivered(#[from] std::io::Error),
}

/// One match to play.
#[derive(Debug, Clone)]
pub struct Job {
    /// Match to play.
    pub spec: RoundSpec,
    /// For each bot's seat, the position of its module in the list given to [`Pool::run`].
    pub modules: BySeat<Option<usize>>,
}

/// Event of a job.
#[derive(Debug)]
pub enum JobStep {
    /// The job with that position in the list is about to be played, or looked up.
    Begun(usize),
    /// It is done with.
    Finished(Finished),
}

/// A job that is done with.
#[derive(Debug)]
pub struct Finished {
    /// Its position in the list.
    pub job: usize,
    /// The match; none if it turned out needless before it began.
    pub played: Option<Box<PlayedRound>>,
}

/// A match that was played.
#[derive(Debug)]
pub struct PlayedRound {
    /// Outcome.
    pub record: RoundRecord,
    /// Breakdown of the worker's time.
    pub timing: PlayTiming,
    /// Wall clock spent on starting a worker and compiling for this match.
    pub start_up: Duration,
}

/// A number of worker processes to come.
#[derive(Debug, Clone)]
pub struct Pool {
    /// Command that starts a worker.
    pub command: WorkerCommand,
    /// Number of workers.
    pub workers: usize,
    /// Fingerprint for every record.
    pub fingerprint: Fingerprint,
    /// Policy for missing isolation measures.
    pub isolation: Isolation,
    /// Control group in which workers get their own; none if the system has not delegated one.
    pub group: Option<Arc<ControlGroup>>,
    /// Store of rounds, which also holds those that need not be played again.
    pub journal: Option<Arc<dyn RoundStore>>,
    /// Machines that play the rounds that are not in the journal; none for worker processes of this
    /// one.
    pub elsewhere: Option<Arc<dyn RemotePool>>,
    /// Tables of trained players, for matches that have some.
    pub tables: Tables,
    /// True if nothing is played at all: a round that is not in the journal is an error.
    pub journal_only: bool,
    /// Ends the run before its time.
    pub stop: Stop,
    /// Machine code compiled so far.
    pub compiler: Arc<Compiler>,
    /// Bounds on the cost of each submission in grading; none for the defaults of the suite.
    pub bounds: Option<Bounds>,
    /// Cost of each module so far, by position; empty if not needed.
    pub accounts: Vec<Arc<Account>>,
}

impl Pool {
    /// A pool that accepts incomplete isolation, without a journal and without trained players.
    pub fn new(command: WorkerCommand, workers: usize, fingerprint: Fingerprint) -> Pool {
        Pool {
            command,
            workers,
            fingerprint,
            isolation: Isolation::default(),
            group: None,
            journal: None,
            elsewhere: None,
            tables: Tables::default(),
            journal_only: false,
            stop: Stop::default(),
            compiler: Arc::default(),
            bounds: None,
            accounts: Vec::new(),
        }
    }

    /// Starts a worker with this much processor time, and checks that it is this judge's and
    /// isolated. Its processor time is charged to that account.
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

    /// Time for one match: far above what its budget needs.
    pub(crate) fn deadline(&self, spec: &RoundSpec) -> Duration {
        let bots = spec.seats.iter().filter(|seat| seat.is_bot()).count() as u64;
        let budget = Duration::from_millis(spec.limits.fuel / judge_core::FUEL_PER_MS);
        let slowness = if spec.limits.memory_bytes > NEAR { SLOWNESS_FAR } else { SLOWNESS };
        let factor = u32::try_from(slowness * bots * self.crowding()).unwrap_or(u32::MAX);
        MATCH_GRACE + budget.saturating_mul(factor)
    }

    /// Number of workers per processor, where that makes a match longer: not where what counts is a
    /// worker's own processor time. More workers must not give a bot more time.
    fn crowding(&self) -> u64 {
        if judge_sandbox::worker::COUNTS_PROCESSOR_TIME {
            return 1;
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        self.workers.div_ceil(processors).max(1) as u64
    }
}

/// The argument with a worker's allowance of processor time.
fn processor_time(life: Duration) -> OsString {
    // Well beyond it: a worker that reaches this is killed, without a hint by whom.
    format!("--processor-seconds={}", life.as_secs().saturating_mul(2).saturating_add(60)).into()
}
