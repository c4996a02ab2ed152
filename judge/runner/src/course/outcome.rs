//! The result of a course, as text.

use std::fmt::Write as _;
use std::path::PathBuf;

use judge_core::printable;

use super::assignment_outcome::{AssignmentOutcome, Notable, changed_text};
use crate::base::shard::Shard;

/// The result of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The assignments that were graded, in the order of the course.
    pub assignments: Vec<AssignmentOutcome>,
    /// The result over all assignments.
    pub overall: Overall,
}

/// The result over all assignments of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overall {
    /// The course has one assignment.
    OneAssignment,
    /// Only a part of the submissions was graded, so there are no marks over all assignments yet.
    Part {
        /// The title of the course.
        title: String,
        /// The part.
        shard: Shard,
    },
    /// Marks over several assignments.
    Marks(OverallMarks),
}

/// Marks over several assignments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverallMarks {
    /// A one-line title.
    pub title: String,
    /// The folder of the results.
    pub folder: PathBuf,
    /// Number of students over all assignments.
    pub students: usize,
    /// The assignments without submissions, which no sum includes.
    pub not_graded: Vec<String>,
    /// Students with marks over all assignments that changed since the last run, and the changes.
    pub changed: Vec<Notable>,
}

impl Outcome {
    /// Formats a summary: each assignment, then the paths of the marks over several.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for assignment in &self.assignments {
            // Writing to a string cannot fail. The same holds below.
            let _ = match &assignment.in_course {
                Some(name) => writeln!(text, "== {name}\n{}", assignment.to_text()),
                None => write!(text, "{}", assignment.to_text()),
            };
        }
        match &self.overall {
            Overall::OneAssignment => {}
            Overall::Part { title, shard } => {
                let title = printable(title, 200);
                let _ = writeln!(
                    text,
                    "== {title}: part {shard}; `judge merge` joins all parts, and makes the marks \
                     over all suites"
                );
            }
            Overall::Marks(marks) => text += &marks.to_text(),
        }
        text
    }

    /// A line about marks that are not final because of judge errors.
    pub fn judge_errors_text(&self) -> Option<String> {
        let line = |assignment: &AssignmentOutcome| {
            let errors = assignment.judge_errors_text()?;
            Some(match &assignment.in_course {
                Some(name) => format!("`{name}`: {errors}"),
                None => errors,
            })
        };
        let lines: Vec<String> = self.assignments.iter().filter_map(line).collect();
        (!lines.is_empty()).then(|| lines.join("; "))
    }
}

impl OverallMarks {
    fn to_text(&self) -> String {
        let (title, students) = (printable(&self.title, 200), self.students);
        let plural = if students == 1 { "" } else { "s" };
        let mut text = format!("== {title}: {students} student{plural}\n");
        if !self.not_graded.is_empty() {
            let names = self.not_graded.join(", ");
            let _ = writeln!(text, "no submissions yet, and left out of the sums: {names}");
        }
        text += &changed_text(&self.folder, &self.changed);
        for (what, file) in [
            ("marks", "marks.csv"),
            ("scoreboard", "scoreboard.html"),
            ("pages", "students"),
            ("to send, one file per student", "send"),
        ] {
            let path = self.folder.join(file).display().to_string();
            let _ = writeln!(text, "{what}: {}", printable(&path, usize::MAX));
        }
        text
    }
}
