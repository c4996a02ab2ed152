//! The journal of a run: a new one, or one that is resumed.

use std::path::Path;

use judge_arena::Journal;
use judge_core::{Event, Fingerprint, Listener, digest};
use judge_grading::Suite;
use serde_json::{Value, json};

use crate::Error;

/// Starts a journal, or resumes one and tells how far it is. Where there is none to resume, a new one
/// is started.
pub(crate) fn start(
    path: &Path,
    fingerprint: &Fingerprint,
    plan: &Value,
    resume: bool,
    events: &mut dyn Listener,
) -> Result<Journal, Error> {
    if !resume || !path.exists() {
        return Ok(Journal::create(path, fingerprint.clone(), plan.clone())?);
    }
    let journal = Journal::resume(path, fingerprint, plan)?;
    let rounds = journal.rounds();
    let plural = if rounds == 1 { "" } else { "s" };
    let text = format!("resuming: the journal has {rounds} round{plural}");
    events.event(&Event::Note { text })?;
    if journal.cut() > 0 {
        let text = "the journal's last line was incomplete; its round is played again".to_owned();
        events.event(&Event::Note { text })?;
    }
    Ok(journal)
}

/// The plan in the journal of a run on a suite: what it must be resumed with.
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
