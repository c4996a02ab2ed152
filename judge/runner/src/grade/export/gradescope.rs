//! An autograder for Gradescope: a zip file to upload as it is.

use std::path::PathBuf;

use judge_core::{Event, Listener};
use judge_grading::Suite;
use judge_report::CourseTool;

use super::pack;
use crate::Error;
use crate::base::files::Readers;
use crate::suites;

/// A suite and a judge to pack.
#[derive(Debug, Clone)]
pub struct Request {
    /// The name of a bundled suite, or the path of a suite's folder.
    pub suite: PathBuf,
    /// The judge program for Linux on x86-64.
    pub judge: PathBuf,
    /// The visibility of testcases' results for students, and the leaderboard.
    pub tool: CourseTool,
    /// True if students may submit sources, which are built in a confined process.
    pub build: bool,
}

/// A packed autograder.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The zip file.
    pub zip: Vec<u8>,
    /// Name of the suite.
    pub suite: String,
    /// Number of its testcases.
    pub testcases: usize,
    /// True if the zip file contains secrets that students must not see.
    pub has_secrets: bool,
}

/// Packs an autograder. Equal suites and judges give equal bytes.
///
/// # Errors
/// If the suite is incomplete, or the judge does not run on Gradescope's machines.
pub fn run(request: &Request, events: &mut dyn Listener) -> Result<Outcome, Error> {
    let suite = suites::named(&request.suite, events)?;
    suites::check_whole(&suite)?;
    suites::has_testcases(&suite, request.tool.testcases.keys())?;
    let zip = pack::pack(&suite, &request.judge, &request.tool, request.build)?;
    if let Some(text) = warning(&suite) {
        events.event(&Event::Warning { text })?;
    }
    let (testcases, has_secrets) = (suite.testcases.len(), has_secrets(&suite));
    Ok(Outcome { zip, suite: suite.name, testcases, has_secrets })
}

impl Outcome {
    /// The users who may read the file.
    pub fn readers(&self) -> Readers {
        if self.has_secrets { Readers::Owner } else { Readers::Usual }
    }

    /// A short text on size and content.
    pub fn summary(&self) -> String {
        let size = self.zip.len().div_ceil(1 << 20);
        format!("{size} MiB, {} testcases of `{}`", self.testcases, self.suite)
    }
}

fn has_secrets(suite: &Suite) -> bool {
    let hidden = suite.testcases.iter().any(|testcase| testcase.hidden);
    hidden || suite.secrets.key.is_some() || !suite.secrets.files.is_empty()
}

/// A warning to keep the file secret, if testcases are hidden.
fn warning(suite: &Suite) -> Option<String> {
    let hidden = suite.testcases.iter().filter(|testcase| testcase.hidden).count();
    let key = if suite.secrets.key.is_some() { ", and their key" } else { "" };
    (hidden > 0).then(|| {
        format!(
            "{hidden} hidden testcases are in it{key}: upload it to Gradescope, and do not give it \
             to any student"
        )
    })
}
