//! Plays a round again and again, each time in another way from some question on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use judge_core::{Branch, RoundRecord};

use crate::pool::{ArenaError, Job, Pool};

impl Pool {
    /// Plays the job's round once for each branch, and passes each record with the index of its
    /// branch to `listen`, in any order. The rounds are never stored, because they are not the
    /// rounds of their specification.
    ///
    /// # Errors
    /// When the round cannot begin at all, the run was stopped, or `listen` fails.
    pub fn run_branches(
        &self,
        modules: &[&[u8]],
        job: &Job,
        branches: &[Branch],
        listen: &mut dyn FnMut(usize, RoundRecord) -> Result<(), ArenaError>,
    ) -> Result<(), ArenaError> {
        let workers = self.workers.clamp(1, branches.len().max(1));
        let next = AtomicUsize::new(0);
        let (sender, results) = sync_channel(2 * workers);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (next, sender) = (&next, sender.clone());
                let mut station = self.station(modules);
                scope.spawn(move || {
                    while let Some((at, branch)) = take(next, branches) {
                        let played = station.play_branch(job, branch);
                        // After an error the receiver is gone.
                        if sender.send(played.map(|record| (at, record))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            // Leaving this block drops the receiver, so that the stations end after their round.
            let results = results;
            for result in results {
                let (at, record) = result?;
                listen(at, record)?;
            }
            Ok(())
        })
    }
}

/// The next branch to play.
fn take<'a>(next: &AtomicUsize, branches: &'a [Branch]) -> Option<(usize, &'a Branch)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    branches.get(at).map(|branch| (at, branch))
}
