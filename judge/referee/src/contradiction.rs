//! Describes a contradiction in a recorded round for display: the position, the recorded content,
//! and the expected content.

use judge_core::{BrokenSeal, Call, Fault, Replay, RoundRecord};

use crate::compare::{RecordDifference, RecordPart};
use crate::verify::Disproof;
use crate::words::traced;

/// A position at which a recorded round is contradicted, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The position in the file.
    pub place: String,
    /// The kind of contradiction.
    pub what: String,
    /// The recorded content and the actual content.
    pub sides: Option<[String; 2]>,
}

const END_OF_RECORD: &str = "nothing: the record ends here";
const END_OF_MATCH: &str = "nothing: the match ends before";

impl Contradiction {
    /// A contradiction without contents to compare.
    pub fn new(place: impl Into<String>, what: impl Into<String>) -> Contradiction {
        Contradiction { place: place.into(), what: what.into(), sides: None }
    }

    /// Adds the recorded content and the actual content.
    #[must_use]
    pub fn with(self, recorded: impl Into<String>, found: impl Into<String>) -> Contradiction {
        Contradiction { sides: Some([recorded.into(), found.into()]), ..self }
    }

    /// A seal that does not match.
    pub fn of_seal(broken: &BrokenSeal) -> Contradiction {
        let mut what = format!("changed after it was written: {broken}");
        if is_in_calls(broken) {
            what += "; the rules allow every line, so it is a cost, an answer that changes \
                     nothing, memory or a log: name the bots to find it";
        }
        Contradiction::new(broken.place(), what)
    }

    /// A round that the rules contradict.
    pub fn by_rules(record: &RoundRecord, disproof: &Disproof) -> Contradiction {
        match disproof {
            Disproof::Setup(_) | Disproof::Limits => {
                Contradiction::new("line 1", disproof.to_string())
            }
            Disproof::Call { index, found, fault } => {
                let fault = fault.as_deref().filter(|_| found.is_none());
                if let Some(fault) = fault.filter(|fault| fault.call.is_some()) {
                    return refused(record, index.saturating_sub(1), fault);
                }
                let what = "not what the rules and the opponent give; it, or an answer before it, \
                            was changed";
                let [recorded, _] = shown_calls(record.calls.get(*index), None);
                let [_, found] = shown_calls(None, found.as_ref());
                Contradiction::new(call_place(*index), what).with(recorded, found)
            }
            Disproof::Ends(differences) => {
                Contradiction::at_the_end(record, differences, "not what the rules give")
            }
        }
    }

    /// A round with another recorded end.
    pub fn at_the_end(
        record: &RoundRecord,
        differences: &[RecordDifference],
        why: &str,
    ) -> Contradiction {
        let line = Replay::line_of_call(record.calls.len());
        match differences.last() {
            None => Contradiction::new(format!("line {line}"), why),
            // An impossible transcript appears as a failure of the judge, with the reason.
            Some(last) => {
                let is_fault =
                    |difference: &&RecordDifference| difference.what == RecordPart::Fault;
                let fault = differences.iter().find(is_fault);
                let RecordDifference { what, sides: [recorded, found] } = fault.unwrap_or(last);
                Contradiction::new(format!("line {line}, {what}"), why).with(recorded, found)
            }
        }
    }
}

/// True if the change may be anywhere in the calls. For other changes the hashes show the
/// position.
pub fn is_in_calls(broken: &BrokenSeal) -> bool {
    matches!(broken, BrokenSeal::Calls { .. })
}

/// The position of a call in a replay.
pub fn call_place(index: usize) -> String {
    format!("line {} (call {})", Replay::line_of_call(index), index + 1)
}

/// A recorded call and the actual one, as text.
pub fn shown_calls(recorded: Option<&Call>, found: Option<&Call>) -> [String; 2] {
    let shown = |call: Option<&Call>, none: &str| call.map_or_else(|| none.to_owned(), traced);
    [shown(recorded, END_OF_RECORD), shown(found, END_OF_MATCH)]
}

/// A record that continues after an answer that ends the round.
fn refused(record: &RoundRecord, index: usize, fault: &Fault) -> Contradiction {
    let what = "the round ends here by the rules, but the record continues";
    let [recorded, _] = shown_calls(record.calls.get(index), None);
    let found = format!("{}: {}", fault.verdict, fault.detail);
    Contradiction::new(call_place(index), what).with(recorded, found)
}
