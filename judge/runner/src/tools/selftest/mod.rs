//! `judge selftest`: runs the hostile corpus on the user's machine, with the same binary that
//! grades there.

mod case;
mod generate;
mod observer;
mod orphans;
mod outcome;
mod patience;
mod process;
mod shapes;
mod trial;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};

use judge_core::{Event, Listener, Unit};

use crate::Error;
use crate::base::workers::fingerprint;
use case::Case;
pub use observer::serve;
pub use outcome::{CaseReport, Outcome};
use trial::Bench;

/// The cases to test.
#[derive(Debug, Clone)]
pub struct Request {
    /// The judge to test: a binary with the command `grade`, and with the command
    /// `worker --observe` that calls [`serve`].
    pub judge: PathBuf,
    /// Beginnings of cases' names, such as `a03`; all cases if empty.
    pub names: Vec<String>,
    /// A folder with cases. Default: the bundled ones.
    pub corpus: Option<PathBuf>,
    /// Number of cases at a time. Default: one per processor, but at most [`MOST_JOBS`].
    pub jobs: Option<usize>,
}

/// Default maximum number of cases at a time, because each may take a gibibyte.
pub const MOST_JOBS: usize = 4;

/// The number of a case, and its report.
type Tried = (usize, Result<CaseReport, Error>);

/// Grades misbehaving modules, and checks that each gets its verdict and does no harm. Every case
/// is graded twice, the second time next to an honest bot, which must get the same result as
/// without a neighbour.
///
/// # Errors
/// If a case is invalid, or the judge cannot be run.
pub fn run(request: &Request, events: &mut dyn Listener) -> Result<Outcome, Error> {
    let cases = chosen(request)?;
    let total = Some(cases.len() as u64);
    events.event(&Event::Started { unit: Unit::Cases, total })?;
    let (next, (sender, receiver)) = (AtomicUsize::new(0), mpsc::channel());
    let reports = std::thread::scope(|scope| {
        for _ in 0..request.jobs() {
            let (cases, next, sender) = (&cases, &next, sender.clone());
            scope.spawn(move || try_cases(&request.judge, cases, next, &sender));
        }
        drop(sender);
        // After a failure, running cases continue to their end, but no new case starts.
        collect(receiver, events).inspect_err(|_| next.store(cases.len(), Ordering::Relaxed))
    })?;
    events.event(&Event::Finished)?;
    Ok(Outcome { fingerprint: fingerprint(), cases: reports })
}

impl Request {
    fn jobs(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.unwrap_or_else(|| processors().min(MOST_JOBS))
    }
}

/// Tests cases, taken from `next`, in a separate folder until none is left.
fn try_cases(judge: &Path, cases: &[Case], next: &AtomicUsize, reports: &Sender<Tried>) {
    let mut bench = Bench::new(judge);
    while let number = next.fetch_add(1, Ordering::Relaxed)
        && let Some(case) = cases.get(number)
    {
        let report = match &mut bench {
            Ok(bench) => bench.try_case(case),
            Err(error) => Err(Error::Judge(error.to_string())),
        };
        // After a failure the receiver is gone.
        if reports.send((number, report)).is_err() {
            return;
        }
    }
}

/// Collects all reports in the order of the cases, up to the first failure.
fn collect(receiver: Receiver<Tried>, events: &mut dyn Listener) -> Result<Vec<CaseReport>, Error> {
    let mut reports = Vec::new();
    for (done, (number, report)) in (1..).zip(receiver) {
        reports.push((number, report?));
        events.event(&Event::Progress { done, standing: None })?;
    }
    reports.sort_by_key(|(number, _)| *number);
    Ok(reports.into_iter().map(|(_, report)| report).collect())
}

fn chosen(request: &Request) -> Result<Vec<Case>, Error> {
    let mut cases = match &request.corpus {
        Some(folder) => case::read(folder)?,
        None => case::bundled()?,
    };
    let names = &request.names;
    for name in names {
        if !cases.iter().any(|case| case.name.starts_with(name)) {
            let what = format!("no case begins with `{name}`");
            return Err(Error::usage(what, "`judge selftest` shows the names of all"));
        }
    }
    cases.retain(|case| names.is_empty() || names.iter().any(|name| case.name.starts_with(name)));
    Ok(cases)
}
