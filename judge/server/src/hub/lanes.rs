//! Shared state of the lanes.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use judge_arena::Stop;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// Milliseconds for which a grading keeps its lane before it can give way to another account.
const TURN_MS: u64 = 5000;

/// Shared state of the lanes.
#[derive(Debug)]
pub struct Lanes {
    count: usize,
    turn_ms: AtomicU64,
    playing: AtomicUsize,
    work: Notify,
    stop: Stop,
    /// Isolation measures that were missing when a bot was last played.
    missing: Mutex<Vec<String>>,
    /// True if workers have no control groups.
    ungrouped: AtomicBool,
}

impl Lanes {
    /// Creates the state of lanes that have not started.
    pub fn new(count: usize) -> Lanes {
        let (playing, work, stop) = (AtomicUsize::new(0), Notify::new(), Stop::default());
        let ungrouped = AtomicBool::new(false);
        let turn_ms = AtomicU64::new(TURN_MS);
        Lanes { count, turn_ms, playing, work, stop, missing: Mutex::default(), ungrouped }
    }

    /// Number of lanes.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Time for which a grading keeps its lane before it can give way to another account.
    pub fn turn(&self) -> Duration {
        Duration::from_millis(self.turn_ms.load(Ordering::Relaxed))
    }

    /// Changes the length of a turn to this number of milliseconds.
    pub fn set_turn_ms(&self, ms: u64) {
        self.turn_ms.store(ms, Ordering::Relaxed);
    }

    /// Number of lanes that are grading.
    pub fn playing(&self) -> usize {
        self.playing.load(Ordering::Relaxed)
    }

    /// Isolation measures that were missing when a bot was last played.
    pub fn missing_isolation(&self) -> Vec<String> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// True if workers have no control groups, so that only per-process limits hold.
    pub fn is_ungrouped(&self) -> bool {
        self.ungrouped.load(Ordering::Relaxed)
    }

    /// Records that workers have no control groups.
    pub fn note_ungrouped(&self) {
        self.ungrouped.store(true, Ordering::Relaxed);
    }

    /// Wakes the lanes for new work.
    pub fn wake(&self) {
        self.work.notify_waiters();
    }

    /// Stops all lanes. Rounds under way are played to the end but do not count, and jobs are
    /// handed back.
    pub fn stop(&self) {
        self.stop.now();
        self.work.notify_waiters();
    }

    /// Records the missing isolation measures.
    pub fn note_isolation(&self, missing: Vec<String>) {
        *self.missing.lock().unwrap_or_else(PoisonError::into_inner) = missing;
    }

    /// True if the lanes should stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }

    /// A switch that ends the rounds under way when the lanes stop.
    pub fn stop_switch(&self) -> Stop {
        self.stop.clone()
    }

    /// Completes at the next call of [`Lanes::wake`].
    pub fn woken(&self) -> Notified<'_> {
        self.work.notified()
    }

    /// Records that a lane begins to grade.
    pub fn begin(&self) {
        self.playing.fetch_add(1, Ordering::Relaxed);
    }

    /// Records that a lane has finished grading.
    pub fn end(&self) {
        self.playing.fetch_sub(1, Ordering::Relaxed);
    }
}
