//! Plays a list of matches on the workers of a pool, in any order, and reports each.

use std::sync::mpsc::sync_channel;

use crate::pool::{ArenaError, Finished, Job, JobStep, PlayedRound, Pool, Queue, RemoteRun};
use crate::station::Station;

impl Pool {
    /// Plays all jobs and hands each result to `finished`: [`Pool::run_telling`] without the rest.
    ///
    /// # Errors
    /// When a match cannot begin at all, the journal fails, or the run was stopped.
    pub fn run(
        &self,
        modules: &[&[u8]],
        jobs: &[Job],
        needless: &(dyn Fn(usize) -> bool + Sync),
        finished: &mut dyn FnMut(Finished),
    ) -> Result<(), ArenaError> {
        self.run_telling(modules, jobs, needless, &mut |step| {
            if let JobStep::Finished(done) = step {
                finished(done);
            }
            Ok(Vec::new())
        })
    }

    /// Plays all jobs and calls `listen` for each at its start and end, in any order. Jobs with the
    /// same modules should be adjacent: a worker is kept while its modules fit. A job for which
    /// `needless` holds at its turn is skipped, and does not start.
    ///
    /// Jobs that `listen` asks for when one is finished are played before the rest, with the numbers
    /// after those of all others. They are never needless.
    ///
    /// # Errors
    /// When a match cannot begin at all, the journal fails, the run was stopped, or `listen` fails:
    /// then nothing new begins.
    pub fn run_telling(
        &self,
        modules: &[&[u8]],
        jobs: &[Job],
        needless: &(dyn Fn(usize) -> bool + Sync),
        listen: &mut dyn FnMut(JobStep) -> Result<Vec<Job>, ArenaError>,
    ) -> Result<(), ArenaError> {
        let workers = self.workers.clamp(1, jobs.len().max(1));
        let queue = Queue::new(jobs, workers);
        let away = self.hand_out(modules, jobs)?;
        let away = away.as_deref();
        // The listener may be slow: records do not pile up.
        let (sender, results) = sync_channel(2 * workers);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (queue, sender) = (&queue, sender.clone());
                let mut station = self.station(modules).with(away);
                scope.spawn(move || station.work(queue, needless, &sender));
            }
            drop(sender);
            let mut outcome = Ok(());
            // Matches in progress after an error end, and are not reported.
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
    /// When the match cannot begin at all, or the journal fails.
    pub fn play(&self, modules: &[&[u8]], job: &Job) -> Result<PlayedRound, ArenaError> {
        let away = self.hand_out(modules, std::slice::from_ref(job))?;
        self.station(modules).with(away.as_deref()).play(job)
    }

    /// Hands the rounds that are not kept to other machines, if there are any.
    pub(crate) fn hand_out<'a>(
        &'a self,
        modules: &'a [&'a [u8]],
        jobs: &[Job],
    ) -> Result<Option<Box<dyn RemoteRun + 'a>>, ArenaError> {
        let Some(elsewhere) = self.elsewhere.as_ref().filter(|_| !self.journal_only) else {
            return Ok(None);
        };
        let mut missing = Vec::new();
        for Job { spec, .. } in jobs {
            let kept = match &self.journal {
                Some(journal) => journal.find(spec)?.is_some(),
                None => false,
            };
            if !kept {
                missing.push(spec.clone());
            }
        }
        elsewhere.hand_out(self, missing, modules).map(Some)
    }

    /// A place for one worker process, which is started when it is needed.
    pub(crate) fn station<'a>(&'a self, modules: &'a [&'a [u8]]) -> Station<'a> {
        Station::new(self, modules)
    }
}

/// Reports a step, and handles the reply.
fn hear(
    step: JobStep,
    queue: &Queue<'_>,
    listen: &mut dyn FnMut(JobStep) -> Result<Vec<Job>, ArenaError>,
) -> Result<(), ArenaError> {
    let is_finished = matches!(step, JobStep::Finished(_));
    let more = listen(step)?;
    if is_finished {
        queue.settle(more);
    }
    Ok(())
}
