//! `judge selftest`: the hostile corpus on the user's own machine, with the very binary that
//! grades there.

mod case;
mod generate;
mod outcome;
mod process;
mod shapes;
mod trial;

use std::path::PathBuf;

use judge_core::{Event, Listener, Unit};

use crate::Error;
use crate::workers::fingerprint;
use case::Case;
pub use outcome::{CaseReport, Outcome};
use trial::Bench;

/// Cases to try.
#[derive(Debug, Clone)]
pub struct Request {
    /// The judge to try: a binary with the command `grade`.
    pub judge: PathBuf,
    /// Beginnings of the names of cases, such as `a03`; all cases if none.
    pub names: Vec<String>,
    /// A folder with cases; the bundled ones if none.
    pub corpus: Option<PathBuf>,
}

/// Grades misbehaving modules, and checks that each gets its verdict and harms nobody. Every case
/// is graded twice, the second time next to an honest bot, which must get what it gets alone.
///
/// # Errors
/// When a case makes no sense, or the judge cannot be run at all.
pub fn run(request: &Request, events: &mut dyn Listener) -> Result<Outcome, Error> {
    let cases = chosen(request)?;
    let mut bench = Bench::new(&request.judge)?;
    events.event(&Event::Started { unit: Unit::Cases, total: Some(cases.len() as u64) })?;
    let mut reports = Vec::new();
    for (done, case) in (1..).zip(&cases) {
        reports.push(bench.try_case(case)?);
        events.event(&Event::Progress { done, standing: None })?;
    }
    events.event(&Event::Finished)?;
    Ok(Outcome { fingerprint: fingerprint(), cases: reports })
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
