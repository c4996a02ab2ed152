//! Kills a worker process at its deadline, or when its submission has used up its processor time,
//! and counts that time.

use std::process::Child;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::patience::{self, WaitState};

/// Time between two checks of a worker.
const TICK: Duration = Duration::from_millis(100);

/// Processor time of all workers of one submission, including compilation.
#[derive(Debug)]
pub struct Meter {
    used_ms: AtomicU64,
    limit: Duration,
}

impl Meter {
    /// Returns a meter at zero.
    pub fn new(limit: Duration) -> Meter {
        Meter { used_ms: AtomicU64::new(0), limit }
    }

    /// The time used so far. Without processor time from the system, this is the wall clock of
    /// waiting for workers.
    pub fn used(&self) -> Duration {
        Duration::from_millis(self.used_ms.load(Ordering::Relaxed))
    }

    /// True if the limit is exceeded.
    pub fn is_over(&self) -> bool {
        self.used() > self.limit
    }

    /// Adds processor time, in whole milliseconds.
    pub fn add(&self, time: Duration) {
        let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.used_ms.fetch_add(ms, Ordering::Relaxed);
    }
}

/// The reason why a worker was killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Killed {
    /// It used up its deadline in processor time.
    Deadline,
    /// The wall clock without a reply exceeded all patience.
    Late,
    /// Its submission has used up its processor time.
    Meter,
}

pub(super) struct Watched {
    child: Mutex<Child>,
    process: u32,
    meter: Option<Arc<Meter>>,
    state: Mutex<WatchState>,
    ended: Condvar,
}

#[derive(Default)]
struct WatchState {
    /// The awaited reply.
    wait: Option<Wait>,
    killed: Option<Killed>,
    ended: bool,
    /// After this, its process id may belong to another process.
    reaped: bool,
    /// Processor time already added to the meter.
    metered: Duration,
}

struct Wait {
    begin: Instant,
    deadline: Duration,
    /// Processor time of the process at the first check of this wait.
    used_before: Option<Duration>,
}

impl Watched {
    /// Processor time of the process so far, where the system reports it.
    pub(super) fn processor_time(&self) -> Option<Duration> {
        patience::processor_time(self.process)
    }

    /// Watches a process until [`Watched::end`].
    ///
    /// # Errors
    /// When no thread can be started. The process has ended then.
    pub(super) fn start(child: Child, meter: Option<Arc<Meter>>) -> std::io::Result<Arc<Watched>> {
        let process = child.id();
        let (child, state) = (Mutex::new(child), Mutex::default());
        let watched = Watched { child, process, meter, state, ended: Condvar::new() };
        let watched = Arc::new(watched);
        let own = Arc::clone(&watched);
        match std::thread::Builder::new().spawn(move || own.watch()) {
            Ok(_) => Ok(watched),
            Err(error) => {
                // The cause does not matter, because no thread was started.
                let _ = watched.end();
                Err(error)
            }
        }
    }

    /// Starts the deadline of a reply.
    pub(super) fn start_deadline(&self, deadline: Duration) {
        self.state().wait = Some(Wait { begin: Instant::now(), deadline, used_before: None });
    }

    /// Ends the deadline; returns why the process was killed, if it was.
    pub(super) fn received(&self) -> Option<Killed> {
        let mut state = self.state();
        state.wait = None;
        state.killed
    }

    /// True once the watchdog has killed the process.
    #[cfg(unix)]
    pub(super) fn is_killed(&self) -> bool {
        self.state().killed.is_some()
    }

    /// Waits up to `longest` for the process to end by itself.
    pub(super) fn wait_for_end(&self, longest: Duration) {
        let begin = Instant::now();
        // Before it is reaped: afterwards its time is unknown.
        self.measure(&mut self.state());
        while begin.elapsed() < longest {
            let mut state = self.state();
            if !matches!(self.child().try_wait(), Ok(None)) {
                state.reaped = true;
                return;
            }
            drop(state);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills the process. Does nothing if it has already ended.
    pub(super) fn kill(&self) {
        // If killing fails, the process has already ended.
        let _ = self.child().kill();
    }

    /// Ends the process and the watch; returns the exit status.
    pub(super) fn end(&self) -> std::io::Result<std::process::ExitStatus> {
        self.kill();
        let mut state = self.state();
        // Before it is reaped: afterwards its time is unknown.
        self.measure(&mut state);
        state.ended = true;
        self.ended.notify_one();
        drop(state);
        self.child().wait()
    }

    fn watch(&self) {
        let mut state = self.state();
        while !state.ended {
            let used = self.measure(&mut state);
            if let Some(reason) = self.verdict(&mut state, used) {
                state.killed.get_or_insert(reason);
                self.kill();
            }
            let waited = self.ended.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Adds the time since the last check to the meter; returns the time of the process, if known.
    fn measure(&self, state: &mut WatchState) -> Option<Duration> {
        if state.reaped {
            return Some(state.metered);
        }
        let used = self.processor_time();
        let Some(meter) = &self.meter else { return used };
        let waited = || state.wait.as_ref().map_or(Duration::ZERO, |_| TICK);
        let total = used.unwrap_or_else(|| state.metered + waited());
        meter.add(total.saturating_sub(state.metered));
        state.metered = state.metered.max(total);
        used
    }

    /// The reason to kill the process now, if there is one.
    fn verdict(&self, state: &mut WatchState, used: Option<Duration>) -> Option<Killed> {
        let wait = state.wait.as_mut()?;
        if self.meter.as_ref().is_some_and(|meter| meter.is_over()) {
            return Some(Killed::Meter);
        }
        let used = used.map(|used| used.saturating_sub(*wait.used_before.get_or_insert(used)));
        match patience::standing(wait.deadline, wait.begin.elapsed(), used) {
            WaitState::Within => None,
            WaitState::UsedUp => Some(Killed::Deadline),
            WaitState::Late => Some(Killed::Late),
        }
    }

    /// A thread that panicked has left a consistent state.
    fn state(&self) -> MutexGuard<'_, WatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
