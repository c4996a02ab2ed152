//! `judge selftest`: the hostile corpus on the user's own machine, with the very binary that
//! grades there.

mod case;
mod generate;
mod process;
mod shapes;
mod trial;

use std::io::Write;
use std::path::PathBuf;

use judge_core::printable;
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::{output, worker};

use case::Case;
use trial::{Bench, Outcome};

/// Grade modules that misbehave, and check that each gets its verdict and harms nobody.
///
/// Every case is graded twice, the second time next to an honest bot, which must get what it gets
/// alone. No process and no file may be left behind. Exits with 1 when something is not as it
/// should be.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only cases whose names begin so, such as `a03`.
    #[arg(value_name = "CASE")]
    names: Vec<String>,
    /// Cases from a folder instead of the bundled ones.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let cases = chosen(arguments)?;
    let mut bench = Bench::new()?;
    let mut table = Table { silent: arguments.json, reader_left: false };
    let mut documents = Vec::new();
    let mut failed = 0;
    table.head()?;
    for case in &cases {
        let outcome = bench.try_case(case)?;
        failed += usize::from(!outcome.wrong.is_empty());
        table.row(case, &outcome)?;
        documents.push(document(case, &outcome));
    }
    let passed = cases.len() - failed;
    table.line(&format!("{passed} as expected, {failed} not"))?;
    if arguments.json {
        let fingerprint = worker::fingerprint();
        let whole = json!({
            "judge": fingerprint.judge,
            "engine": fingerprint.engine,
            "passed": passed,
            "failed": failed,
            "cases": documents,
        });
        output::unless_reader_left(writeln!(std::io::stdout(), "{whole:#}"))?;
    }
    Ok(if failed == 0 { Exit::Passed } else { Exit::Failed })
}

fn chosen(arguments: &Arguments) -> Result<Vec<Case>, Failure> {
    let mut cases = match &arguments.corpus {
        Some(folder) => case::read(folder)?,
        None => case::bundled()?,
    };
    let names = &arguments.names;
    for name in names {
        if !cases.iter().any(|case| case.name.starts_with(name)) {
            let what = format!("no case begins with `{name}`");
            return Err(Failure::usage(what, "`judge selftest` shows the names of all"));
        }
    }
    cases.retain(|case| names.is_empty() || names.iter().any(|name| case.name.starts_with(name)));
    Ok(cases)
}

/// A row each as cases come out.
struct Table {
    /// Nothing is printed.
    silent: bool,
    /// Nobody reads any more.
    reader_left: bool,
}

impl Table {
    fn head(&mut self) -> Result<(), Failure> {
        self.line(&columns("case", "expected", "got", "ms", "MiB"))
    }

    fn row(&mut self, case: &Case, outcome: &Outcome) -> Result<(), Failure> {
        let ms = outcome.time.as_millis().to_string();
        let memory = match outcome.peak_kib {
            0 => "-".to_owned(),
            kib => (kib / 1024).to_string(),
        };
        self.line(&columns(&case.name, expected(case), &outcome.got, &ms, &memory))?;
        outcome.wrong.iter().try_for_each(|what| self.line(&format!("  WRONG: {what}")))
    }

    fn line(&mut self, text: &str) -> Result<(), Failure> {
        if self.silent || self.reader_left {
            return Ok(());
        }
        let written = writeln!(std::io::stdout(), "{}", printable(text, usize::MAX));
        self.reader_left = written.is_err();
        Ok(output::unless_reader_left(written)?)
    }
}

fn columns(case: &str, expected: &str, got: &str, ms: &str, memory: &str) -> String {
    format!("{case:<32} {expected:<21} {got:<21} {ms:>6} {memory:>5}")
}

fn expected(case: &Case) -> &str {
    case.expected.verdict.as_deref().unwrap_or("any")
}

fn document(case: &Case, outcome: &Outcome) -> Value {
    json!({
        "name": case.name,
        "about": case.expected.about,
        "expected": expected(case),
        "got": outcome.got,
        "ms": outcome.time.as_millis() as u64,
        "memory_kib": outcome.peak_kib,
        "wrong": outcome.wrong,
    })
}
