//! Plays a list of matches on several worker processes. Which worker plays what, and in which
//! order they finish, shows nowhere in the records.

use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use judge_core::{Fault, Fingerprint, MatchRecord, MatchSpec, Seat, Transcript, Verdict};
use judge_referee::SetupError;
use judge_sandbox::worker::{PlayReply, PlayTiming, Supervisor, WorkerCommand, WorkerError};

use crate::Isolation;

/// How often a match is tried when the worker fails under it. Every failure but the bot's own is
/// the judge's, so another try can only help.
const TRIES: u32 = 3;

/// Wall clock for a new worker's first reply.
const START_DEADLINE: Duration = Duration::from_secs(30);

/// Wall clock for compiling a module: an emergency stop far above the slowest honest module.
const COMPILE_DEADLINE: Duration = Duration::from_secs(30);

/// Wall clock for a match on top of its budget: as much again for slow machines and thoughtful
/// opponents.
const MATCH_GRACE: Duration = Duration::from_secs(30);

/// How many times slower than one judge-millisecond a millisecond of wall clock may be.
const SLOWNESS: u64 = 20;

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
}

impl Pool {
    /// Plays all jobs and hands each result to `finished` as it comes in, in any order. Jobs with
    /// the same modules should stand together: a worker is kept while its modules fit. A job for
    /// which `needless` holds when its turn comes is passed over.
    ///
    /// # Errors
    /// When a match cannot begin at all: a mistake in the testcase. Its worker stops there.
    pub fn run(
        &self,
        modules: &[&[u8]],
        jobs: &[Job],
        needless: &(dyn Fn(usize) -> bool + Sync),
        finished: &mut dyn FnMut(Finished),
    ) -> Result<(), SetupError> {
        let queue = Mutex::new(0..jobs.len());
        let (sender, results) = channel();
        std::thread::scope(|scope| {
            for _ in 0..self.workers.clamp(1, jobs.len().max(1)) {
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
    /// When the match cannot begin at all.
    pub fn play(&self, modules: &[&[u8]], job: &Job) -> Result<Played, SetupError> {
        self.station(modules).play(job)
    }

    /// A place for one worker process, which is started when it is needed.
    pub(crate) fn station<'a>(&'a self, modules: &'a [&'a [u8]]) -> Station<'a> {
        Station { pool: self, modules, seated: None, hopeless: None }
    }

    /// Wall clock for one match: far above what its budget needs, even when there are more
    /// workers than processors.
    fn deadline(&self, spec: &MatchSpec) -> Duration {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let crowding = self.workers.div_ceil(processors).max(1) as u64;
        let bots = spec.seats.iter().filter(|seat| seat.is_bot()).count() as u64;
        let budget = Duration::from_millis(spec.limits.fuel / judge_core::FUEL_PER_MS);
        let factor = u32::try_from(SLOWNESS * bots * crowding).unwrap_or(u32::MAX);
        MATCH_GRACE + budget.saturating_mul(factor)
    }
}

/// A place for one worker process at a time, with the modules that it has compiled.
pub(crate) struct Station<'a> {
    pool: &'a Pool,
    modules: &'a [&'a [u8]],
    seated: Option<([Option<usize>; 2], Supervisor)>,
    /// Modules with which no worker could be started, and why: not tried again.
    hopeless: Option<([Option<usize>; 2], String)>,
}

impl Station<'_> {
    /// Takes jobs off the queue until it is empty.
    fn work(
        &mut self,
        jobs: &[Job],
        queue: &Mutex<std::ops::Range<usize>>,
        needless: &dyn Fn(usize) -> bool,
        results: &Sender<Result<Finished, SetupError>>,
    ) {
        loop {
            let next = queue.lock().map_or(None, |mut rest| rest.next());
            let Some(job) = next else { return };
            let played = if needless(job) { Ok(None) } else { self.play(&jobs[job]).map(Some) };
            let failed = played.is_err();
            let result = played.map(|played| Finished { job, played });
            if results.send(result).is_err() || failed {
                return;
            }
        }
    }

    /// Plays a match, on a new worker if the present one has other modules.
    ///
    /// # Errors
    /// When the match cannot begin at all, or a person takes part.
    pub(crate) fn play(&mut self, job: &Job) -> Result<Played, SetupError> {
        if let Some(seat) = job.spec.human() {
            return Err(SetupError::Human { seat });
        }
        let mut start_up = Duration::ZERO;
        let reply = self.reply(job, &[], &mut start_up);
        let fingerprint = self.pool.fingerprint.clone();
        let record = judge_referee::record(&job.spec, fingerprint, &reply.transcript)?;
        Ok(Played { record, timing: reply.timing, start_up })
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
            self.hopeless = Some((job.modules, error.to_string()));
        }
        played.unwrap_or_else(|error| PlayReply {
            transcript: failure(&job.spec, &error),
            timing: PlayTiming::default(),
        })
    }

    fn try_play(
        &mut self,
        job: &Job,
        script: &[String],
        start_up: &mut Duration,
    ) -> Result<PlayReply, WorkerError> {
        if let Some((modules, reason)) = &self.hopeless
            && *modules == job.modules
        {
            return Err(WorkerError::Failed(reason.clone()));
        }
        if self.seated.as_ref().is_none_or(|(modules, _)| *modules != job.modules) {
            let begin = Instant::now();
            self.seated = None;
            let worker = self.start(job);
            *start_up += begin.elapsed();
            self.seated = Some((job.modules, worker?));
        }
        let Some((_, worker)) = &mut self.seated else {
            return Err(WorkerError::Failed("no worker".to_owned()));
        };
        worker.play(&job.spec, slots(job.modules), script, self.pool.deadline(&job.spec))
    }

    fn start(&self, job: &Job) -> Result<Supervisor, WorkerError> {
        let mut worker = Supervisor::start(&self.pool.command)?;
        self.pool.isolation.check(&worker.walls(START_DEADLINE)?)?;
        for module in job.modules.into_iter().flatten() {
            worker.load(self.modules[module], COMPILE_DEADLINE)?;
        }
        Ok(worker)
    }
}

/// The worker's numbers of the modules: they are loaded in the order of the seats.
fn slots(modules: [Option<usize>; 2]) -> [Option<u32>; 2] {
    [modules[0].map(|_| 0), modules[1].map(|_| u32::from(modules[0].is_some()))]
}

/// A transcript in which nobody said anything because of `error`.
fn failure(spec: &MatchSpec, error: &WorkerError) -> Transcript {
    let bot = Seat::BOTH.into_iter().find(|seat| spec.seat(*seat).is_bot());
    let fault = match error {
        WorkerError::Refused(reason) => {
            Fault { seat: bot, verdict: Verdict::InvalidModule, detail: reason.clone(), call: None }
        }
        _ => Fault::judge(error.to_string()),
    };
    Transcript { fault: Some(fault), ..Transcript::default() }
}
