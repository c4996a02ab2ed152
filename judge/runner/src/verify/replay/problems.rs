//! Problems of a round: the places where the rules or its players contradict it.

use judge_core::{BrokenSeal, Call, Fault, MatchRecord, Replay};
use judge_referee::{Difference, Disproof, RecordPart};

use super::super::{Problem, Stop};
use super::{is_in_calls, is_judges_failure};
use crate::Error;
use crate::round_text;

/// The problem of a seal that does not fit.
pub(super) fn of_seal(broken: &BrokenSeal) -> Problem {
    let mut what = format!("changed after it was written: {broken}");
    if is_in_calls(broken) {
        what += "; the rules allow every line, so it is a cost, an answer that changes nothing, \
                 memory or a log: name the bots to find it";
    }
    Problem::new(broken.place(), what)
}

fn place(index: usize) -> String {
    format!("line {} (call {})", Replay::line_of_call(index), index + 1)
}

/// A call for people; `none` for one that is not there.
fn shown(call: Option<&Call>, none: &str) -> String {
    call.map_or_else(|| none.to_owned(), round_text::traced)
}

const END_OF_RECORD: &str = "nothing: the record ends here";
const END_OF_MATCH: &str = "nothing: the match ends before";

/// The problem of a round that the rules contradict.
pub(super) fn by_rules(record: &MatchRecord, disproof: &Disproof) -> Problem {
    match disproof {
        Disproof::Setup(_) | Disproof::Limits => Problem::new("line 1", disproof.to_string()),
        Disproof::Call { index, found, fault } => {
            let fault = fault.as_deref().filter(|_| found.is_none());
            if let Some(fault) = fault.filter(|fault| fault.call.is_some()) {
                return refused(record, index.saturating_sub(1), fault);
            }
            let recorded = shown(record.calls.get(*index), END_OF_RECORD);
            let what = "not what the rules and the opponent give; it, or an answer before it, was \
                        changed";
            Problem::new(place(*index), what).with(recorded, shown(found.as_ref(), END_OF_MATCH))
        }
        Disproof::Ends(differences) => at_the_end(record, differences, "not what the rules give"),
    }
}

/// A record that goes on after an answer that ends the match.
fn refused(record: &MatchRecord, index: usize, fault: &Fault) -> Problem {
    let what = "the match ends here by the rules, but the record goes on";
    let found = format!("{}: {}", fault.verdict, fault.detail);
    Problem::new(place(index), what).with(shown(record.calls.get(index), END_OF_RECORD), found)
}

/// Fails with what the rules or the bots contradict, whichever see it first: the rules often see only what
/// follows from a changed answer.
pub(super) fn first_problem(
    record: &MatchRecord,
    disproof: Option<&Disproof>,
    again: Option<&MatchRecord>,
) -> Result<(), Stop> {
    let seen_by_rules = match disproof {
        Some(Disproof::Call { index, .. }) => *index,
        _ => record.calls.len(),
    };
    if let Some(again) = again {
        let parted = judge_referee::parting_call(&record.calls, &again.calls);
        if disproof.is_none() || parted.is_some_and(|index| index <= seen_by_rules) {
            compare(record, again)?;
        }
    }
    disproof.map_or(Ok(()), |disproof| Err(by_rules(record, disproof).into()))
}

fn at_the_end(record: &MatchRecord, differences: &[Difference], why: &str) -> Problem {
    let line = Replay::line_of_call(record.calls.len());
    match differences.last() {
        None => Problem::new(format!("line {line}"), why),
        // An impossible transcript shows as a failure of the judge, and its fault says why.
        Some(last) => {
            let fault = differences.iter().find(|difference| difference.what == RecordPart::Fault);
            let Difference { what, sides: [recorded, found] } = fault.unwrap_or(last);
            Problem::new(format!("line {line}, {what}"), why).with(recorded, found)
        }
    }
}

/// Answers and costs must be the same, call by call, and so must what is told at the end.
fn compare(record: &MatchRecord, again: &MatchRecord) -> Result<(), Stop> {
    if is_judges_failure(again) {
        let why = again.trailer.fault.as_ref().map(|fault| fault.detail.to_string());
        return Err(Error::Judge(why.unwrap_or_default()).into());
    }
    if let Some(index) = judge_referee::parting_call(&record.calls, &again.calls) {
        let recorded = shown(record.calls.get(index), END_OF_RECORD);
        let found = shown(again.calls.get(index), END_OF_MATCH);
        let what = "not what the bots do when they play again";
        return Err(Problem::new(place(index), what).with(recorded, found).into());
    }
    let differences = judge_referee::trailers(&record.trailer, &again.trailer);
    if differences.is_empty() {
        return Ok(());
    }
    Err(at_the_end(record, &differences, "not what comes of it when the bots play again").into())
}
