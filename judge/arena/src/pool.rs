//! Plays a list of matches on several worker processes. Which worker plays what, and in which
//! order they finish, shows nowhere in the records.

use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use judge_core::{Fingerprint, MatchRecord, MatchSpec, Seed};
use judge_referee::{SetupError, Tables};
use judge_sandbox::worker::{PlayTiming, Supervisor, Terms, WorkerCommand, WorkerError};

use crate::bounds::{Account, Bounds};
use crate::compiler::Compiler;
use crate::journal::{Journal, JournalError};
use crate::station::{Station, processor_time};
use crate::{Isolation, Stop};

/// Time for a new worker's first reply. This and what follows is the worker's own processor time
/// where the system tells it, else the wall clock.
pub(crate) const START_DEADLINE: Duration = Duration::from_secs(30);

/// Time for a match on top of its budget: as much again for slow machines and thoughtful
/// opponents.
const MATCH_GRACE: Duration = Duration::from_secs(30);

/// How many times slower than one judge-millisecond a millisecond of a worker's may be.
const SLOWNESS: u64 = 100;

/// The same for memory beyond what processors keep near them, in which a module can do nothing but
/// miss: `judge/docs/security.md`, "What fuel costs".
const SLOWNESS_FAR: u64 = 200;

/// Most memory, in bytes, that is near.
const NEAR: u64 = 8 << 20;

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// A match cannot begin at all: a mistake in the testcase.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// What was played cannot be kept, or what was kept cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal holds only a part of the run.
    #[error("the journal lacks a round: {game} with seed `{seed}`, {seats}")]
    NotPlayed {
        /// The game.
        game: String,
        /// The round's seed.
        seed: Seed,
        /// Who plays.
        seats: String,
    },
    /// Somebody has ended the run.
    #[error("the run was stopped")]
    Stopped,
}

/// One match to play.
#[derive(Debug, Clone)]
pub struct Job {
    /// What to play.
    pub spec: MatchSpec,
    /// For each bot's seat, the position of its module in the list given to [`Pool::run`].
    pub modules: [Option<usize>; 2],
}

/// A job that is done with.
#[derive(Debug)]
pub struct Finished {
    /// Its position in the list.
    pub job: usize,
    /// The match; none if it turned out needless before it began.
    pub played: Option<Played>,
}

/// A match that was played.
#[derive(Debug)]
pub struct Played {
    /// What happened.
    pub record: MatchRecord,
    /// Where the worker's time went.
    pub timing: PlayTiming,
    /// Wall clock spent on starting a worker and compiling for this match.
    pub start_up: Duration,
}

/// A number of worker processes to come.
#[derive(Debug, Clone)]
pub struct Pool {
    /// How to start a worker.
    pub command: WorkerCommand,
    /// How many at a time.
    pub workers: usize,
    /// What goes into every record.
    pub fingerprint: Fingerprint,
    /// What to do about walls that this system does not have.
    pub isolation: Isolation,
    /// Where rounds are kept before they count, and where those are found that need not be played
    /// again.
    pub journal: Option<Arc<Journal>>,
    /// What trained players know, for those matches that have some.
    pub tables: Tables,
    /// Whether nothing is played at all: what is not in the journal is an error.
    pub journal_only: bool,
    /// Ends the run before its time.
    pub stop: Stop,
    /// What was compiled so far.
    pub compiler: Arc<Compiler>,
    /// What each submission may cost, where submissions are graded; none for what suits the suite.
    pub bounds: Option<Bounds>,
    /// What each module has cost so far, by its position; empty where nobody asks.
    pub accounts: Vec<Arc<Account>>,
}

impl Pool {
    /// A pool that takes what walls there are, keeps no journal and knows no trained players.
    pub fn new(command: WorkerCommand, workers: usize, fingerprint: Fingerprint) -> Pool {
        Pool {
            command,
            workers,
            fingerprint,
            isolation: Isolation::default(),
            journal: None,
            tables: Tables::default(),
            journal_only: false,
            stop: Stop::default(),
            compiler: Arc::default(),
            bounds: None,
            accounts: Vec::new(),
        }
    }

    /// Plays all jobs and hands each result to `finished` as it comes in, in any order. Jobs with
    /// the same modules should stand together: a worker is kept while its modules fit. A job for
    /// which `needless` holds when its turn comes is passed over.
    ///
    /// # Errors
    /// When a match cannot begin at all, the journal fails, or the run was stopped. Its worker stops
    /// there.
    pub fn run(
        &self,
        modules: &[&[u8]],
        jobs: &[Job],
        needless: &(dyn Fn(usize) -> bool + Sync),
        finished: &mut dyn FnMut(Finished),
    ) -> Result<(), ArenaError> {
        let workers = self.workers.clamp(1, jobs.len().max(1));
        let queue = Mutex::new(Queue { rest: 0..jobs.len(), returned: Vec::new(), workers });
        // Whoever listens may be slow: records do not pile up before it.
        let (sender, results) = sync_channel(workers);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (queue, sender) = (&queue, sender.clone());
                let mut station = self.station(modules);
                scope.spawn(move || station.work(jobs, queue, needless, &sender));
            }
            drop(sender);
            let mut outcome = Ok(());
            for result in results {
                match result {
                    Ok(done) => finished(done),
                    Err(error) => outcome = outcome.and(Err(error)),
                }
            }
            outcome
        })
    }
}

impl Pool {
    /// Plays a single match on a worker of its own.
    ///
    /// # Errors
    /// When the match cannot begin at all, or the journal fails.
    pub fn play(&self, modules: &[&[u8]], job: &Job) -> Result<Played, ArenaError> {
        self.station(modules).play(job)
    }

    /// A place for one worker process, which is started when it is needed.
    pub(crate) fn station<'a>(&'a self, modules: &'a [&'a [u8]]) -> Station<'a> {
        Station::new(self, modules)
    }

    /// Starts a worker that may have so much processor time, and makes sure that it is this judge's,
    /// behind its walls. What it uses goes to that account.
    pub(crate) fn start(
        &self,
        life: Duration,
        account: Option<&Account>,
    ) -> Result<Supervisor, WorkerError> {
        let meter = account.map(|account| Arc::clone(&account.meter));
        let terms = Terms { meter, arguments: vec![processor_time(life)] };
        let mut worker = Supervisor::start(&self.command, &terms)?;
        self.isolation.check(&worker.hello(START_DEADLINE)?)?;
        Ok(worker)
    }

    /// Time for one match: far above what its budget needs, even when there are more
    /// workers than processors.
    pub(crate) fn deadline(&self, spec: &MatchSpec) -> Duration {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let crowding = self.workers.div_ceil(processors).max(1) as u64;
        let bots = spec.seats.iter().filter(|seat| seat.is_bot()).count() as u64;
        let budget = Duration::from_millis(spec.limits.fuel / judge_core::FUEL_PER_MS);
        let slowness = if spec.limits.memory_bytes > NEAR { SLOWNESS_FAR } else { SLOWNESS };
        let factor = u32::try_from(slowness * bots * crowding).unwrap_or(u32::MAX);
        MATCH_GRACE + budget.saturating_mul(factor)
    }
}

/// Jobs that are not begun yet, and who is there to begin them.
pub(crate) struct Queue {
    rest: std::ops::Range<usize>,
    /// Taken by somebody who could not start a worker.
    returned: Vec<usize>,
    /// Stations that have not left.
    workers: usize,
}

impl Queue {
    /// The next job; whoever gets none leaves.
    pub(crate) fn next(&mut self) -> Option<usize> {
        let next = self.returned.pop().or_else(|| self.rest.next());
        self.workers -= usize::from(next.is_none());
        next
    }

    /// Hands a job to the others and leaves, unless nobody else is there.
    pub(crate) fn give_back(&mut self, job: usize) -> bool {
        if self.workers < 2 {
            return false;
        }
        self.returned.push(job);
        self.workers -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Queue;

    #[test]
    fn who_cannot_start_a_worker_hands_its_job_on_and_leaves() {
        let mut queue = Queue { rest: 0..3, returned: Vec::new(), workers: 2 };
        assert_eq!([queue.next(), queue.next()], [Some(0), Some(1)]);
        assert!(queue.give_back(1), "the other one is there");
        assert_eq!([queue.next(), queue.next()], [Some(1), Some(2)]);
        assert!(!queue.give_back(2), "there is nobody left");
        assert_eq!(queue.next(), None);
    }

    #[test]
    fn nothing_is_handed_to_those_who_have_left() {
        let mut queue = Queue { rest: 0..1, returned: Vec::new(), workers: 2 };
        assert_eq!([queue.next(), queue.next()], [Some(0), None]);
        assert!(!queue.give_back(0), "the other one has left");
    }
}
