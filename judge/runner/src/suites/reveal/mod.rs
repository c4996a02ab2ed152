//! Publication of a suite's hidden testcases, and the check against their commitment.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use judge_core::{Listener, printable};
use judge_grading::{Commitment, Reveal};
use serde::de::DeserializeOwned;

use crate::Error;
use crate::suites::commit;

/// Hidden testcases, and the commitment to check them against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The suite's folder, or the file of an earlier reveal.
    pub source: PathBuf,
    /// The file of the commitment.
    pub commitment: PathBuf,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The testcases do not match the commitment.
    Broken {
        /// The difference.
        why: String,
    },
    /// The file of a reveal matches the commitment.
    Kept(Reveal),
    /// The suite matches the commitment. The reveal has its key, testcases and seeds, to publish
    /// after the deadline.
    Revealed(Reveal),
}

/// Checks a suite, or its reveal, against a commitment.
///
/// # Errors
/// If a file is invalid, or the suite's key or testcases are missing. A broken commitment is not an
/// error.
pub fn run(request: &Request, events: &mut dyn Listener) -> Result<Outcome, Error> {
    let commitment: Commitment = read(&request.commitment, "a file of `judge commit`")?;
    let from_suite = request.source.is_dir();
    let reveal = match from_suite {
        true => commit::reveal(&request.source, events)?,
        false => read(&request.source, "a file of `judge reveal`")?,
    };
    Ok(match reveal.keeps(&commitment) {
        Err(broken) => Outcome::Broken { why: broken.to_string() },
        Ok(()) if from_suite => Outcome::Revealed(reveal),
        Ok(()) => Outcome::Kept(reveal),
    })
}

impl Outcome {
    /// Formats the result and the testcases for people; for a suite, renders the file to publish.
    ///
    /// # Errors
    /// If that cannot be written as JSON, which is a bug in the judge.
    pub fn text(&self) -> Result<String, Error> {
        match self {
            Outcome::Broken { why } => {
                Ok(printable(format!("broken: {why}").trim_end(), usize::MAX) + "\n")
            }
            Outcome::Kept(reveal) => Ok(summary(reveal)),
            Outcome::Revealed(reveal) => commit::pretty(reveal),
        }
    }
}

fn summary(reveal: &Reveal) -> String {
    let mut text =
        format!("kept: {} hidden testcases match the commitment\n", reveal.testcases.len());
    for testcase in &reveal.testcases {
        let seeds: Vec<String> = testcase.seeds.iter().map(ToString::to_string).collect();
        let name = printable(&testcase.name, 100);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}: seeds {}", seeds.join(", "));
    }
    text
}

fn read<T: DeserializeOwned>(path: &Path, what: &str) -> Result<T, Error> {
    let text = Error::read_text(path)?;
    serde_json::from_str(&text).map_err(|error| Error::input(path, &format!("not {what}: {error}")))
}
