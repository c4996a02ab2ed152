//! Plays a list of rounds on the workers of a pool, in any order, and reports each.

use std::sync::mpsc::sync_channel;

use crate::pool::{ArenaError, Finished, Job, JobStep, PlayedRound, Queue, RemoteRun, Run};
use crate::station::Station;

impl Run {
    /// Plays all jobs and passes each result to `finished`; see [`Run::play_steps`].
    ///
    /// # Errors
    /// When a round cannot begin at all, the journal fails, or the run was stopped.
    pub fn play_all(
        &self,
        modules: &[&[u8]],
        jobs: &[Job],
        needless: &(dyn Fn(usize) -> bool + Sync),
        finished: &mut dyn FnMut(Finished),
    ) -> Result<(), ArenaError> {
        self.play_steps(modules, jobs, needless, &mut |step| {
            if let JobStep::Finished(done) = step {
                finished(done);
            }
            Ok(Vec::new())
        })
    }

    /// Plays all jobs and calls `listen` at the start and end of each, in any order. Jobs with the
    /// same modules should be adjacent, because a worker stays while its modules fit. A job is
    /// skipped if `needless` holds at its turn.
    ///
    /// Jobs that `listen` requests at the end of another one are played next. Their numbers follow
    /// those of all others. They are never skipped.
    ///
    /// # Errors
    /// When a round cannot begin at all, the journal fails, the run was stopped, or `listen` fails.
    /// No further round begins then.
    pub fn play_steps(
        &self,
        modules: &[&[u8]],
        jobs: &[Job],
        needless: &(dyn Fn(usize) -> bool + Sync),
        listen: &mut dyn FnMut(JobStep) -> Result<Vec<Job>, ArenaError>,
    ) -> Result<(), ArenaError> {
        let workers = self.pool().workers().clamp(1, jobs.len().max(1));
        let queue = Queue::new(jobs, workers);
        let away = self.dispatch(modules, jobs)?;
        let away = away.as_deref();
        // Bounded, because the listener may be slower than the workers.
        let (sender, results) = sync_channel(2 * workers);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (queue, sender) = (&queue, sender.clone());
                let mut station = self.station(modules).with(away);
                scope.spawn(move || station.work(queue, needless, &sender));
            }
            drop(sender);
            let mut outcome = Ok(());
            // After an error, current rounds end without a report.
            for result in results {
                if outcome.is_ok() {
                    outcome = result.and_then(|step| hear(step, &queue, listen));
                    if outcome.is_err() {
                        queue.close();
                    }
                }
            }
            outcome
        })
    }

    /// Plays a single round on a separate worker.
    ///
    /// # Errors
    /// When the round cannot begin at all, or the journal fails.
    pub fn play(&self, modules: &[&[u8]], job: &Job) -> Result<PlayedRound, ArenaError> {
        let away = self.dispatch(modules, std::slice::from_ref(job))?;
        self.station(modules).with(away.as_deref()).play(job)
    }

    /// Dispatches the rounds that are not stored to other machines, if there are any.
    pub(crate) fn dispatch<'a>(
        &'a self,
        modules: &'a [&'a [u8]],
        jobs: &[Job],
    ) -> Result<Option<Box<dyn RemoteRun + 'a>>, ArenaError> {
        let Some(elsewhere) = self.pool().machines().filter(|_| !self.is_stored_only()) else {
            return Ok(None);
        };
        let mut missing = Vec::new();
        for Job { spec, .. } in jobs {
            let kept = match self.rounds() {
                Some(stored) => stored.find(spec)?.is_some(),
                None => false,
            };
            if !kept {
                missing.push(spec.clone());
            }
        }
        elsewhere.dispatch(self, missing, modules).map(Some)
    }

    /// A station for one worker process, which starts when it is needed.
    pub(crate) fn station<'a>(&'a self, modules: &'a [&'a [u8]]) -> Station<'a> {
        Station::new(self, modules)
    }
}

/// Reports a step, and handles the listener's reply.
fn hear(
    step: JobStep,
    queue: &Queue<'_>,
    listen: &mut dyn FnMut(JobStep) -> Result<Vec<Job>, ArenaError>,
) -> Result<(), ArenaError> {
    let is_finished = matches!(step, JobStep::Finished(_) | JobStep::Believed(_));
    let more = listen(step)?;
    if is_finished {
        queue.settle(more);
    }
    Ok(())
}
