//! The journal of a run, as the command line asks for it.

use std::io::Write as _;
use std::path::Path;

use judge_arena::Journal;
use judge_core::{Fingerprint, digest};
use judge_grading::Suite;
use serde_json::{Value, json};

use crate::failure::Failure;

/// Begins a journal, or goes on with one. A run that was to be gone on with but never began, begins.
pub(crate) fn open(
    path: &Path,
    fingerprint: &Fingerprint,
    plan: &Value,
    resume: bool,
) -> Result<Journal, Failure> {
    if !resume || !path.exists() {
        return Ok(Journal::create(path, fingerprint.clone(), plan.clone())?);
    }
    let journal = Journal::resume(path, fingerprint, plan)?;
    let rounds = journal.rounds();
    let plural = if rounds == 1 { "" } else { "s" };
    // A standard error that is gone changes no result.
    let _ = writeln!(std::io::stderr(), "going on: the journal has {rounds} round{plural}");
    if journal.cut() > 0 {
        let _ = writeln!(std::io::stderr(), "its last line was not finished and is made again");
    }
    Ok(journal)
}

/// What the journal of a run on a suite says that it is.
pub(crate) fn plan_of_grading(suite: &Suite) -> Value {
    let testcases = suite
        .testcases
        .iter()
        .map(|testcase| (testcase.name.clone(), Value::from(testcase.sha256.to_string())));
    // Seeds out of a key do not show in the testcase's file.
    let seeds = suite.testcases.iter().filter(|testcase| testcase.hidden).map(|testcase| {
        let seeds = serde_json::to_vec(&testcase.seeds).unwrap_or_default();
        (testcase.name.clone(), Value::from(digest(&seeds).to_string()))
    });
    let rank = suite.rank.as_ref().map(|rank| json!([rank.min_points, rank.corners]));
    json!({
        "command": "grade",
        "suite": suite.name,
        "testcases": testcases.collect::<serde_json::Map<_, _>>(),
        "hidden_seeds": seeds.collect::<serde_json::Map<_, _>>(),
        "rank": rank,
    })
}
