//! Plays a round again and again, each time with other answers in place of the players'.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use judge_core::{GivenAnswers, RoundRecord};

use crate::pool::{ArenaError, Job, Pool};

impl Pool {
    /// Plays the job's round once for each of the given answers, and passes each record with their
    /// index to `listen`, in any order. The rounds are never stored, because they are not the
    /// rounds of their specification.
    ///
    /// # Errors
    /// When the round cannot begin at all, the run was stopped, or `listen` fails.
    pub fn run_given(
        &self,
        modules: &[&[u8]],
        job: &Job,
        given: &[GivenAnswers],
        listen: &mut dyn FnMut(usize, RoundRecord) -> Result<(), ArenaError>,
    ) -> Result<(), ArenaError> {
        let workers = self.workers.clamp(1, given.len().max(1));
        let next = AtomicUsize::new(0);
        let (sender, results) = sync_channel(2 * workers);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (next, sender) = (&next, sender.clone());
                let mut station = self.station(modules);
                scope.spawn(move || {
                    while let Some((at, answers)) = take(next, given) {
                        let played = station.play_given(job, answers);
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

/// The next round to play.
fn take<'a>(next: &AtomicUsize, all: &'a [GivenAnswers]) -> Option<(usize, &'a GivenAnswers)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    all.get(at).map(|given| (at, given))
}
