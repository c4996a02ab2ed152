//! What a check looked at, what it could not look at, and the first thing that does not hold.

use std::path::Path;

use judge_core::printable;
use serde_json::json;

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
    /// The first thing that does not hold.
    pub(crate) problem: Option<Problem>,
}

impl Findings {
    pub(crate) fn new(file: &Path, full: bool) -> Findings {
        let file = file.display().to_string();
        let [notes, checked, unchecked] = [const { Vec::new() }; 3];
        Findings { file, kind: "file", full, notes, checked, unchecked, problem: None }
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

    /// For people.
    pub(crate) fn text(&self) -> String {
        let mut lines = Vec::new();
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        lines.extend(self.checked.iter().map(|what| format!("checked: {what}")));
        match &self.problem {
            Some(problem) => {
                lines.push(format!("DOES NOT HOLD: {}: {}", problem.place, problem.what));
                if let Some([recorded, found]) = &problem.sides {
                    lines.push(format!("  recorded: {recorded}"));
                    lines.push(format!("  found:    {found}"));
                }
            }
            None => {
                lines.extend(self.unchecked.iter().map(|what| format!("not checked: {what}")));
                let how = if self.full { "played again" } else { "by the rules alone" };
                lines.push(format!("the {} holds ({how})", self.kind));
            }
        }
        lines.iter().map(|line| printable(line, usize::MAX) + "\n").collect()
    }

    /// For programs.
    pub(crate) fn json(&self) -> String {
        let problem = self.problem.as_ref().map(|problem| {
            let [recorded, found] =
                problem.sides.as_ref().map_or([None, None], |[a, b]| [Some(a), Some(b)]);
            let Problem { place, what, .. } = problem;
            json!({"place": place, "what": what, "recorded": recorded, "found": found})
        });
        let value = json!({
            "file": self.file,
            "kind": self.kind,
            "level": if self.full { "full" } else { "rules" },
            "holds": self.problem.is_none(),
            "problem": problem,
            "notes": self.notes,
            "checked": self.checked,
            "unchecked": self.unchecked,
        });
        format!("{value:#}\n")
    }
}
