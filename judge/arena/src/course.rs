//! Grades a course: any number of submissions, each on a separate worker, with memory that does not
//! grow with their number.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use judge_core::{Digest, Event, GradeReport};
use judge_grading::Suite;

use crate::grade::{Entrant, grade};
use crate::pool::{ArenaError, Run};

/// Events of a course, in the order in which they occur.
#[derive(Debug)]
pub enum CourseEvent {
    /// An event about rounds and testcases of a current submission.
    Event(Event),
    /// A submission is complete.
    Graded {
        /// Its number.
        number: usize,
        /// Its result.
        report: Box<GradeReport>,
    },
}

/// Grades `count` submissions. Each is loaded at its turn and dropped after its report. There are
/// as many at a time as workers, and a slow one delays no other.
///
/// # Errors
/// When a testcase cannot be played at all, or the journal fails. Current rounds end first.
pub fn course(
    run: &Run,
    suite: &Suite,
    count: usize,
    load: &(dyn Fn(usize) -> Entrant + Sync),
    listen: &mut dyn FnMut(CourseEvent) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let lanes = run.pool().workers().clamp(1, count.max(1));
    let lane = run.clone().with_workers((run.pool().workers() / lanes).max(1));
    let (next, turns) = (AtomicUsize::new(0), Turns::default());
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        for _ in 0..lanes {
            let (lane, next, turns, sender) = (&lane, &next, &turns, sender.clone());
            scope.spawn(move || work(lane, suite, count, load, next, turns, &sender));
        }
        drop(sender);
        let mut outcome = Ok(());
        for result in results {
            let heard = result.and_then(&mut *listen);
            if heard.is_err() {
                // Makes the other workers stop after their submissions.
                next.store(count, Ordering::Relaxed);
            }
            outcome = outcome.and(heard);
        }
        outcome
    })
}

/// A lock for each module.
#[derive(Default)]
struct Turns(Mutex<BTreeMap<Digest, Arc<Mutex<()>>>>);

impl Turns {
    fn of_module(&self, module: Digest) -> Arc<Mutex<()>> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(turns.entry(module).or_default())
    }
}

/// Takes submissions until none is left.
fn work(
    run: &Run,
    suite: &Suite,
    count: usize,
    load: &(dyn Fn(usize) -> Entrant + Sync),
    next: &AtomicUsize,
    turns: &Turns,
    results: &Sender<Result<CourseEvent, ArenaError>>,
) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= count {
            return;
        }
        let submission = [load(number)];
        // Equal modules run one after the other, so that the cost of the first one applies to all.
        let turn = turns.of_module(submission[0].bot.sha256);
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let report = grade(run, suite, &submission, &mut |event: &Event| {
            // The course has its own start and end events, and sends the event of a submission only
            // after everything about it is stored.
            let inner = matches!(
                event,
                Event::RoundStarted { .. }
                    | Event::RoundFinished { .. }
                    | Event::TestcaseDecided { .. }
            );
            if inner {
                // After an error the receiver is gone; the error itself is reported elsewhere.
                let _ = results.send(Ok(CourseEvent::Event(event.clone())));
            }
            Ok(())
        });
        let graded = report.map(|report| CourseEvent::Graded { number, report: Box::new(report) });
        if results.send(graded).is_err() {
            return;
        }
    }
}
