//! Contradictions in a round, found by the rules or by its players.

use judge_core::RoundRecord;
use judge_referee::{Contradiction, Disproof, call_place, shown_calls};

use super::super::{CheckStop, FirstProblem};
use super::is_judges_failure;
use crate::Error;

/// Fails with the earliest contradiction of the rules or the bots. The rules often only detect a
/// consequence of a changed answer.
pub(super) fn first_problem(
    record: &RoundRecord,
    disproof: Option<&Disproof>,
    again: Option<&RoundRecord>,
) -> Result<(), CheckStop> {
    let seen_by_rules = match disproof {
        Some(Disproof::Call { index, .. }) => *index,
        _ => record.calls.len(),
    };
    if let Some(again) = again {
        let parted = judge_referee::first_different_call(&record.calls, &again.calls);
        if disproof.is_none() || parted.is_some_and(|index| index <= seen_by_rules) {
            compare(record, again)?;
        }
    }
    let by_rules = |disproof| FirstProblem::from(Contradiction::by_rules(record, disproof)).into();
    disproof.map_or(Ok(()), |disproof| Err(by_rules(disproof)))
}

/// Compares answers and costs call by call, and then the final summary.
fn compare(record: &RoundRecord, again: &RoundRecord) -> Result<(), CheckStop> {
    if is_judges_failure(again) {
        let why = again.trailer.fault.as_ref().map(|fault| fault.detail.to_string());
        return Err(Error::Judge(why.unwrap_or_default()).into());
    }
    if let Some(index) = judge_referee::first_different_call(&record.calls, &again.calls) {
        let [recorded, found] = shown_calls(record.calls.get(index), again.calls.get(index));
        let what = "different when the bots play again";
        let problem = Contradiction::new(call_place(index), what).with(recorded, found);
        return Err(FirstProblem::from(problem).into());
    }
    let differences = judge_referee::trailers(&record.trailer, &again.trailer);
    if differences.is_empty() {
        return Ok(());
    }
    let why = "different when the bots play again";
    Err(FirstProblem::from(Contradiction::at_the_end(record, &differences, why)).into())
}
