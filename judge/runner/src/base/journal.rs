//! Start or resumption of a run's journal.

use std::path::Path;

use judge_arena::{FactStore, Facts, Journal, SuiteNote};
use judge_core::{Event, Fingerprint, Listener, digest};
use judge_grading::{Suite, SuiteChange};
use serde_json::{Value, json};

use crate::Error;

/// Start of the note on a resumed journal.
pub(crate) const RESUMING: &str = "resuming: ";

/// Starts a journal, or resumes an existing one and reports its progress.
pub(crate) fn start(
    path: &Path,
    fingerprint: &Fingerprint,
    plan: &Value,
    resume: bool,
    events: &mut dyn Listener,
) -> Result<Journal, Error> {
    start_changed(path, fingerprint, plan, resume, &|_| false, events)
}

/// Starts or resumes the journal of a run on a suite. The suite may have changed since: rounds in
/// the journal are scored by the current suite, and rounds that it no longer has are skipped.
/// Reports the changes, and keeps the suite's files for the next comparison.
pub(crate) fn start_grading(
    path: &Path,
    fingerprint: &Fingerprint,
    (plan, suite): (&Value, &Suite),
    resume: bool,
    events: &mut dyn Listener,
) -> Result<Journal, Error> {
    let same_run = |old: &Value| {
        let is_same = |key: &str| old.get(key) == plan.get(key);
        ["command", "suite", "shard"].into_iter().all(is_same)
    };
    let other = std::cell::Cell::new(false);
    let may = |old: &Value| {
        other.set(same_run(old));
        other.get()
    };
    let journal = start_changed(path, fingerprint, plan, resume, &may, events)?;
    let before = Facts::read(&journal)?.get::<SuiteNote>(&())?;
    for text in changes(before.as_ref(), suite, other.get()) {
        events.event(&Event::Note { text })?;
    }
    (&journal as &dyn FactStore).keep(&(), &SuiteNote::new(suite))?;
    Ok(journal)
}

/// Describes the changes in a suite, one per line. If the journal has no old suite to compare,
/// `changed` says whether there is a change.
fn changes(before: Option<&SuiteNote>, suite: &Suite, changed: bool) -> Vec<String> {
    let Some(before) = before else {
        let text = "the suite changed, but this journal does not contain the previous one: rounds that \
                    are still in the suite are scored again, others are played";
        return changed.then(|| text.to_owned()).into_iter().collect();
    };
    let told = |change: SuiteChange| {
        let how = if change.is_played() { "played where it differs" } else { "scored again" };
        format!("{change} ({how})")
    };
    let mut lines: Vec<String> = before.changes(suite).into_iter().map(told).collect();
    if before.has_other_key(suite) {
        lines.push(
            "the key of the hidden testcases changed: their rounds are played again".to_owned(),
        );
    }
    lines
}

fn start_changed(
    path: &Path,
    fingerprint: &Fingerprint,
    plan: &Value,
    resume: bool,
    may: &dyn Fn(&Value) -> bool,
    events: &mut dyn Listener,
) -> Result<Journal, Error> {
    if !resume || !path.exists() {
        return Ok(Journal::create(path, fingerprint.clone(), plan.clone())?);
    }
    let journal = Journal::resume_changed(path, fingerprint, plan, may)?;
    let rounds = journal.rounds();
    let plural = if rounds == 1 { "" } else { "s" };
    let text = format!("{RESUMING}the journal has {rounds} round{plural}");
    events.event(&Event::Note { text })?;
    if journal.cut() > 0 {
        let text = "the journal's last line was incomplete; its round is played again".to_owned();
        events.event(&Event::Note { text })?;
    }
    Ok(journal)
}

/// The plan in the journal of a run on a suite. A resumed run must have the same plan.
pub(crate) fn plan_of_grading(suite: &Suite) -> Value {
    let testcases = suite
        .testcases
        .iter()
        .map(|testcase| (testcase.name.clone(), Value::from(testcase.sha256.to_string())));
    // Seeds derived from a key are not in the testcase's file.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::workers;

    fn suite(name: &str, points: &str) -> Suite {
        let testcase = format!(
            "title = \"t\"\ngame = \"mahjong\"\nopponent = \"random\"\nseeds = [1]\nmin_score = 1\n\
             points = {points}\n"
        );
        let files = [("suite.toml", "title = \"s\""), ("01.toml", testcase.as_str())];
        Suite::from_files(name, files).expect("a suite")
    }

    /// Returns the notes of a run on a suite that resumes a journal.
    fn resumed(path: &Path, suite: &Suite) -> Result<Vec<String>, Error> {
        let mut notes = Vec::new();
        let mut listener = |event: &Event| {
            if let Event::Note { text } = event {
                notes.push(text.clone());
            }
            Ok(())
        };
        let plan = plan_of_grading(suite);
        let fingerprint = workers::fingerprint();
        start_grading(path, &fingerprint, (&plan, suite), true, &mut listener)?;
        Ok(notes)
    }

    #[test]
    fn a_journal_without_its_suite_can_be_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("old.jsonl");
        let plan = plan_of_grading(&suite("s", "5"));
        // A journal that was killed before the suite was noted.
        drop(Journal::create(&path, workers::fingerprint(), plan).expect("a new file"));
        let told = resumed(&path, &suite("s", "2.5")).expect("read");
        assert!(
            told[1].starts_with("the suite changed, but this journal does not contain"),
            "{told:?}"
        );
        let told = resumed(&path, &suite("s", "3")).expect("read");
        assert_eq!(told[1..], ["`01.toml`: `points` 2.5 -> 3 (scored again)"]);
        assert_eq!(resumed(&path, &suite("s", "3")).expect("read").len(), 1, "nothing changed");
        let error = resumed(&path, &suite("other", "3")).expect_err("another suite");
        assert!(
            error.to_string().contains("`suite` is \"s\" in the journal and \"other\" in this run"),
            "{error}"
        );
    }
}
