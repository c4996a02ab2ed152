//! A grading in the background, and a comparison with the version before, while the file is still
//! watched.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use judge_arena::{Entrant, Run, Stop};
use judge_core::{Digest, Event, GradeReport};
use judge_grading::Suite;

use crate::Error;
use crate::grade::compare::{self, SeedRange};

/// A grading in progress.
pub(super) struct Grading {
    /// Number of the grading. The same bytes may be graded again before an earlier grading has
    /// ended.
    pub(super) number: u64,
    /// The module's hash.
    pub(super) sha256: Digest,
    /// True if a comparison follows.
    pub(super) compares: bool,
    /// True once the result is there.
    pub(super) is_graded: bool,
    stop: Stop,
}

/// The version to compare with, and the seeds to play.
pub(super) type Before = (Arc<Entrant>, SeedRange);

/// A message from a grading.
pub(super) enum Message {
    /// An event about its rounds or testcases.
    Event { number: u64, event: Box<Event> },
    /// The grading has ended.
    Done { number: u64, report: Result<GradeReport, Error> },
    /// The comparison with the version before has ended.
    Compared { number: u64, outcome: Result<Box<compare::Outcome>, Error> },
}

impl Message {
    /// Number of the sender.
    pub(super) fn number(&self) -> u64 {
        match self {
            Message::Event { number, .. }
            | Message::Done { number, .. }
            | Message::Compared { number, .. } => *number,
        }
    }
}

impl Grading {
    /// Starts a grading that reports everything through `messages`.
    pub(super) fn start(
        number: u64,
        run: &Run,
        suite: Arc<Suite>,
        submission: Arc<Entrant>,
        before: Option<Before>,
        messages: &Sender<Message>,
    ) -> Grading {
        let (sha256, stop) = (submission.bot.sha256, Stop::default());
        let compares = before.is_some();
        let grading = Grading { number, sha256, compares, is_graded: false, stop: stop.clone() };
        let run = run.clone().with_stop(stop);
        let messages = messages.clone();
        std::thread::spawn(move || {
            // The receiver is gone once the watch has ended.
            let send = |message| _ = messages.send(message);
            let mut tell = |event: &Event| {
                send(Message::Event { number, event: Box::new(event.clone()) });
                Ok(())
            };
            let own = std::slice::from_ref(&*submission);
            let report = caught(|| Ok(judge_arena::grade(&run, &suite, own, &mut tell)?));
            send(Message::Done { number, report });
            let Some((before, seeds)) = before else { return };
            let versions = [&*before, &submission];
            let outcome = caught(|| compare::between(versions, &suite, seeds, &run, &mut tell));
            send(Message::Compared { number, outcome: outcome.map(Box::new) });
        });
        grading
    }

    /// Stops the grading, because its result is not needed any more. A round in progress ends in
    /// the background.
    pub(super) fn stop(self) {
        self.stop.now();
    }
}

/// Turns a panic into an error. It is a bug in the judge, and its message is already printed.
fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let done = catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|_| Err(Error::Judge("this is a bug in judge".to_owned())))
}
