//! Findings of a check: confirmed items, unchecked items, and the first contradiction.

use std::path::{Path, PathBuf};

use judge_core::printable;
use judge_referee::Contradiction;
use judge_report::json_text;
use serde_json::{Value, json};

/// Kinds of files that can be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckedFile {
    /// A single round.
    Replay,
    /// A report on grading.
    Report,
    /// The journal of a match, tournament or grading.
    Journal,
    /// The JSON of a match or tournament.
    Result,
}

impl CheckedFile {
    /// The file's kind as a noun, such as `replay`.
    pub fn name(self) -> &'static str {
        match self {
            CheckedFile::Replay => "replay",
            CheckedFile::Report => "report",
            CheckedFile::Journal => "journal",
            CheckedFile::Result => "result",
        }
    }
}

/// Depth of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Only by the rules.
    Rules,
    /// By the rules and by a replay with the bots.
    Full,
}

/// The status of an item in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The item was checked and holds.
    Checked,
    /// The item was not checked.
    Unchecked,
    /// The item is missing from the file.
    Missing,
    /// The item is wrong.
    Contradicted,
}

/// Two values that should be equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sides {
    /// The value in the file.
    pub recorded: String,
    /// The correct value.
    pub found: String,
}

/// An item in a file, and its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its status.
    pub status: Status,
    /// The position in the file, if any: `line 14 (call 13)`, `seat 1 (`ada`)`.
    pub place: Option<String>,
    /// The item, or for a contradiction the error in it.
    pub what: String,
    /// The reason why it was not checked, or a way to check it.
    pub why: Option<String>,
    /// The values that contradict each other.
    pub sides: Option<Sides>,
}

impl Finding {
    fn new(status: Status, what: impl Into<String>) -> Finding {
        Finding { status, place: None, what: what.into(), why: None, sides: None }
    }

    pub(super) fn checked(what: impl Into<String>) -> Finding {
        Finding::new(Status::Checked, what)
    }

    pub(super) fn unchecked(what: impl Into<String>) -> Finding {
        Finding::new(Status::Unchecked, what)
    }

    pub(super) fn missing(what: impl Into<String>) -> Finding {
        Finding::new(Status::Missing, what)
    }

    /// Adds the position.
    pub(super) fn at(self, place: impl Into<String>) -> Finding {
        Finding { place: Some(place.into()), ..self }
    }

    /// Adds the reason why it was not checked, or a way to check it.
    pub(super) fn because(self, why: impl Into<String>) -> Finding {
        Finding { why: Some(why.into()), ..self }
    }

    /// Formats position, item and reason in one line.
    pub fn line(&self) -> String {
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let why = self.why.as_ref().map(|why| format!("; {why}")).unwrap_or_default();
        format!("{place}{}{why}", self.what)
    }

    fn json(&self) -> Value {
        let Finding { place, what, sides, .. } = self;
        let [recorded, found] =
            [sides.as_ref().map(|both| &both.recorded), sides.as_ref().map(|both| &both.found)];
        json!({"place": place, "what": what, "recorded": recorded, "found": found})
    }
}

/// The first item that does not hold. It ends a check.
#[derive(Debug)]
pub(crate) struct FirstProblem {
    pub(crate) place: String,
    pub(crate) what: String,
    sides: Option<Sides>,
}

impl FirstProblem {
    /// Creates a problem without values to compare.
    pub(super) fn new(place: impl Into<String>, what: impl Into<String>) -> FirstProblem {
        FirstProblem { place: place.into(), what: what.into(), sides: None }
    }

    /// Adds the recorded value and the correct one.
    pub(super) fn with(
        self,
        recorded: impl Into<String>,
        found: impl Into<String>,
    ) -> FirstProblem {
        let sides = Sides { recorded: recorded.into(), found: found.into() };
        FirstProblem { sides: Some(sides), ..self }
    }
}

impl From<FirstProblem> for Finding {
    fn from(FirstProblem { place, what, sides }: FirstProblem) -> Finding {
        Finding { sides, ..Finding::new(Status::Contradicted, what).at(place) }
    }
}

impl From<Contradiction> for FirstProblem {
    fn from(Contradiction { place, what, sides }: Contradiction) -> FirstProblem {
        let sides = sides.map(|[recorded, found]| Sides { recorded, found });
        FirstProblem { place, what, sides }
    }
}

/// The conclusion of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// Everything in the file was checked.
    Holds,
    /// Nothing contradicts the file, but not all of it was checked.
    NotChecked,
    /// Something in the file is wrong.
    DoesNotHold,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The checked file.
    pub file: PathBuf,
    /// The file's kind.
    pub kind: CheckedFile,
    /// Depth of the check.
    pub level: Level,
    /// Remarks on the file: the claim that it makes.
    pub notes: Vec<String>,
    /// All findings. A contradiction is the last one.
    pub findings: Vec<Finding>,
    /// Parts that no check covers, such as measured times.
    pub beside: Vec<&'static str>,
}

impl Outcome {
    pub(super) fn new(file: &Path, kind: CheckedFile, level: Level) -> Outcome {
        let (notes, findings, beside) = (Vec::new(), Vec::new(), Vec::new());
        Outcome { file: file.to_owned(), kind, level, notes, findings, beside }
    }

    pub(super) fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    pub(super) fn checked(&mut self, what: impl Into<String>) {
        self.add(Finding::checked(what));
    }

    /// The findings with this status.
    pub fn with(&self, status: Status) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.status == status)
    }

    /// The contradiction, if any.
    pub fn contradiction(&self) -> Option<&Finding> {
        self.with(Status::Contradicted).next()
    }

    /// The conclusion. It is only a success if everything was checked.
    pub fn conclusion(&self) -> Conclusion {
        let is_checked = |finding: &Finding| finding.status == Status::Checked;
        match self.contradiction() {
            Some(_) => Conclusion::DoesNotHold,
            None if self.findings.iter().all(is_checked) => Conclusion::Holds,
            None => Conclusion::NotChecked,
        }
    }

    /// All unchecked items, missing ones first.
    fn unchecked(&self) -> impl Iterator<Item = &Finding> {
        self.with(Status::Missing).chain(self.with(Status::Unchecked))
    }

    /// Formats the outcome for people; the first line has the conclusion.
    pub fn text(&self) -> String {
        let mut lines = self.first_lines();
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        let checked = self.with(Status::Checked);
        lines.extend(checked.map(|finding| format!("checked: {}", finding.line())));
        // After a contradiction, a list of unchecked items is not needed.
        if self.contradiction().is_none() {
            let missing = self.with(Status::Missing);
            lines.extend(missing.map(|finding| format!("missing: {}", finding.line())));
            let unchecked = self.with(Status::Unchecked);
            lines.extend(unchecked.map(|finding| format!("not checked: {}", finding.line())));
        }
        lines.iter().map(|line| printable(line, usize::MAX) + "\n").collect()
    }

    fn first_lines(&self) -> Vec<String> {
        let how = match self.level {
            Level::Full => "played again",
            Level::Rules => "rules only",
        };
        let kind = self.kind.name();
        let Some(problem) = self.contradiction() else {
            let except: String =
                self.beside.iter().map(|what| format!(", but for {what}")).collect();
            let missing = self.with(Status::Missing).next();
            return vec![match (self.conclusion(), missing) {
                (Conclusion::NotChecked, Some(missing)) => format!(
                    "NOT CHECKED: {}; nothing contradicts the rest of the {kind} ({how})",
                    missing.what
                ),
                (Conclusion::NotChecked, None) => format!(
                    "NOT CHECKED: nothing contradicts the {kind} ({how}), but not all of it was \
                     checked"
                ),
                _ => format!("holds: all of the {kind} was checked ({how}){except}"),
            }];
        };
        let mut lines = vec![format!("DOES NOT HOLD: {}", problem.line())];
        if let Some(Sides { recorded, found }) = &problem.sides {
            lines.push(format!("  recorded: {recorded}"));
            lines.push(format!("  found:    {found}"));
        }
        lines
    }

    /// Renders the outcome for programs.
    pub fn json(&self) -> String {
        let (result, holds) = match self.conclusion() {
            Conclusion::Holds => ("holds", Some(true)),
            Conclusion::NotChecked => ("not-checked", None),
            Conclusion::DoesNotHold => ("does-not-hold", Some(false)),
        };
        let lines = |status| self.with(status).map(Finding::line).collect::<Vec<_>>();
        let unchecked: Vec<String> = self.unchecked().map(Finding::line).collect();
        let value = json!({
            "file": self.file.display().to_string(),
            "kind": self.kind.name(),
            "level": if self.level == Level::Full { "full" } else { "rules" },
            "result": result,
            "holds": holds,
            "problem": self.contradiction().map(Finding::json),
            "notes": self.notes,
            "checked": lines(Status::Checked),
            "unchecked": unchecked,
            "missing": lines(Status::Missing),
            "beside": self.beside,
        });
        json_text(&value)
    }
}
