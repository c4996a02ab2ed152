//! Grades a course again whenever a submission is added, changed or removed. Only new rounds are
//! played.

mod once;
mod snapshot;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use judge_core::{Event, Listener, printable};
use judge_report::Mark;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::Remedy;
use crate::base::workers::Workers;
use crate::course;
use crate::suites::SuiteChoice;
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

/// A course to grade as its submissions arrive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The course, without sharding. Its folders of submissions may still be empty.
    pub course: course::Request,
}

/// The listener of a watch.
pub trait Watcher: Listener {
    /// Receives the result after a change, with a line per submission whose result is new.
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
    request: &Request,
    workers: &Workers,
    watcher: &mut dyn Watcher,
) -> Result<Outcome, Error> {
    let mut watch = Watch {
        request,
        graded: 0,
        marks: BTreeMap::new(),
        told: Once::default(),
        memory: course::Memory::new(),
    };
    let mut seen = None;
    while !workers.stop.is_asked() {
        let now = watch.settled(workers);
        if seen.as_ref() == Some(&now) {
            std::thread::sleep(LOOK_EVERY);
            continue;
        }
        match watch.nothing_yet() {
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
    request: &'a Request,
    graded: u64,
    /// All marks of the last grading.
    marks: BTreeMap<String, Mark>,
    told: Once,
    /// The cache of unchanged modules and pages.
    memory: course::Memory,
}

impl Watch<'_> {
    /// The files once they are unchanged for a while; or their current state, if the watch ends or
    /// a file keeps changing.
    fn settled(&self, workers: &Workers) -> Snapshot {
        let files = self.files();
        let begin = Instant::now();
        let (mut last, mut since) = (Snapshot::take(&files), begin);
        let waits = |since: Instant| since.elapsed() < QUIET && begin.elapsed() < LONGEST_WAIT;
        while waits(since) && !workers.stop.is_asked() {
            std::thread::sleep(LOOK_EVERY);
            let now = Snapshot::take(&files);
            if now != last {
                (last, since) = (now, Instant::now());
            }
        }
        last
    }

    /// The files that the results depend on, submissions first.
    fn files(&self) -> Vec<PathBuf> {
        let course = &self.request.course;
        let suite = SuiteChoice::Named(course.suite.clone());
        let suite = suite.folder().map(PathBuf::from);
        let mapping = course.mapping.iter().map(|mapping| mapping.path.clone());
        let files = course.submissions.iter().cloned().chain(suite);
        files.chain(course.students.clone()).chain(mapping).collect()
    }

    /// The reason why there is nothing to grade; none after the first grading.
    fn nothing_yet(&self) -> Option<Error> {
        (self.graded == 0).then(|| {
            let course = &self.request.course;
            course::nothing_yet(&course.submissions, course.building)
        })?
    }

    fn grade(&mut self, workers: &Workers, watcher: &mut dyn Watcher) -> Result<(), Error> {
        let again = self.graded > 0;
        let request = course::Request {
            resume: self.request.course.resume || again,
            reload_every: Some(RELOAD),
            ..self.request.course.clone()
        };
        match course::run_again(&request, &self.memory, workers, &mut self.told.to(&mut *watcher)) {
            Ok(outcome) => {
                let news = news(&self.marks, &outcome.marks);
                watcher.graded(&outcome, &news)?;
                self.marks.clone_from(&outcome.marks);
                self.graded += 1;
                self.told.is_over();
                Ok(())
            }
            Err(error) if again && error.remedy() != Remedy::Judge => {
                // The next change leads to another attempt, and to another report if it fails
                // again.
                let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
                let text = format!("not graded: {error}{hint}");
                Ok(watcher.event(&Event::Warning { text })?)
            }
            Err(error) => Err(error),
        }
    }
}

/// A line for each submission with a different result.
fn news(before: &BTreeMap<String, Mark>, now: &BTreeMap<String, Mark>) -> Vec<String> {
    let result =
        |mark: &Mark| (mark.points, mark.score, mark.open, mark.worst.clone(), mark.digest);
    let same = |name: &String, mark: &Mark| before.get(name).map(result) == Some(result(mark));
    let changed = now.iter().filter(|(name, mark)| !same(name, mark));
    let changed = changed.map(|(_, mark)| {
        let (who, worst) = (printable(&mark.student, 60), &mark.worst);
        match mark.open {
            true => format!("{who}: {worst}"),
            false => format!("{who}: {} of {} points, {worst}", mark.points, mark.max_points),
        }
    });
    let gone = before.iter().filter(|(name, _)| !now.contains_key(*name));
    let gone = gone.map(|(_, mark)| format!("{}: gone", printable(&mark.student, 60)));
    changed.chain(gone).collect()
}
