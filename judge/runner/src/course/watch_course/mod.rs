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
use crate::course::whole_course::{self, Memories};
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

/// A course to grade as its submissions arrive. Its folders of submissions may still be empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// A course with one suite, without sharding.
    OneSuite(course::Request),
    /// A course with several suites.
    SeveralSuites(whole_course::Request),
}

/// The result of a grading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grading {
    /// Of a course with one suite.
    OneSuite(Box<course::Outcome>),
    /// Of a course with several suites.
    SeveralSuites(whole_course::Outcome),
}

impl Grading {
    /// Formats a summary.
    pub fn to_text(&self) -> String {
        match self {
            Grading::OneSuite(outcome) => outcome.to_text(),
            Grading::SeveralSuites(outcome) => outcome.to_text(),
        }
    }

    /// A line about marks that are not final because of judge errors.
    pub fn judge_errors_text(&self) -> Option<String> {
        match self {
            Grading::OneSuite(outcome) => outcome.judge_errors_text(),
            Grading::SeveralSuites(outcome) => outcome.judge_errors_text(),
        }
    }

    /// All marks, by suite (empty for the only one) and submission.
    fn marks(&self) -> Marks {
        let of = |suite: &str, outcome: &course::Outcome| {
            let marks = outcome.marks.clone().into_iter();
            let suite = suite.to_owned();
            marks.map(move |(name, mark)| ((suite.clone(), name), mark)).collect::<Marks>()
        };
        match self {
            Grading::OneSuite(outcome) => of("", outcome),
            Grading::SeveralSuites(outcome) => {
                outcome.suites.iter().flat_map(|suite| of(&suite.name, &suite.outcome)).collect()
            }
        }
    }
}

/// Marks by suite and submission.
type Marks = BTreeMap<(String, String), Mark>;

/// The listener of a watch.
pub trait Watcher: Listener {
    /// Receives the result after a change, with a line for each submission that has a new result.
    ///
    /// # Errors
    /// If the result cannot be passed on. The watch then ends with this error.
    fn graded(&mut self, grading: &Grading, news: &[String]) -> io::Result<()>;
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
        marks: Marks::new(),
        told: Once::default(),
        memory: course::Memory::new(),
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
    request: &'a Request,
    graded: u64,
    /// All marks of the last grading.
    marks: Marks,
    told: Once,
    /// The caches of unchanged modules and pages, of the only suite or of several.
    memory: course::Memory,
    memories: Memories,
}

impl Watch<'_> {
    /// The files once they are unchanged for a while; or their current state, if the watch ends or
    /// a file keeps changing.
    fn settled(&self, workers: &Workers) -> Snapshot {
        // A course's file that changes may name other files.
        let look = || Snapshot::take(&self.files());
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

    /// The files that the results depend on, submissions first.
    fn files(&self) -> Vec<PathBuf> {
        let course = match self.request {
            Request::OneSuite(course) => course,
            Request::SeveralSuites(course) => return whole_course::files(course),
        };
        let suite = SuiteChoice::Named(course.suite.clone());
        let suite = suite.folder().map(PathBuf::from);
        let mapping = course.mapping.iter().map(|mapping| mapping.path.clone());
        let files = course.submissions.iter().cloned().chain(suite);
        let dates = course.dates.iter().flat_map(course::DatesFile::files);
        files.chain(course.students.clone()).chain(mapping).chain(dates).collect()
    }

    /// The reason why there is nothing to grade; none after the first grading.
    fn nothing_yet(&self) -> Result<Option<Error>, Error> {
        match self.request {
            _ if self.graded > 0 => Ok(None),
            Request::OneSuite(one) => Ok(course::nothing_yet(&one.submissions, one.building)),
            Request::SeveralSuites(several) => whole_course::nothing_yet(several),
        }
    }

    /// Grades once; after the first grading, only new rounds are played.
    fn grade_once(
        &mut self,
        workers: &Workers,
        watcher: &mut dyn Watcher,
    ) -> Result<Grading, Error> {
        let (again, reload_every) = (self.graded > 0, Some(RELOAD));
        let mut events = self.told.to(watcher);
        Ok(match self.request.clone() {
            Request::OneSuite(one) => {
                let request = course::Request { resume: one.resume || again, reload_every, ..one };
                let graded = course::run_again(&request, &self.memory, workers, &mut events);
                Grading::OneSuite(Box::new(graded?))
            }
            Request::SeveralSuites(several) => {
                let resume = several.resume || again;
                let request = whole_course::Request { resume, reload_every, ..several };
                let memories = &mut self.memories;
                let graded = whole_course::run_again(&request, memories, workers, &mut events);
                Grading::SeveralSuites(graded?)
            }
        })
    }

    fn grade(&mut self, workers: &Workers, watcher: &mut dyn Watcher) -> Result<(), Error> {
        match self.grade_once(workers, &mut *watcher) {
            Ok(grading) => {
                let marks = grading.marks();
                watcher.graded(&grading, &news(&self.marks, &marks))?;
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
