//! Grades a course: any number of submissions, each in a worker of its own, in memory that does not
//! grow with their number.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use judge_core::{Event, GradeReport};
use judge_grading::Suite;

use crate::grade::{Submission, grade};
use crate::pool::{ArenaError, Pool};

/// What happens while a course is graded, in the order in which it comes in.
#[derive(Debug)]
pub enum CourseEvent {
    /// A round was played, or found in the journal, or passed over as needless.
    RoundFinished,
    /// A submission is done with.
    Graded {
        /// Its number.
        number: usize,
        /// Its result.
        report: Box<GradeReport>,
    },
}

/// Grades `count` submissions. Each is loaded when its turn comes and let go when it is done; as
/// many are under way as there are workers, and one that is slow holds up nobody else.
///
/// # Errors
/// When a testcase cannot be played at all, or the journal fails. What is under way then ends
/// first.
pub fn course(
    pool: &Pool,
    suite: &Suite,
    count: usize,
    load: &(dyn Fn(usize) -> Submission + Sync),
    listen: &mut dyn FnMut(CourseEvent) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let lanes = pool.workers.clamp(1, count.max(1));
    let lane = Pool { workers: (pool.workers / lanes).max(1), ..pool.clone() };
    let next = AtomicUsize::new(0);
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        for _ in 0..lanes {
            let (lane, next, sender) = (&lane, &next, sender.clone());
            scope.spawn(move || work(lane, suite, count, load, next, &sender));
        }
        drop(sender);
        let mut outcome = Ok(());
        for result in results {
            let heard = result.and_then(&mut *listen);
            if heard.is_err() {
                // The others find nothing left to begin with.
                next.store(count, Ordering::Relaxed);
            }
            outcome = outcome.and(heard);
        }
        outcome
    })
}

/// Takes one submission after the other until none is left.
fn work(
    pool: &Pool,
    suite: &Suite,
    count: usize,
    load: &(dyn Fn(usize) -> Submission + Sync),
    next: &AtomicUsize,
    results: &Sender<Result<CourseEvent, ArenaError>>,
) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= count {
            return;
        }
        let submission = [load(number)];
        let report = grade(pool, suite, &submission, &mut |event| {
            if let Event::RoundFinished { .. } = event {
                // Nobody listens any more after an error, which is told elsewhere.
                let _ = results.send(Ok(CourseEvent::RoundFinished));
            }
        });
        let graded = report.map(|report| CourseEvent::Graded { number, report: Box::new(report) });
        if results.send(graded).is_err() {
            return;
        }
    }
}
