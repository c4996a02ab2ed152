//! Plays a list of matches on several worker processes. Which worker plays what, and in which
//! order they finish, shows nowhere in the records.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use judge_core::{
    Digest, Fault, Fingerprint, MatchRecord, MatchSpec, Seat, SeatSpec, Seed, Transcript, Verdict,
};
use judge_referee::{SetupError, Tables};
use judge_sandbox::worker::{PlayReply, PlayTiming, Supervisor, WorkerCommand, WorkerError};

use crate::journal::{Journal, JournalError};
use crate::{Isolation, Stop};

/// How often a match is tried when the worker fails under it. Every failure but the bot's own is
/// the judge's, so another try can only help.
const TRIES: u32 = 3;

/// Time for a new worker's first reply. This and what follows is the worker's own processor time
/// where the system tells it, else the wall clock.
const START_DEADLINE: Duration = Duration::from_secs(30);

/// Time for compiling a module: an emergency stop far beyond the slowest module known that
/// intake accepts, so that a slow machine takes what a quick one takes.
const COMPILE_DEADLINE: Duration = Duration::from_secs(120);

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

impl Job {
    fn needs(&self) -> Needs {
        let mut modules: Vec<usize> = self.modules.into_iter().flatten().collect();
        modules.sort_unstable();
        modules.dedup();
        let mut tables: Vec<Digest> = self.spec.seats.iter().filter_map(SeatSpec::table).collect();
        tables.sort_unstable();
        tables.dedup();
        Needs { modules, tables }
    }
}

/// What a worker needs for a match, each once, whoever sits where: the seats of a pair are swapped
/// without starting another worker.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Needs {
    modules: Vec<usize>,
    tables: Vec<Digest>,
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
}

impl Pool {
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
        let (sender, results) = channel();
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
        Station { pool: self, modules, seated: None, hopeless: None, refused: None }
    }

    /// Time for one match: far above what its budget needs, even when there are more
    /// workers than processors.
    fn deadline(&self, spec: &MatchSpec) -> Duration {
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
struct Queue {
    rest: std::ops::Range<usize>,
    /// Taken by somebody who could not start a worker.
    returned: Vec<usize>,
    /// Stations that have not left.
    workers: usize,
}

impl Queue {
    /// The next job; whoever gets none leaves.
    fn next(&mut self) -> Option<usize> {
        let next = self.returned.pop().or_else(|| self.rest.next());
        self.workers -= usize::from(next.is_none());
        next
    }

    /// Hands a job to the others and leaves, unless nobody else is there.
    fn give_back(&mut self, job: usize) -> bool {
        if self.workers < 2 {
            return false;
        }
        self.returned.push(job);
        self.workers -= 1;
        true
    }
}

/// A place for one worker process at a time, with the modules that it has compiled.
pub(crate) struct Station<'a> {
    pool: &'a Pool,
    modules: &'a [&'a [u8]],
    seated: Option<(Needs, Supervisor)>,
    /// With what no worker could be started, and why: not tried again.
    hopeless: Option<(Needs, String)>,
    /// The module that the worker refused last.
    refused: Option<usize>,
}

impl Station<'_> {
    /// Takes jobs off the queue until it is empty.
    fn work(
        &mut self,
        jobs: &[Job],
        queue: &Mutex<Queue>,
        needless: &dyn Fn(usize) -> bool,
        results: &Sender<Result<Finished, ArenaError>>,
    ) {
        loop {
            let next = queue.lock().map_or(None, |mut queue| queue.next());
            let Some(job) = next else { return };
            let played = if needless(job) { Ok(None) } else { self.play(&jobs[job]).map(Some) };
            if self.cannot_start(&jobs[job])
                && queue.lock().is_ok_and(|mut queue| queue.give_back(job))
            {
                return;
            }
            let played = match played {
                // Whether it was needed shows when the testcase is folded.
                Err(ArenaError::NotPlayed { .. }) => Ok(None),
                played => played,
            };
            let failed = played.is_err();
            let result = played.map(|played| Finished { job, played });
            if results.send(result).is_err() || failed {
                return;
            }
        }
    }

    /// Whether no worker could be started here for such a job. Others may have more luck: where
    /// memory or processes are short, it is the last ones that get none.
    pub(crate) fn cannot_start(&self, job: &Job) -> bool {
        self.hopeless.as_ref().is_some_and(|(needs, _)| *needs == job.needs())
    }

    /// Plays a match, on a new worker if the present one has other modules; or takes it from the
    /// journal. It is in the journal before anybody sees it, unless the judge failed in it: then
    /// the next run shall try again.
    ///
    /// # Errors
    /// When the match cannot begin at all, a person takes part, the journal fails, or the run was
    /// stopped.
    pub(crate) fn play(&mut self, job: &Job) -> Result<Played, ArenaError> {
        if let Some(seat) = job.spec.human() {
            return Err(SetupError::Human { seat }.into());
        }
        self.pool.tables.check(&job.spec)?;
        if self.pool.stop.is_asked() {
            return Err(ArenaError::Stopped);
        }
        if let Some(record) = self.remembered(&job.spec)? {
            let (timing, start_up) = (PlayTiming::default(), Duration::ZERO);
            return Ok(Played { record, timing, start_up });
        }
        if self.pool.journal_only {
            return Err(not_played(&job.spec));
        }
        let mut start_up = Duration::ZERO;
        let reply = self.reply(job, &[], &mut start_up);
        let fingerprint = self.pool.fingerprint.clone();
        let record = judge_referee::record(&job.spec, fingerprint, &reply.transcript)?;
        let fault = record.trailer.fault.as_ref();
        if let Some(journal) = &self.pool.journal
            && fault.is_none_or(|fault| fault.seat.is_some())
        {
            journal.add(&record, &reply.transcript)?;
        }
        Ok(Played { record, timing: reply.timing, start_up })
    }

    /// The record of a match that is in the journal: the rules make it again out of what the
    /// players did.
    fn remembered(&self, spec: &MatchSpec) -> Result<Option<MatchRecord>, ArenaError> {
        let Some(journal) = &self.pool.journal else { return Ok(None) };
        let Some((transcript, digest)) = journal.find(spec)? else { return Ok(None) };
        let fingerprint = self.pool.fingerprint.clone();
        let record = judge_referee::record(spec, fingerprint, &transcript)?;
        if record.digest() == digest {
            return Ok(Some(record));
        }
        let what = format!("the rules make another round of it: seed `{}`", spec.seed);
        Err(JournalError::Other { path: journal.path().to_owned(), what }.into())
    }

    /// What the worker tells of a match in which the person, if any, gives these answers.
    pub(crate) fn reply(
        &mut self,
        job: &Job,
        script: &[String],
        start_up: &mut Duration,
    ) -> PlayReply {
        let mut played = Err(WorkerError::Failed("never tried".to_owned()));
        let mut never_started = true;
        for _ in 0..TRIES {
            played = self.try_play(job, script, start_up);
            let Err(error) = &played else { break };
            let started = self.seated.take().is_some();
            if let WorkerError::Refused(_) = error {
                break;
            }
            never_started &= !started;
        }
        if let Err(error) = &played
            && never_started
        {
            self.hopeless = Some((job.needs(), error.to_string()));
        }
        played.unwrap_or_else(|error| PlayReply {
            transcript: failure(job, &error, self.refused),
            timing: PlayTiming::default(),
        })
    }

    fn try_play(
        &mut self,
        job: &Job,
        script: &[String],
        start_up: &mut Duration,
    ) -> Result<PlayReply, WorkerError> {
        let needs = job.needs();
        if let Some((hopeless, reason)) = &self.hopeless
            && *hopeless == needs
        {
            return Err(WorkerError::Hopeless(reason.clone()));
        }
        if self.seated.as_ref().is_none_or(|(seated, _)| *seated != needs) {
            let begin = Instant::now();
            self.seated = None;
            let worker = self.start(&needs);
            *start_up += begin.elapsed();
            self.seated = Some((needs, worker?));
        }
        let Some((loaded, worker)) = &mut self.seated else {
            return Err(WorkerError::Failed("no worker".to_owned()));
        };
        worker.play(&job.spec, slots(job, &loaded.modules), script, self.pool.deadline(&job.spec))
    }

    fn start(&mut self, needs: &Needs) -> Result<Supervisor, WorkerError> {
        let mut worker = Supervisor::start(&self.pool.command)?;
        self.pool.isolation.check(&worker.walls(START_DEADLINE)?)?;
        for sha256 in &needs.tables {
            let table = self.pool.tables.bytes(sha256).unwrap_or_default();
            worker.table(table, START_DEADLINE)?;
        }
        for module in &needs.modules {
            let loaded = worker.load(self.modules[*module], COMPILE_DEADLINE);
            if let Err(WorkerError::Refused(_)) = loaded {
                self.refused = Some(*module);
            }
            loaded?;
        }
        Ok(worker)
    }
}

fn not_played(spec: &MatchSpec) -> ArenaError {
    let seats = spec.seats.each_ref().map(SeatSpec::name).join(" against ");
    ArenaError::NotPlayed { game: spec.game.clone(), seed: spec.seed, seats }
}

/// The worker's numbers of the modules in the order of the seats.
fn slots(job: &Job, loaded: &[usize]) -> [Option<u32>; 2] {
    job.modules.map(|module| {
        let slot = loaded.iter().position(|one| Some(*one) == module)?;
        u32::try_from(slot).ok()
    })
}

/// A transcript in which nobody said anything because of `error`; `refused` is the module that the
/// worker does not take, if that is why.
fn failure(job: &Job, error: &WorkerError, refused: Option<usize>) -> Transcript {
    let seat = Seat::BOTH.into_iter().find(|seat| {
        let module = job.modules[seat.index()];
        module.is_some() && module == refused
    });
    let fault = match error {
        WorkerError::Refused(reason) => {
            Fault { seat, verdict: Verdict::InvalidModule, detail: reason.clone(), call: None }
        }
        _ => Fault::judge(error.to_string()),
    };
    Transcript { fault: Some(fault), ..Transcript::default() }
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
