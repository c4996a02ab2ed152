//! Plays rounds with given answers in place of the players'.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use judge_core::{GivenAnswers, RoundRecord};

use crate::pool::{ArenaError, Job, Run};

/// A round in which some answers or some luck are given.
#[derive(Debug, Clone)]
pub struct GivenRound<'a> {
    /// The round without them.
    pub job: &'a Job,
    /// The answers and the luck.
    pub given: GivenAnswers,
}

impl Run {
    /// Plays each round, and passes each record with the round's index to `listen`, in any order.
    /// The rounds are never stored, because they are not the rounds of their specification.
    ///
    /// # Errors
    /// When the round cannot begin at all, the run was stopped, or `listen` fails.
    pub fn play_given(
        &self,
        modules: &[&[u8]],
        rounds: &[GivenRound<'_>],
        listen: &mut dyn FnMut(usize, RoundRecord) -> Result<(), ArenaError>,
    ) -> Result<(), ArenaError> {
        let workers = self.pool().workers().clamp(1, rounds.len().max(1));
        let next = AtomicUsize::new(0);
        let (sender, results) = sync_channel(2 * workers);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                let (next, sender) = (&next, sender.clone());
                let mut station = self.station(modules);
                scope.spawn(move || {
                    while let Some((at, GivenRound { job, given })) = take(next, rounds) {
                        let played = station.play_given(job, given);
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
fn take<'a>(next: &AtomicUsize, all: &'a [GivenRound<'a>]) -> Option<(usize, &'a GivenRound<'a>)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    all.get(at).map(|round| (at, round))
}
