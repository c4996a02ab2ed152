//! Queue of the jobs of a run.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Job;

/// Jobs that have not started, and their workers. The run may add more: a worker that finds none
/// waits until every job is settled.
pub(crate) struct Queue<'a> {
    /// The initial jobs.
    jobs: &'a [Job],
    state: Mutex<QueueState>,
    /// Signals that there are more jobs, or none any more.
    changed: Condvar,
}

struct QueueState {
    rest: std::ops::Range<usize>,
    /// Added jobs; their numbers continue those of the initial ones.
    added: Vec<Job>,
    /// Numbers of jobs with priority: added ones, and those of a thread that could not start a
    /// worker.
    first: VecDeque<usize>,
    /// Jobs that are not settled.
    open: usize,
    /// Number of remaining stations.
    workers: usize,
}

impl<'a> Queue<'a> {
    /// A queue of these jobs for `workers` workers.
    pub(crate) fn new(jobs: &'a [Job], workers: usize) -> Queue<'a> {
        let (added, first) = (Vec::new(), VecDeque::new());
        let state = QueueState { rest: 0..jobs.len(), added, first, open: jobs.len(), workers };
        Queue { jobs, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Number of initial jobs.
    pub(crate) fn known(&self) -> usize {
        self.jobs.len()
    }

    /// The next job and its number. A worker that gets none leaves.
    pub(crate) fn next(&self) -> Option<(usize, Cow<'a, Job>)> {
        let mut state = self.state();
        loop {
            let next = state.first.pop_front();
            if let Some(number) = next.or_else(|| state.rest.next()) {
                return Some((number, self.job(&state, number)));
            }
            if state.open == 0 {
                state.workers -= 1;
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Up to `most` jobs more for the same worker, as long as `fits` holds for the next one. They
    /// are never more than its share of the remaining ones.
    pub(crate) fn more(
        &self,
        most: usize,
        fits: &dyn Fn(&Job) -> bool,
    ) -> Vec<(usize, Cow<'a, Job>)> {
        let mut state = self.state();
        let share =
            if state.first.is_empty() { state.rest.len() / state.workers.max(1) } else { 0 };
        let (first, rest) = (state.rest.start, state.rest.len().min(share).min(most));
        let taken = self.jobs[first..first + rest].iter().take_while(|job| fits(job)).count();
        state.rest.start += taken;
        (first..first + taken).map(|number| (number, Cow::Borrowed(&self.jobs[number]))).collect()
    }

    fn job(&self, state: &QueueState, number: usize) -> Cow<'a, Job> {
        match self.jobs.get(number) {
            Some(job) => Cow::Borrowed(job),
            None => Cow::Owned(state.added[number - self.jobs.len()].clone()),
        }
    }

    /// Returns jobs to the other workers and leaves, unless this is the last one.
    pub(crate) fn give_back(&self, numbers: impl IntoIterator<Item = usize>) -> bool {
        let mut state = self.state();
        if state.workers < 2 {
            return false;
        }
        state.first.extend(numbers);
        state.workers -= 1;
        self.changed.notify_all();
        true
    }

    /// Settles a job, and adds further ones.
    pub(crate) fn settle(&self, more: Vec<Job>) {
        let mut state = self.state();
        let number = self.jobs.len() + state.added.len();
        state.open = (state.open + more.len()).saturating_sub(1);
        state.first.extend(number..number + more.len());
        state.added.extend(more);
        self.changed.notify_all();
    }

    /// Prevents new starts.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        (state.rest, state.open) = (0..0, 0);
        state.first.clear();
        self.changed.notify_all();
    }

    /// No thread panics while it is locked.
    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes a queue when its thread panics, so that no thread waits for its job.
pub(crate) struct CloseOnPanic<'a>(pub(crate) &'a Queue<'a>);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{Limits, Options, RoundSpec, SeatSpec, Seed};

    use super::*;

    fn job(seed: u64) -> Job {
        let reference = || SeatSpec::Reference { name: "random".to_owned() };
        let spec = RoundSpec {
            game: "mahjong".to_owned(),
            options: Options::new(),
            seed: Seed(seed),
            seats: [reference(), reference()],
            limits: Limits::COURSE,
        };
        Job { spec, modules: judge_core::BySeat::default() }
    }

    fn numbers(queue: &Queue<'_>, times: usize) -> Vec<usize> {
        (0..times).map(|_| queue.next().expect("there is one").0).collect()
    }

    #[test]
    fn a_lane_without_a_worker_returns_its_job_and_ends() {
        let jobs = [1, 2, 3].map(job);
        let queue = Queue::new(&jobs, 2);
        assert_eq!(numbers(&queue, 2), [0, 1]);
        assert!(queue.give_back([1]), "another worker is left");
        assert_eq!(numbers(&queue, 2), [1, 2]);
        assert!(!queue.give_back([2]), "no other worker is left");
    }

    #[test]
    fn a_worker_takes_only_its_share_of_fitting_jobs() {
        let jobs = [1, 2, 3, 4, 9, 5, 6, 7].map(job);
        let queue = Queue::new(&jobs, 2);
        let more = |most| -> Vec<usize> {
            let small = |job: &Job| job.spec.seed.0 < 9;
            queue.more(most, &small).into_iter().map(|(number, _)| number).collect()
        };
        assert_eq!(numbers(&queue, 1), [0]);
        assert_eq!(more(1), [1]);
        assert_eq!(more(8), [2, 3], "half of six, and the job after them does not fit");
        assert_eq!(more(8), [0; 0]);
        assert_eq!(numbers(&queue, 2), [4, 5]);
        assert!(queue.give_back([5]));
        assert_eq!(more(8), [0; 0], "jobs with priority come first");
        assert_eq!(numbers(&queue, 2), [5, 6]);
        assert_eq!(more(8), [7], "the last worker takes the rest");
    }

    #[test]
    fn a_queue_ends_when_every_job_is_settled() {
        let jobs = [job(1)];
        let queue = Queue::new(&jobs, 1);
        assert_eq!(numbers(&queue, 1), [0]);
        queue.settle(vec![job(7), job(8)]);
        let (number, added) = queue.next().expect("it was added");
        assert_eq!((number, added.spec.seed), (1, Seed(7)));
        queue.settle(Vec::new());
        assert_eq!(numbers(&queue, 1), [2]);
        queue.settle(Vec::new());
        assert!(queue.next().is_none());
    }

    #[test]
    fn an_idle_lane_waits_for_later_jobs() {
        let jobs = [job(1)];
        let queue = Queue::new(&jobs, 2);
        assert_eq!(numbers(&queue, 1), [0]);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| queue.next().map(|(number, _)| number));
            queue.settle(vec![job(2)]);
            assert_eq!(waits.join().expect("no panic"), Some(1));
            let waits = scope.spawn(|| queue.next().is_none());
            queue.close();
            assert!(waits.join().expect("no panic"), "no job follows");
        });
    }

    #[test]
    fn a_panic_ends_waiting_lanes() {
        let jobs = [job(1)];
        let queue = Queue::new(&jobs, 2);
        assert_eq!(numbers(&queue, 1), [0]);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| queue.next().is_none());
            let panics = scope.spawn(|| {
                let _guard = CloseOnPanic(&queue);
                std::panic::resume_unwind(Box::new("on purpose"));
            });
            assert!(panics.join().is_err());
            assert!(waits.join().expect("no panic"));
        });
    }
}
