//! The worker processes of a station: one for each bot in the round, or a single one without a bot.

use std::time::{Duration, Instant};

use judge_core::{Digest, Seat, SeatSpec};
use judge_sandbox::worker::{Supervisor, WorkerError};

use super::blame::FailedAttempt;
use crate::bounds::Account;
use crate::pool::{COMPILE_DEADLINE, Job, Pool, Run, START_DEADLINE};

/// Processor time after which a new worker replaces the old one before the next round.
const LIFE: Duration = Duration::from_secs(3600);

/// Needs of a round, independent of seats: swapping the seats of a pair needs no new workers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Needs {
    /// Indexes of the modules; a bot that plays against itself is listed twice.
    modules: Vec<usize>,
    tables: Vec<Digest>,
}

impl Needs {
    pub(super) fn new(job: &Job) -> Needs {
        let mut modules: Vec<usize> = job.modules.into_iter().flatten().collect();
        modules.sort_unstable();
        let mut tables: Vec<Digest> = job.spec.seats.iter().filter_map(SeatSpec::table).collect();
        tables.sort_unstable();
        tables.dedup();
        Needs { modules, tables }
    }
}

/// Running workers.
pub(super) struct Processes {
    needs: Needs,
    /// In the order of the modules; a single one if there are no modules.
    workers: Vec<Supervisor>,
    begin: Instant,
    /// Processor time that the system allows each of them.
    life: Duration,
    /// True before their first round.
    pub(super) fresh: bool,
}

impl Processes {
    /// Starts the workers for a round, each with its module.
    pub(super) fn start(
        run: &Run,
        modules: &[&[u8]],
        job: &Job,
        deadline: Duration,
    ) -> Result<Processes, FailedAttempt> {
        let needs = Needs::new(job);
        let life = LIFE.saturating_add(deadline.saturating_mul(2));
        let mut workers = Vec::new();
        for module in &needs.modules {
            let account = run.account(*module);
            let seat = seat_of(job, *module);
            workers.push(bot_worker(run.pool(), modules[*module], life, account, seat)?);
        }
        if workers.is_empty() {
            let worker = run
                .pool()
                .start(life, None)
                .map_err(|error| FailedAttempt::unblamed(error, false))?;
            workers.push(worker);
        }
        let mut processes = Processes { needs, workers, begin: Instant::now(), life, fresh: true };
        processes.hand_out_tables(run).map_err(|error| FailedAttempt::unblamed(error, false))?;
        Ok(processes)
    }

    fn hand_out_tables(&mut self, run: &Run) -> Result<(), WorkerError> {
        for worker in &mut self.workers {
            for sha256 in &self.needs.tables {
                let table = run.tables().bytes(sha256).unwrap_or_default();
                worker.table(table, START_DEADLINE)?;
            }
        }
        Ok(())
    }

    /// True if they can play such a round within the deadline.
    pub(super) fn fits(&self, job: &Job, deadline: Duration) -> bool {
        let left = self.life.saturating_sub(self.begin.elapsed());
        self.needs == Needs::new(job) && left >= deadline
    }

    /// The worker of the bot in that seat, or the only one.
    pub(super) fn worker(&mut self, job: &Job, seat: Seat) -> Option<&mut Supervisor> {
        let at = self.place(job, seat)?;
        self.workers.get_mut(at)
    }

    /// The workers of the bots in the round, by seat.
    pub(super) fn bots(&mut self, job: &Job) -> [Option<&mut Supervisor>; 2] {
        let places = Seat::BOTH.map(|seat| {
            job.modules[seat]?;
            self.place(job, seat)
        });
        let mut found = [None, None];
        for (at, worker) in self.workers.iter_mut().enumerate() {
            if let Some(seat) = places.iter().position(|place| *place == Some(at)) {
                found[seat] = Some(worker);
            }
        }
        found
    }

    /// The two workers of rounds between two bots.
    pub(super) fn pair(&mut self) -> Option<&mut [Supervisor; 2]> {
        self.workers.as_mut_slice().try_into().ok()
    }

    /// The position of the worker of the bot in that seat, or of the only one.
    pub(super) fn place(&self, job: &Job, seat: Seat) -> Option<usize> {
        let Some(module) = job.modules[seat] else { return Some(0) };
        let first = self.needs.modules.iter().position(|one| *one == module)?;
        // A bot that plays against itself has the first worker in seat 1 and the second in seat 2.
        let itself = job.modules == [Some(module); 2].into() && seat == Seat::Two;
        Some(first + usize::from(itself))
    }
}

/// Starts a worker with that module.
fn bot_worker(
    pool: &Pool,
    module: &[u8],
    life: Duration,
    account: Option<&Account>,
    seat: Option<Seat>,
) -> Result<Supervisor, FailedAttempt> {
    let before = |error| FailedAttempt { error, seat, in_play: false, alone: false };
    let code = pool.compiler().machine_code(pool, module, account).map_err(before)?;
    let mut worker = pool.start(life, account).map_err(before)?;
    // From here on the process belongs to that module only.
    let loaded = worker.load(&code, COMPILE_DEADLINE);
    loaded.map_err(|error| FailedAttempt { error, seat, in_play: true, alone: true })?;
    Ok(worker)
}

fn seat_of(job: &Job, module: usize) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|seat| job.modules[*seat] == Some(module))
}

/// The first seat with a bot.
pub(super) fn first_bot(job: &Job) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|seat| job.modules[*seat].is_some())
}
