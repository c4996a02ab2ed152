//! Notifications for open pages: the latest state of each grading, and changed scoreboards.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use judge_store::{SubmissionId, SuiteId};
use tokio::sync::{broadcast, watch};

use super::{Progress, Streams};

/// The state of gradings under way. A slow page misses intermediate states, but never the last one.
#[derive(Debug)]
pub struct Hub {
    gradings: Mutex<BTreeMap<SubmissionId, watch::Sender<Progress>>>,
    scoreboards: Mutex<BTreeMap<SuiteId, watch::Sender<u64>>>,
    results: broadcast::Sender<SubmissionId>,
    streams: Streams,
}

/// Number of results by which a slow follower can lag before it misses the oldest.
const RESULTS: usize = 1000;

impl Default for Hub {
    fn default() -> Hub {
        let (results, _) = broadcast::channel(RESULTS);
        let (gradings, scoreboards) = (Mutex::default(), Mutex::default());
        Hub { gradings, scoreboards, results, streams: Streams::default() }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    /// Follows a grading. A waiting one is silent until a lane starts it.
    pub fn follow(&self, submission: &SubmissionId) -> watch::Receiver<Progress> {
        let mut gradings = locked(&self.gradings);
        // Drops the entries of closed pages.
        gradings.retain(|_, sender| sender.receiver_count() > 0 || sender.borrow().total > 0);
        let new = || watch::Sender::new(Progress::default());
        gradings.entry(submission.clone()).or_insert_with(new).subscribe()
    }

    /// Reports the progress of a grading.
    pub fn publish(&self, submission: &SubmissionId, progress: Progress) {
        let mut gradings = locked(&self.gradings);
        let new = || watch::Sender::new(Progress::default());
        gradings.entry(submission.clone()).or_insert_with(new).send_replace(progress);
    }

    /// Reports the end of a grading. Pages then read the result from the store.
    pub fn finish(&self, submission: &SubmissionId, suite: &SuiteId) {
        if let Some(sender) = locked(&self.gradings).remove(submission) {
            sender.send_modify(|progress| progress.finished = true);
        }
        self.board_moved(suite);
        // Sending fails only without followers.
        let _ = self.results.send(submission.clone());
    }

    /// Follows the submissions with finished gradings.
    pub fn follow_results(&self) -> broadcast::Receiver<SubmissionId> {
        self.results.subscribe()
    }

    /// The open live pages of each person.
    pub fn streams(&self) -> &Streams {
        &self.streams
    }

    /// Follows a scoreboard. The value changes when the scoreboard does.
    pub fn follow_scoreboard(&self, suite: &SuiteId) -> watch::Receiver<u64> {
        let mut scoreboards = locked(&self.scoreboards);
        scoreboards.entry(suite.clone()).or_insert_with(|| watch::Sender::new(0)).subscribe()
    }

    /// Reports that a scoreboard changed.
    pub fn board_moved(&self, suite: &SuiteId) {
        if let Some(sender) = locked(&self.scoreboards).get(suite) {
            sender.send_modify(|version| *version += 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(letter: &str) -> SubmissionId {
        letter.repeat(16).parse().expect("an id")
    }

    #[test]
    fn followers_receive_the_last_state_of_a_grading() {
        let (hub, suite) = (Hub::default(), "s".repeat(16).parse().expect("an id"));
        let mut page = hub.follow(&id("a"));
        let scoreboard = hub.follow_scoreboard(&suite);
        let progress = Progress { done: 1, total: 2, ..Progress::default() };
        hub.publish(&id("a"), progress.clone());
        assert_eq!(*page.borrow_and_update(), progress);
        hub.finish(&id("a"), &suite);
        assert!(page.borrow_and_update().finished);
        assert!(scoreboard.has_changed().expect("it lives on"));
        assert!(page.has_changed().is_err(), "nothing more comes");
    }

    #[test]
    fn closed_pages_leave_no_state_in_the_hub() {
        let hub = Hub::default();
        drop(hub.follow(&id("a")));
        let _open = hub.follow(&id("b"));
        assert_eq!(locked(&hub.gradings).keys().collect::<Vec<_>>(), [&id("b")]);
    }
}
