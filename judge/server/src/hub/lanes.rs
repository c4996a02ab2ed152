//! The lanes that grade, as others see them.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use judge_arena::Stop;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// Milliseconds for which a grading keeps its lane before it can make way for another account.
const TURN_MS: u64 = 5000;

/// The lanes as others see them.
#[derive(Debug)]
pub struct Lanes {
    count: usize,
    turn_ms: AtomicU64,
    playing: AtomicUsize,
    work: Notify,
    stop: Stop,
    /// Isolation measures that were missing when a bot was played last.
    missing: Mutex<Vec<String>>,
    /// True if workers have no control groups.
    ungrouped: AtomicBool,
}

impl Lanes {
    /// Lanes that have not begun.
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

    /// Time for which a grading keeps its lane before it can make way for another account.
    pub fn turn(&self) -> Duration {
        Duration::from_millis(self.turn_ms.load(Ordering::Relaxed))
    }

    /// Changes the length of a turn to this number of milliseconds.
    pub fn set_turn_ms(&self, ms: u64) {
        self.turn_ms.store(ms, Ordering::Relaxed);
    }

    /// Number of lanes that grade something.
    pub fn playing(&self) -> usize {
        self.playing.load(Ordering::Relaxed)
    }

    /// Isolation measures that were missing when a bot was played last.
    pub fn missing_isolation(&self) -> Vec<String> {
        self.missing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// True if workers have no control groups, so that only per-process limits hold.
    pub fn is_ungrouped(&self) -> bool {
        self.ungrouped.load(Ordering::Relaxed)
    }

    /// Notes that workers have no control groups.
    pub fn note_ungrouped(&self) {
        self.ungrouped.store(true, Ordering::Relaxed);
    }

    /// Reports new work for the lanes.
    pub fn wake(&self) {
        self.work.notify_waiters();
    }

    /// Ends all lanes: rounds under way are played to their ends and count for nothing, and jobs
    /// are handed back.
    pub fn stop(&self) {
        self.stop.now();
        self.work.notify_waiters();
    }

    /// Notes the isolation measures that were missing.
    pub fn note_isolation(&self, missing: Vec<String>) {
        *self.missing.lock().unwrap_or_else(PoisonError::into_inner) = missing;
    }

    /// True if the lanes are to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }

    /// A switch that ends the rounds under way when the lanes are stopped.
    pub fn stop_switch(&self) -> Stop {
        self.stop.clone()
    }

    /// Done when there is something to grade, told from now on.
    pub fn woken(&self) -> Notified<'_> {
        self.work.notified()
    }

    /// Notes that a lane begins to grade.
    pub fn begin(&self) {
        self.playing.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that it ends.
    pub fn end(&self) {
        self.playing.fetch_sub(1, Ordering::Relaxed);
    }
}
