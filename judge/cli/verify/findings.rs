//! What a check looked at, what it could not look at, and the first thing that does not hold.

use std::path::Path;

use judge_core::printable;
use serde_json::json;

use crate::failure::Exit;

/// The first thing that does not hold.
#[derive(Debug)]
pub(crate) struct Problem {
    /// Where in the file: `line 14 (call 13)`, `bots[0].testcases[1].score`.
    pub(crate) place: String,
    /// What is wrong with it.
    pub(crate) what: String,
    /// What stands there, and what should.
    pub(crate) sides: Option<[String; 2]>,
}

impl Problem {
    /// A problem with nothing to put side by side.
    pub(crate) fn new(place: impl Into<String>, what: impl Into<String>) -> Problem {
        Problem { place: place.into(), what: what.into(), sides: None }
    }

    /// The same problem, with what is recorded and what was found instead.
    pub(crate) fn with(self, recorded: impl Into<String>, found: impl Into<String>) -> Problem {
        Problem { sides: Some([recorded.into(), found.into()]), ..self }
    }
}

/// What a check comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Everything in the file was checked.
    Holds,
    /// Nothing contradicts the file, but not all of it was checked.
    NotChecked,
    /// Something in the file is not true.
    DoesNotHold,
}

/// The result of a check.
pub(crate) struct Findings {
    file: String,
    /// `replay` or `report`, and one line on what is in it.
    pub(crate) kind: &'static str,
    /// Whether the bots were played again.
    full: bool,
    notes: Vec<String>,
    checked: Vec<String>,
    unchecked: Vec<String>,
    /// What is no part of what holds, such as the wall clock's figures.
    beside: Vec<&'static str>,
    /// The first thing that does not hold.
    pub(crate) problem: Option<Problem>,
}

impl Findings {
    pub(crate) fn new(file: &Path, full: bool) -> Findings {
        let file = file.display().to_string();
        let [notes, checked, unchecked] = [const { Vec::new() }; 3];
        let beside = Vec::new();
        Findings { file, kind: "file", full, notes, checked, unchecked, beside, problem: None }
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    pub(crate) fn checked(&mut self, what: impl Into<String>) {
        self.checked.push(what.into());
    }

    pub(crate) fn unchecked(&mut self, what: impl Into<String>) {
        self.unchecked.push(what.into());
    }

    pub(crate) fn beside(&mut self, what: &'static str) {
        self.beside.push(what);
    }

    fn state(&self) -> State {
        match (&self.problem, self.unchecked.as_slice()) {
            (Some(_), _) => State::DoesNotHold,
            (None, []) => State::Holds,
            (None, _) => State::NotChecked,
        }
    }

    /// The exit code: nothing that was not checked is a success.
    pub(crate) fn exit(&self) -> Exit {
        match self.state() {
            State::Holds => Exit::Passed,
            State::NotChecked => Exit::Undecided,
            State::DoesNotHold => Exit::Failed,
        }
    }

    /// For people; the first line has the result.
    pub(crate) fn text(&self) -> String {
        let mut lines = self.result();
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        lines.extend(self.checked.iter().map(|what| format!("checked: {what}")));
        // What is wrong needs no list of what else could be.
        let unchecked = self.unchecked.iter().filter(|_| self.problem.is_none());
        lines.extend(unchecked.map(|what| format!("not checked: {what}")));
        lines.iter().map(|line| printable(line, usize::MAX) + "\n").collect()
    }

    fn result(&self) -> Vec<String> {
        let how = if self.full { "played again" } else { "by the rules alone" };
        let kind = self.kind;
        let Some(problem) = &self.problem else {
            let beside: String =
                self.beside.iter().map(|what| format!(", but for {what}")).collect();
            return vec![match self.state() {
                State::NotChecked => format!(
                    "NOT CHECKED: nothing contradicts the {kind} ({how}), but not all of it was \
                     checked"
                ),
                _ => format!("holds: all of the {kind} was checked ({how}){beside}"),
            }];
        };
        let mut lines = vec![format!("DOES NOT HOLD: {}: {}", problem.place, problem.what)];
        if let Some([recorded, found]) = &problem.sides {
            lines.push(format!("  recorded: {recorded}"));
            lines.push(format!("  found:    {found}"));
        }
        lines
    }

    /// For programs.
    pub(crate) fn json(&self) -> String {
        let problem = self.problem.as_ref().map(|problem| {
            let [recorded, found] =
                problem.sides.as_ref().map_or([None, None], |[a, b]| [Some(a), Some(b)]);
            let Problem { place, what, .. } = problem;
            json!({"place": place, "what": what, "recorded": recorded, "found": found})
        });
        let (result, holds) = match self.state() {
            State::Holds => ("holds", Some(true)),
            State::NotChecked => ("not-checked", None),
            State::DoesNotHold => ("does-not-hold", Some(false)),
        };
        let value = json!({
            "file": self.file,
            "kind": self.kind,
            "level": if self.full { "full" } else { "rules" },
            "result": result,
            "holds": holds,
            "problem": problem,
            "notes": self.notes,
            "checked": self.checked,
            "unchecked": self.unchecked,
            "beside": self.beside,
        });
        format!("{value:#}\n")
    }
}
