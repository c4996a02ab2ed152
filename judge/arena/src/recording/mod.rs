//! Plays numbered games and records every question, part by part: the content of a part depends
//! only on its games, not on the worker or the time.

mod queue;

use std::ops::{ControlFlow, Range};
use std::sync::mpsc::{Sender, channel};

use judge_core::{Fault, RecordedGame, RoundSpec, Seat, SeatSpec};
use judge_referee::{PlyObserver, SetupError};

use crate::pairs::Pairing;
use crate::pool::{ArenaError, Job, Run};
use crate::station::Station;
use queue::Queue;

/// Number of games sent to other machines at once, approximately: their specifications are in
/// memory.
const BLOCK: u64 = 1 << 16;

/// A played game in its stored form, or the judge's failure.
pub type Recorded = Result<RecordedGame, Fault>;

/// A receiver of recorded games. All workers call it at once.
pub trait Recorder: Sync {
    /// Called for each played game. `Break` ends the recording: no further game starts.
    fn played(&self, game: &Recorded) -> ControlFlow<()>;

    /// Called with all games of a part, in order. `Break` ends the recording as well.
    fn finished(&self, part: usize, games: Vec<Recorded>) -> ControlFlow<()>;
}

impl Pairing {
    /// The game of that number. Each has a different seed; the first player has seat 1 in even
    /// games and seat 2 in odd ones.
    fn game(&self, number: u64) -> Job {
        self.job(number, if number.is_multiple_of(2) { Seat::One } else { Seat::Two })
    }

    /// Plays the games of all parts, each a range of numbers. Two reference opponents play in this
    /// process; bots never do.
    ///
    /// # Errors
    /// When a game cannot begin at all, or other machines do not return it.
    pub fn record(
        &self,
        run: &Run,
        modules: &[&[u8]],
        parts: &[Range<u64>],
        recorder: &dyn Recorder,
    ) -> Result<(), ArenaError> {
        let mut first = 0;
        while first < parts.len() {
            let many = match run.pool().machines().is_some() && !self.is_of_references() {
                true => at_a_time(&parts[first..]),
                false => parts.len() - first,
            };
            let parts = &parts[first..first + many];
            if self.record_some(run, modules, (first, parts), recorder)?.is_break() {
                break;
            }
            first += many;
        }
        Ok(())
    }

    /// Records some of the parts; `first` is the number of the first one.
    fn record_some(
        &self,
        run: &Run,
        modules: &[&[u8]],
        (first, parts): (usize, &[Range<u64>]),
        recorder: &dyn Recorder,
    ) -> Result<ControlFlow<()>, ArenaError> {
        let games = parts.iter().cloned().flatten();
        let jobs: Vec<Job> = match run.pool().machines().is_some() && !self.is_of_references() {
            true => games.map(|game| self.game(game)).collect(),
            false => Vec::new(),
        };
        let away = if jobs.is_empty() { None } else { run.dispatch(modules, &jobs)? };
        let away = away.as_deref();
        let queue = Queue::new(parts);
        let (sender, results) = channel();
        std::thread::scope(|scope| {
            for _ in 0..run.pool().workers() {
                let (queue, sender) = (&queue, sender.clone());
                let station = run.station(modules).with(away);
                let mut table = RecordingWorker { pairing: self, first, station };
                scope.spawn(move || table.work(queue, recorder, &sender));
            }
            drop(sender);
            results.into_iter().collect::<Result<(), ArenaError>>()
        })?;
        Ok(if queue.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// True if both players are the judge's own code.
    fn is_of_references(&self) -> bool {
        self.players.iter().all(|seat| matches!(seat, SeatSpec::Reference { .. }))
    }
}

/// Number of parts sent to other machines at once.
fn at_a_time(parts: &[Range<u64>]) -> usize {
    let mut games = 0;
    let fits = |part: &&Range<u64>| {
        games += part.end.saturating_sub(part.start);
        games <= BLOCK
    };
    parts.iter().take_while(fits).count().max(1)
}

/// The station and queue of one worker.
struct RecordingWorker<'a> {
    pairing: &'a Pairing,
    /// Number of the first part in the queue.
    first: usize,
    /// Station for bots; it starts no process before one is needed.
    station: Station<'a>,
}

impl RecordingWorker<'_> {
    /// Plays games until none is left.
    fn work(
        &mut self,
        queue: &Queue<'_>,
        recorder: &dyn Recorder,
        results: &Sender<Result<(), ArenaError>>,
    ) {
        let _guard = StopOnPanic(queue);
        while let Some(place) = queue.next() {
            let game = match self.play(place.game) {
                Ok(game) => game,
                Err(error) => {
                    queue.stop();
                    // The receiver takes every result while it waits.
                    let _ = results.send(Err(error));
                    return;
                }
            };
            if recorder.played(&game).is_break() {
                queue.stop();
            }
            if let Some(games) = queue.put(place, game)
                && recorder.finished(self.first + place.part, games).is_break()
            {
                queue.stop();
            }
        }
    }

    fn play(&mut self, number: u64) -> Result<Recorded, ArenaError> {
        let job = self.pairing.game(number);
        let mut observer = PlyObserver::default();
        let conclusion = if self.pairing.is_of_references() {
            play_references(&job.spec, &mut observer)?
        } else {
            let transcript = self.station.transcript(&job)?;
            judge_referee::walk(&job.spec, &transcript, &mut observer)?
        };
        Ok(observer.into_game(number, &job.spec, conclusion))
    }
}

/// Ends the whole recording when an opponent panics, and not only one worker's part of it.
struct StopOnPanic<'a>(&'a Queue<'a>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// Plays a game between reference opponents, which are the judge's own code and need no isolation.
fn play_references(
    spec: &RoundSpec,
    observer: &mut PlyObserver,
) -> Result<judge_referee::Conclusion, SetupError> {
    let (game, mut state) = judge_referee::start(spec)?;
    let player = |seat| judge_referee::reference(game, spec.seat(seat).name(), seat, spec.seed);
    let (mut one, mut two) = (player(Seat::One)?, player(Seat::Two)?);
    Ok(judge_referee::play(game, state.as_mut(), [one.as_mut(), two.as_mut()], observer))
}

#[cfg(test)]
mod tests;
