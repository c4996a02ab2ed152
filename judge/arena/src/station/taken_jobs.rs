//! The jobs that a station takes from the queue at once: several rounds between the same two bots
//! are played at the same time, if they are short.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use judge_core::{BySeat, RoundSpec};
use judge_referee::RoundOutline;
use judge_sandbox::SLOTS;

use super::batch::{BatchResult, play_batch};
use super::blame::FailedAttempt;
use super::processes::Needs;
use super::{Station, believable, record};
use crate::pool::{ArenaError, Job, PlayedRound, Queue};

/// Memory of all bots in a worker, in bytes, above which fewer rounds are played at a time.
const MEMORY_BYTES: u64 = 256 << 20;

/// Time of a batch below which the next one has more rounds, and above which it has fewer: a run
/// must be able to report and to stop.
const SHORT: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_millis(500);

/// A job from the queue.
pub(super) struct TakenJob<'a> {
    pub(super) number: usize,
    pub(super) job: Cow<'a, Job>,
    /// True if it was in the queue from the start.
    pub(super) is_known: bool,
    pub(super) is_needless: bool,
}

/// Number of rounds that are played at the same time.
#[derive(Debug)]
pub(super) struct BatchSize {
    rounds: usize,
    /// Workers that failed in a batch: their bots play one round at a time.
    excluded: Option<Needs>,
}

impl Default for BatchSize {
    fn default() -> BatchSize {
        BatchSize { rounds: 1, excluded: None }
    }
}

impl BatchSize {
    /// The most rounds of such a job at a time.
    fn most(&self, job: &Job) -> usize {
        let memory = MEMORY_BYTES / job.spec.limits.memory_bytes.max(1);
        let slots = usize::try_from(memory).unwrap_or(usize::MAX).min(usize::from(SLOTS));
        self.rounds.min(slots).max(1)
    }

    fn took(&mut self, time: Duration) {
        if time < SHORT {
            self.rounds = (self.rounds * 2).min(usize::from(SLOTS));
        } else if time > LONG {
            self.rounds = (self.rounds / 2).max(1);
        }
    }
}

impl<'a> Station<'a> {
    /// Takes more jobs from the queue, if they can be played together with the first.
    pub(super) fn take_jobs<'q>(
        &self,
        queue: &Queue<'q>,
        first: (usize, Cow<'q, Job>),
        needless: &dyn Fn(usize) -> bool,
    ) -> VecDeque<TakenJob<'q>> {
        let (needs, limits) = (Needs::new(&first.1), first.1.spec.limits);
        let fits = |job: &Job| Needs::new(job) == needs && job.spec.limits == limits;
        let more = queue.more(self.at_a_time(&first.1) - 1, &fits);
        let taken = std::iter::once(first).chain(more).map(|(number, job)| {
            let is_known = number < queue.known();
            let is_needless = is_known && needless(number);
            TakenJob { number, job, is_known, is_needless }
        });
        taken.collect()
    }

    /// Number of rounds like that of the job to play together, at least 1.
    pub(crate) fn at_a_time(&self, job: &Job) -> usize {
        if self.may_be_batched(job) { self.batch.most(job) } else { 1 }
    }

    /// True if rounds of this job may be played together: between two bots, in worker processes of
    /// this machine, and with nothing to charge to a submission.
    fn may_be_batched(&self, job: &Job) -> bool {
        let two_bots = job.modules.iter().all(Option::is_some);
        let here = self.away.is_none() && !self.run.is_stored_only();
        let fit = self.batch.excluded.as_ref() != Some(&Needs::new(job));
        two_bots && here && fit && !self.run.has_accounts() && job.spec.human().is_none()
    }

    /// Plays the jobs together, if that is possible, in place of [`Station::play`]. A job has no
    /// result if its round is stored already, or would differ from one played line by line.
    ///
    /// # Errors
    /// When the journal fails.
    pub(crate) fn play_batch(
        &mut self,
        jobs: &[&Job],
    ) -> Result<Vec<Option<PlayedRound>>, ArenaError> {
        let mut played: Vec<Option<PlayedRound>> = jobs.iter().map(|_| None).collect();
        let mut open = Vec::new();
        for (at, job) in jobs.iter().enumerate() {
            if self.may_be_batched(job) && !self.is_stored(&job.spec)? {
                open.push(at);
            }
        }
        let Some(first) = open.first() else { return Ok(played) };
        let (begin, needs) = (Instant::now(), Needs::new(jobs[*first]));
        let (mut start_up, chosen) = (Duration::ZERO, open.iter().map(|at| jobs[*at]));
        let Ok(replies) = self.play_batch_with(&chosen.collect::<Vec<_>>(), &mut start_up) else {
            // Played line by line, the rounds show the cause.
            self.processes = None;
            self.batch.excluded = Some(needs);
            return Ok(played);
        };
        self.batch.took(begin.elapsed().saturating_sub(start_up));
        for (at, reply) in std::iter::zip(open, replies) {
            let Some(reply) = reply else { continue };
            let made = record(self.run, &jobs[at].spec, &reply.transcript);
            if believable(&made).is_err() {
                continue;
            }
            let record = made?;
            let outline = RoundOutline::new(&record);
            self.keep(&record, &outline, &reply.transcript, false)?;
            let start_up = std::mem::take(&mut start_up);
            played[at] = Some(PlayedRound { record, outline, timing: reply.timing, start_up });
        }
        Ok(played)
    }

    fn is_stored(&self, spec: &RoundSpec) -> Result<bool, ArenaError> {
        let Some(stored) = self.run.rounds() else { return Ok(false) };
        Ok(self.run.believed(spec)?.is_some() || stored.find(spec)?.is_some())
    }

    fn play_batch_with(&mut self, jobs: &[&Job], start_up: &mut Duration) -> BatchResult {
        let none = || FailedAttempt::of_no_worker();
        let first = jobs.first().ok_or_else(none)?;
        let (deadline, stop) = (self.run.pool().deadline(&first.spec), self.run.stop());
        let processes = self.ready(first, deadline, start_up)?;
        let placed: Option<Vec<_>> = jobs
            .iter()
            .map(|job| {
                let places = BySeat::from_fn(|seat| processes.place(job, seat));
                let [one, two] = places.into_array();
                Some((*job, BySeat::from([one?, two?])))
            })
            .collect();
        let (placed, workers) = (placed.ok_or_else(none)?, processes.pair().ok_or_else(none)?);
        let played = play_batch(workers, &placed, deadline, stop)?;
        processes.fresh = false;
        Ok(played)
    }
}
