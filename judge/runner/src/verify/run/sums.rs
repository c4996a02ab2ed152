//! The check of a document's figures, which are computed again from its rows.

use std::path::Path;

use judge_arena::RunKind;
use judge_core::{Culprit, RoundRow};
use judge_report::quoted;
use serde::Serialize;
use serde_json::Value;

use super::super::{CheckStop, FirstProblem};
use super::schedule;
use crate::Error;
use crate::contest::Saved;
use crate::contest::match_bots::SavedResult;
use crate::contest::tournament::SavedTournament;
use crate::rounds::source::{Document, Source};

/// Refuses a run whose figures differ from those of its rounds, or that lacks meetings or pairs
/// that its own rules require.
pub(crate) fn refuse_changed(path: &Path, source: &Source, saved: &Saved) -> Result<(), Error> {
    let sums = || match source {
        Source::Document(document) => check(path, source, document, saved),
        Source::Journal(_) => Ok(()),
    };
    match schedule::check(path, source, saved).and_then(|_| sums()) {
        Ok(()) => Ok(()),
        Err(CheckStop::Error(failure)) => Err(failure),
        Err(CheckStop::Problem(FirstProblem { place, what, .. })) => {
            let what = format!(
                "`{}` was changed after it was written (`{place}`: {what})",
                path.display()
            );
            let hint = format!("`judge verify {}` shows more", quoted(&path.to_string_lossy()));
            Err(Error::Input { what, hint: Some(hint) })
        }
    }
}

/// Compares the figures of a document with those computed from its rows.
pub(super) fn check(
    path: &Path,
    source: &Source,
    document: &Document,
    saved: &Saved,
) -> Result<(), CheckStop> {
    let mut expected = match document.kind {
        RunKind::Tournament => as_read(&SavedTournament::new(path, source, saved)?.json()),
        RunKind::Match | RunKind::Grading => {
            as_read(&SavedResult::new(path, source, saved)?.json())
        }
    };
    for beside in ["notes", "timing", "rows"] {
        expected[beside] = document.value[beside].clone();
    }
    compare(&document.value, &expected)?;
    Ok(check_pairs(&document.rows)?)
}

/// Checks the number of pairs. A pair counts if both rounds are in the file and the judge failed in
/// neither.
fn check_pairs(rows: &[RoundRow]) -> Result<(), FirstProblem> {
    let mut before = 0;
    for pair in rows.chunk_by(|one, other| (one.meeting, one.pair) == (other.meeting, other.pair)) {
        let failed = pair.iter().any(|row| row.blame == Some(Culprit::Judge));
        let counts = pair.len() == 2 && !failed;
        if let Some(at) = pair.iter().position(|row| row.counts != counts) {
            let place = format!("rows[{}].counts", before + at);
            return Err(FirstProblem::new(place, "does not follow from the rounds of its pair"));
        }
        before += pair.len();
    }
    Ok(())
}

/// A value as read back from JSON. The last digit of a number may change.
fn as_read(value: &impl Serialize) -> Value {
    let text = serde_json::to_string(value).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

fn compare(recorded: &Value, expected: &Value) -> Result<(), CheckStop> {
    let Some(difference) = judge_grading::first_difference(recorded, expected) else {
        return Ok(());
    };
    let [recorded, found] = difference.sides.map(|side| side.unwrap_or("missing".to_owned()));
    let what = "does not follow from the rows";
    Err(FirstProblem::new(difference.path, what).with(recorded, found).into())
}
