//! The mark sheet of a graded course, read back.

use std::path::Path;

use judge_core::{BotReport, TestcaseReport};
use serde::Deserialize;

use crate::course::CourseFolder;
use crate::failure::Failure;

/// What is needed of a line.
#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    pub(super) student: String,
    points: u32,
    pub(super) max_points: u32,
    pub(super) rank_points: Option<u32>,
    score: i64,
    worst_verdict: String,
    digest: String,
    report: String,
}

impl Line {
    /// The name without what keeps it from being a formula.
    pub(super) fn name(&self) -> String {
        let bare = self.student.strip_prefix('\'').unwrap_or(&self.student);
        let formula = bare
            .trim_start()
            .starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
        if formula { bare.to_owned() } else { self.student.clone() }
    }

    /// The student's report, as a path from the folder; none for who handed in nothing.
    pub(crate) fn report(&self) -> Option<&str> {
        (!self.report.is_empty()).then_some(self.report.as_str())
    }

    /// The first figure that is not that of the report.
    pub(crate) fn disagrees(&self, bot: &BotReport) -> Option<String> {
        let points = bot.points.saturating_add(self.rank_points.unwrap_or(0));
        let pairs = [
            ("points", self.points.to_string(), points.to_string()),
            ("score", self.score.to_string(), bot.score.to_string()),
            ("worst_verdict", self.worst_verdict.clone(), bot.worst_label().to_owned()),
            ("digest", self.digest.clone(), bot.digest.to_string()),
        ];
        // Without the whole report the digest of the whole cannot be known.
        let withheld = bot.testcases.iter().any(TestcaseReport::is_withheld);
        let mut known = pairs.into_iter().filter(|(what, ..)| !withheld || *what != "digest");
        let differs = known.find(|(_, told, found)| told != found);
        differs.map(|(what, told, found)| format!("`{what}` is `{told}`; the report has `{found}`"))
    }
}

/// The lines of a course's sheet.
pub(crate) fn read(path: &Path) -> Result<Vec<Line>, Failure> {
    let sheet = CourseFolder::at(path).marks();
    if !sheet.is_file() {
        CourseFolder::existing(path)?;
        let what = format!("`{}`: this course has no mark sheet yet", path.display());
        let hint = "go on with it by `judge grade … --resume`".to_owned();
        return Err(Failure::Input { what, hint: Some(hint) });
    }
    let text = Failure::read_text(&sheet)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let lines: Result<Vec<Line>, csv::Error> = reader.deserialize().collect();
    let lines = lines.map_err(|error| Failure::input(&sheet, &error))?;
    for line in &lines {
        let is_plain = |report: &str| {
            report.strip_prefix("students/").is_some_and(|name| !name.contains(['/', '\\']))
        };
        if line.report().is_some_and(|report| !is_plain(report)) {
            let what = format!("`{}` is no report of this course", line.report);
            return Err(Failure::input(&sheet, &what));
        }
    }
    Ok(lines)
}
