//! The data that a page's script reads: JSON inside HTML.

use std::collections::BTreeMap;

use judge_core::{Call, Limits, RoundRecord, Seat};
use serde::Serialize;

use super::fuel::cost;
use super::language::PageLanguage;
use super::pictures::PictureSequence;
use super::sheet::tame;
use super::steps::{RoundStep, RoundSteps};

/// All texts that the script shows, ready for display.
#[derive(Serialize)]
pub(super) struct ScriptData<'a> {
    steps: Vec<Said>,
    lines: &'a [String],
    pictures: Vec<&'a PictureSequence>,
    /// The seat of each sequence; none for the one that shows everything.
    seats: Vec<Option<Seat>>,
    /// The step to start at, if it is not the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<usize>,
}

/// Lines of a step.
#[derive(Serialize)]
struct Said {
    calls: Vec<ScriptLine>,
    #[serde(skip_serializing_if = "String::is_empty")]
    cost: String,
    /// A text below the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<StepNote>,
}

/// A player's text.
#[derive(Serialize)]
struct StepNote {
    seat: Seat,
    text: String,
}

#[derive(Serialize)]
struct ScriptLine {
    seat: Seat,
    line: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<String>,
    /// The player's log in this call.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    failed: bool,
}

impl<'a> ScriptData<'a> {
    /// Returns the data of a round; `failed` is the call that failed, and `fault` the step to start
    /// at.
    pub(super) fn new(
        record: &RoundRecord,
        steps: &'a RoundSteps,
        failed: Option<usize>,
        fault: Option<usize>,
        language: PageLanguage,
    ) -> ScriptData<'a> {
        let narrower = steps.narrower();
        let (limits, logged) = (&record.header.spec.limits, logged(record));
        ScriptData {
            steps: steps
                .steps
                .iter()
                .map(|step| exchange(step, limits, &logged, failed, language))
                .collect(),
            lines: steps.lines.texts(),
            pictures: [&steps.pictures[0]]
                .into_iter()
                .chain(narrower.iter().map(|pair| pair.1))
                .collect(),
            seats: [None].into_iter().chain(narrower.iter().map(|pair| Some(pair.0))).collect(),
            fault,
        }
    }

    pub(super) fn to_json(&self) -> String {
        escaped(&serde_json::to_string(self).expect("texts and numbers"))
    }
}

/// The log texts by call, if it is known which call wrote what.
fn logged(record: &RoundRecord) -> BTreeMap<usize, &str> {
    Seat::BOTH.into_iter().filter_map(|seat| record.logged(seat)).flatten().collect()
}

fn exchange(
    step: &RoundStep,
    limits: &Limits,
    logged: &BTreeMap<usize, &str>,
    failed: Option<usize>,
    language: PageLanguage,
) -> Said {
    let line = |(at, call): (usize, &Call)| ScriptLine {
        seat: call.seat,
        line: tame(&call.line),
        answer: call.answer.as_deref().map(tame),
        cost: call.fuel.map(|fuel| cost(fuel, limits)),
        log: logged.get(&at).map(|text| tame(text)),
        failed: failed == Some(at),
    };
    Said {
        calls: (step.first..).zip(&step.calls).map(line).collect(),
        cost: costs(step, limits, language),
        note: step.note.as_ref().map(|(seat, text)| StepNote { seat: *seat, text: tame(text) }),
    }
}

/// The cost of a step for each seat with metered fuel.
fn costs(step: &RoundStep, limits: &Limits, language: PageLanguage) -> String {
    let of = |seat: Seat| {
        let counted = step.calls.iter().any(|call| call.seat == seat && call.fuel.is_some());
        counted.then(|| {
            let who = language.t1("seat {0}", seat);
            format!("{who}: {}", cost(step.fuel(seat), limits))
        })
    };
    Seat::BOTH.into_iter().filter_map(of).collect::<Vec<_>>().join(", ")
}

/// Escapes JSON so that no tag and no comment can begin or end in it.
fn escaped(json: &str) -> String {
    // These characters occur only in strings, where JSON may write them as numbers.
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_in_a_script_is_escaped_and_complete() {
        let text = "</script><!--<script>&lt;\u{2028}\"\\";
        let json = escaped(&serde_json::to_string(text).expect("a text"));
        assert!(!json.contains(['<', '>', '&']), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).expect("JSON"), text);
    }
}
