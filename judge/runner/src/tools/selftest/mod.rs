//! `judge selftest`: the hostile corpus on the user's own machine, with the very binary that
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

/// Cases to try.
#[derive(Debug, Clone)]
pub struct Request {
    /// The judge to try: a binary with the command `grade`, and the command `worker --observe` that
    /// calls [`serve`].
    pub judge: PathBuf,
    /// Beginnings of the names of cases, such as `a03`; all cases if none.
    pub names: Vec<String>,
    /// A folder with cases; the bundled ones if none.
    pub corpus: Option<PathBuf>,
    /// Number of cases at a time; by default one per processor, and no more than [`MOST_JOBS`].
    pub jobs: Option<usize>,
}

/// Cases at a time unless something else is asked for: each may take a gibibyte.
pub const MOST_JOBS: usize = 4;

/// The number of a case, and its report.
type Tried = (usize, Result<CaseReport, Error>);

/// Grades misbehaving modules, and checks that each gets its verdict and harms nobody. Every case
/// is graded twice, the second time next to an honest bot, which must get what it gets alone.
///
/// # Errors
/// When a case makes no sense, or the judge cannot be run at all.
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
        // What is on its way when this fails comes to its end, and nothing is begun.
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

/// Tries the `next` of the cases until there are no more, in a folder of its own.
fn try_cases(judge: &Path, cases: &[Case], next: &AtomicUsize, reports: &Sender<Tried>) {
    let mut bench = Bench::new(judge);
    while let number = next.fetch_add(1, Ordering::Relaxed)
        && let Some(case) = cases.get(number)
    {
        let report = match &mut bench {
            Ok(bench) => bench.try_case(case),
            Err(error) => Err(Error::Judge(error.to_string())),
        };
        // Nobody listens any more after a failure.
        if reports.send((number, report)).is_err() {
            return;
        }
    }
}

/// All reports, in the order of the cases; the first failure ends it.
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
