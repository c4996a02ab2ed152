//! A grading in the background, while the file is still watched.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use judge_arena::{Entrant, Pool, Stop};
use judge_core::{Digest, Event, GradeReport};
use judge_grading::Suite;

use crate::Error;

/// A grading in progress.
pub(super) struct Grading {
    /// Number of the grading. The same bytes may be graded again before an earlier grading has
    /// ended.
    pub(super) number: u64,
    /// The module's hash.
    pub(super) sha256: Digest,
    stop: Stop,
}

/// A message from a grading.
pub(super) enum Message {
    /// An event about its rounds or testcases.
    Event { number: u64, event: Box<Event> },
    /// The grading has ended.
    Done { number: u64, report: Result<GradeReport, Error> },
}

impl Message {
    /// Number of the sender.
    pub(super) fn number(&self) -> u64 {
        match self {
            Message::Event { number, .. } | Message::Done { number, .. } => *number,
        }
    }
}

impl Grading {
    /// Starts a grading that reports everything through `messages`.
    pub(super) fn start(
        number: u64,
        pool: &Pool,
        suite: Arc<Suite>,
        submission: Entrant,
        messages: &Sender<Message>,
    ) -> Grading {
        let (sha256, stop) = (submission.bot.sha256, Stop::default());
        let pool = Pool { stop: stop.clone(), ..pool.clone() };
        let messages = messages.clone();
        std::thread::spawn(move || {
            let mut tell = |event: &Event| {
                // After the end of the watch there is no receiver. The same holds below.
                let _ = messages.send(Message::Event { number, event: Box::new(event.clone()) });
                Ok(())
            };
            let graded = catch_unwind(AssertUnwindSafe(|| {
                Ok(judge_arena::grade(&pool, &suite, &[submission], &mut tell)?)
            }));
            // A panic is a bug in the judge. Its message is already printed.
            let report =
                graded.unwrap_or_else(|_| Err(Error::Judge("this is a bug in judge".to_owned())));
            let _ = messages.send(Message::Done { number, report });
        });
        Grading { number, sha256, stop }
    }

    /// Stops the grading, because its result is not needed any more. A round in progress ends in
    /// the background.
    pub(super) fn stop(self) {
        self.stop.now();
    }
}
