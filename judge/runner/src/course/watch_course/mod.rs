//! Grades a course again whenever a submission is added, changed or removed. Only new rounds are
//! played.

mod once;
mod snapshot;

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use judge_core::{Event, Listener, printable};
use judge_report::Mark;

use crate::Error;
use crate::Remedy;
use crate::base::workers::Workers;
use crate::course::{self, AssignmentOutcome, Memories};
use once::Once;
use snapshot::Snapshot;

/// Interval between checks of the submissions.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Time without changes before grading starts, because uploads are written in pieces.
const QUIET: Duration = Duration::from_millis(1000);

/// Time after which grading starts even if a file keeps changing, so that the other submissions do
/// not have to wait.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Interval in seconds at which the pages reload themselves.
const RELOAD: u32 = 10;

/// All marks, by assignment (empty for the only one) and submission.
fn marks(outcome: &course::Outcome) -> Marks {
    let of = |assignment: &AssignmentOutcome| {
        let (name, marks) = (assignment.name().to_owned(), assignment.marks.clone());
        marks.into_iter().map(move |(submission, mark)| ((name.clone(), submission), mark))
    };
    outcome.assignments.iter().flat_map(of).collect()
}

/// Marks by assignment and submission.
type Marks = BTreeMap<(String, String), Mark>;

/// The listener of a watch.
pub trait Watcher: Listener {
    /// Receives the result after a change, with a line for each submission that has a new result.
    ///
    /// # Errors
    /// If the result cannot be passed on. The watch then ends with this error.
    fn graded(&mut self, outcome: &course::Outcome, news: &[String]) -> io::Result<()>;
}

/// The outcome of a watch that was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Number of gradings.
    pub graded: u64,
}

/// Watches until the workers are stopped.
///
/// # Errors
/// As [`course::run`] the first time. Later only if the judge or the watcher fails; a mistake in a
/// file is reported, so that the user can correct it.
pub fn run(
    request: &course::Request,
    workers: &Workers,
    watcher: &mut dyn Watcher,
) -> Result<Outcome, Error> {
    let mut watch = Watch {
        request,
        graded: 0,
        marks: Marks::new(),
        told: Once::default(),
        memories: Memories::new(),
    };
    let mut seen = None;
    while !workers.stop.is_asked() {
        let now = watch.settled(workers);
        if seen.as_ref() == Some(&now) {
            std::thread::sleep(LOOK_EVERY);
            continue;
        }
        match watch.nothing_yet()? {
            Some(why) => {
                let text = format!("waiting for the first submission: {why}");
                watch.told.to(&mut *watcher).event(&Event::Note { text })?;
            }
            None => watch.grade(workers, watcher)?,
        }
        seen = Some(now);
    }
    Ok(Outcome { graded: watch.graded })
}

/// The state of a watch.
struct Watch<'a> {
    request: &'a course::Request,
    graded: u64,
    /// All marks of the last grading.
    marks: Marks,
    told: Once,
    /// The caches of unchanged modules and pages.
    memories: Memories,
}

impl Watch<'_> {
    /// The files once they are unchanged for a while; or their current state, if the watch ends or
    /// a file keeps changing.
    fn settled(&self, workers: &Workers) -> Snapshot {
        // A course's file that changes may name other files.
        let look = || Snapshot::take(&course::files(self.request));
        let begin = Instant::now();
        let (mut last, mut since) = (look(), begin);
        let waits = |since: Instant| since.elapsed() < QUIET && begin.elapsed() < LONGEST_WAIT;
        while waits(since) && !workers.stop.is_asked() {
            std::thread::sleep(LOOK_EVERY);
            let now = look();
            if now != last {
                (last, since) = (now, Instant::now());
            }
        }
        last
    }

    /// The reason why there is nothing to grade; none after the first grading.
    fn nothing_yet(&self) -> Result<Option<Error>, Error> {
        if self.graded > 0 { Ok(None) } else { course::nothing_yet(self.request) }
    }

    /// Grades once; after the first grading, only new rounds are played.
    fn grade_once(
        &mut self,
        workers: &Workers,
        watcher: &mut dyn Watcher,
    ) -> Result<course::Outcome, Error> {
        let mut request = self.request.clone();
        request.options.resume |= self.graded > 0;
        request.options.reload_every = Some(RELOAD);
        let mut events = self.told.to(watcher);
        course::run_again(&request, &mut self.memories, workers, &mut events)
    }

    fn grade(&mut self, workers: &Workers, watcher: &mut dyn Watcher) -> Result<(), Error> {
        match self.grade_once(workers, &mut *watcher) {
            Ok(outcome) => {
                let marks = marks(&outcome);
                watcher.graded(&outcome, &news(&self.marks, &marks))?;
                self.marks = marks;
                self.graded += 1;
                self.told.is_over();
                Ok(())
            }
            Err(error) if self.graded > 0 && error.remedy() != Remedy::Judge => {
                // The next change leads to another attempt, and to another report if it fails
                // again.
                let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
                let place = match &error {
                    Error::Suite(error) => error.place().map(|place| format!("{place}: ")),
                    _ => None,
                };
                let text = format!("not graded: {}{error}{hint}", place.unwrap_or_default());
                Ok(watcher.event(&Event::Warning { text })?)
            }
            Err(error) => Err(error),
        }
    }
}

/// A line for each submission with a different result.
fn news(before: &Marks, now: &Marks) -> Vec<String> {
    let result =
        |mark: &Mark| (mark.points, mark.score, mark.open, mark.worst.clone(), mark.digest);
    let same =
        |name: &(String, String), mark: &Mark| before.get(name).map(result) == Some(result(mark));
    let changed = now.iter().filter(|(name, mark)| !same(name, mark));
    let who = |suite: &str, mark: &Mark| match (suite, printable(&mark.student, 60)) {
        ("", student) => student,
        (suite, student) => format!("`{suite}`: {student}"),
    };
    let changed = changed.map(|((suite, _), mark)| {
        let (who, worst) = (who(suite, mark), &mark.worst);
        match mark.open {
            true => format!("{who}: {worst}"),
            false => format!("{who}: {} of {} points, {worst}", mark.points, mark.max_points),
        }
    });
    let gone = before.iter().filter(|(name, _)| !now.contains_key(*name));
    let gone = gone.map(|((suite, _), mark)| format!("{}: gone", who(suite, mark)));
    changed.chain(gone).collect()
}
