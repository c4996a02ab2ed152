//! A grading in the background, so that the file is still watched meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use judge_arena::{Entrant, Pool, Stop};
use judge_core::{Digest, Event, GradeReport};
use judge_grading::Suite;

use crate::Error;

/// A grading that is under way.
pub(super) struct Grading {
    /// Number of the grading: the same bytes may come again before an earlier one has ended.
    pub(super) number: u64,
    /// The module's hash.
    pub(super) sha256: Digest,
    stop: Stop,
}

/// Message of a grading.
pub(super) enum Message {
    /// Something about its rounds and testcases.
    Event { number: u64, event: Box<Event> },
    /// It has come to its end.
    Done { number: u64, report: Result<GradeReport, Error> },
}

impl Message {
    /// Number of the grading that sent it.
    pub(super) fn number(&self) -> u64 {
        match self {
            Message::Event { number, .. } | Message::Done { number, .. } => *number,
        }
    }
}

impl Grading {
    /// Starts to grade; everything that happens comes through `messages`.
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
                // After the watch has ended there is no receiver; so below.
                let _ = messages.send(Message::Event { number, event: Box::new(event.clone()) });
                Ok(())
            };
            let graded = catch_unwind(AssertUnwindSafe(|| {
                Ok(judge_arena::grade(&pool, &suite, &[submission], &mut tell)?)
            }));
            // A panic is a bug in the judge. Its message is already out.
            let report =
                graded.unwrap_or_else(|_| Err(Error::Judge("this is a bug in judge".to_owned())));
            let _ = messages.send(Message::Done { number, report });
        });
        Grading { number, sha256, stop }
    }

    /// Ends it, because its result is no longer needed. A round in progress ends by itself, and
    /// delays nothing.
    pub(super) fn stop(self) {
        self.stop.now();
    }
}
