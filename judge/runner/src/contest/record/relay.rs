//! Progress of a recording, sent from the threads that play to the thread of the listener.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use judge_arena::{Recorded, Recorder, Stop};
use judge_core::{Event, Listener};

use crate::Error;

/// Plays with a recorder that passes everything to `recorder`, while this thread reports each game
/// to `events`. A failing listener ends the recording, and so does `stop`.
pub(super) fn with_progress(
    events: &mut dyn Listener,
    stop: &Stop,
    recorder: &dyn Recorder,
    play: impl FnOnce(&dyn Recorder) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let (sender, played) = channel();
    let undelivered = AtomicBool::new(false);
    let relay = Relay { recorder, sender, undelivered: &undelivered, stop };
    std::thread::scope(|scope| {
        // The relay is dropped after the games, which ends the receiver's loop.
        let playing = scope.spawn(move || play(&relay));
        let told = report_games(events, &played);
        undelivered.store(told.is_err(), Ordering::Relaxed);
        let result = playing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        told.and(result)
    })
}

/// Reports each game until the last one.
fn report_games(events: &mut dyn Listener, played: &Receiver<()>) -> Result<(), Error> {
    for (done, ()) in (1..).zip(played) {
        events.event(&Event::Progress { done, standing: None })?;
    }
    Ok(())
}

/// A recorder that also reports each game.
struct Relay<'a> {
    recorder: &'a dyn Recorder,
    sender: Sender<()>,
    undelivered: &'a AtomicBool,
    stop: &'a Stop,
}

impl Recorder for Relay<'_> {
    fn played(&self, game: &Recorded) -> ControlFlow<()> {
        // Without a receiver, the flag stops the games.
        let _ = self.sender.send(());
        if self.undelivered.load(Ordering::Relaxed) || self.stop.is_asked() {
            return ControlFlow::Break(());
        }
        self.recorder.played(game)
    }

    fn finished(&self, part: usize, games: Vec<Recorded>) -> ControlFlow<()> {
        self.recorder.finished(part, games)
    }
}
