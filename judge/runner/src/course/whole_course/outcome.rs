//! The result of a course with several suites, as text.

use std::fmt::Write as _;
use std::path::PathBuf;

use judge_core::printable;

use crate::course;

/// The results of a course over all its suites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// A one-line title.
    pub title: String,
    /// The folder of the results.
    pub folder: PathBuf,
    /// Number of students over all suites.
    pub students: usize,
    /// The suites that were graded, in the order of the course.
    pub suites: Vec<GradedSuite>,
    /// The suites without submissions, which no sum includes.
    pub not_graded: Vec<String>,
    /// Students with marks over all suites that changed since the last run, and the changes.
    pub changed: Vec<course::Notable>,
}

/// A suite that was graded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradedSuite {
    /// The suite's name in the course.
    pub name: String,
    /// The results.
    pub outcome: course::Outcome,
}

impl Outcome {
    /// Formats a summary: each suite, then the paths of the marks over all suites.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail. The same holds below.
        for suite in &self.suites {
            let _ = writeln!(text, "== {}\n{}", suite.name, suite.outcome.to_text());
        }
        let (title, students) = (printable(&self.title, 200), self.students);
        let plural = if students == 1 { "" } else { "s" };
        let _ = writeln!(text, "== {title}: {students} student{plural}");
        if !self.not_graded.is_empty() {
            let names = self.not_graded.join(", ");
            let _ = writeln!(text, "no submissions yet, and left out of the sums: {names}");
        }
        text += &course::changed_text(&self.folder, &self.changed);
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

    /// A line for each suite with marks that are not final because of judge errors.
    pub fn judge_errors_text(&self) -> Option<String> {
        let line = |suite: &GradedSuite| {
            Some(format!("`{}`: {}", suite.name, suite.outcome.judge_errors_text()?))
        };
        let lines: Vec<String> = self.suites.iter().filter_map(line).collect();
        (!lines.is_empty()).then(|| lines.join("; "))
    }
}
