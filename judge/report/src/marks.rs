//! The mark sheet of a course: one row per student, as CSV for a spreadsheet or a gradebook.

use std::io::Write;

use judge_core::{Digest, Lateness, Points, StudentBot, Verdict};
use serde::Serialize;

use crate::text::cell;

/// The verdict column of a student without a submission.
pub const NO_SUBMISSION: &str = "No submission";

/// The verdict column of a submission without a module.
pub const NOT_A_MODULE: &str = "Not a module";

/// A student's row of the mark sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Name of the student in the course.
    pub student: String,
    /// The student's number or login, if the list of students has it.
    pub id: Option<String>,
    /// The graded file or folder; none for a student without a submission.
    pub submission: Option<String>,
    /// Total points that count, including those by rank.
    pub points: Points,
    /// Points on offer.
    pub max_points: Points,
    /// Rank in the course, from 1.
    pub rank: u32,
    /// The lateness; none for a suite without a due date, or without a submission.
    pub late: Option<LateMark>,
    /// Points by rank; none if the suite awards none.
    pub rank_points: Option<Points>,
    /// Sum of the testcases' scores.
    pub score: i64,
    /// Points of each testcase; none if the judge failed and a result is missing.
    pub testcases: Vec<Option<Points>>,
    /// True if the judge failed and a result is missing. Points and score are then unknown, and
    /// must not look like zero.
    pub open: bool,
    /// The worst result, in words.
    pub worst: String,
    /// SHA-256 of the module; none if no module could be read.
    pub sha256: Option<Digest>,
    /// Digest of the result, if there is one.
    pub digest: Option<Digest>,
    /// The student's email address, if the list of students has it. The sheet does not show it.
    pub address: Option<String>,
    /// The student's report, as a path relative to the sheet.
    pub report: Option<String>,
}

/// The part of a submission's points that counts, because of its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LateMark {
    /// The lateness in words, such as `2 days late`; empty for a submission that is on time.
    pub what: String,
    /// Percentage of the points that counts.
    pub percent: u32,
    /// Points that the bot earned.
    pub earned: Points,
}

impl LateMark {
    /// The points that count.
    pub fn counted(&self) -> Points {
        Lateness { days: 0, percent: self.percent }.counted(self.earned)
    }

    /// The lateness and its effect: `2 days late: 80 % of 120 points`. None for a submission that
    /// is on time.
    pub fn text(&self) -> Option<String> {
        let LateMark { what, percent, earned } = self;
        let points = if *earned == Points::whole(1) { "point" } else { "points" };
        (!what.is_empty()).then(|| format!("{what}: {percent} % of {earned} {points}"))
    }
}

impl Mark {
    /// Returns the row of a graded submission; rank and points by rank are added later.
    pub fn from_result(
        student: String,
        submission: String,
        suite: &[String],
        bot: StudentBot<'_>,
    ) -> Mark {
        let played = |name: &String| bot.testcases.iter().find(|case| case.name == *name);
        let open = bot.worst_verdict() == Verdict::JudgeError;
        // The points of a refused module are known to be zero.
        let known = |name: &String| match played(name) {
            Some(case) => (case.verdict != Verdict::JudgeError).then_some(case.points),
            None => (!open).then_some(Points::ZERO),
        };
        let testcases = suite.iter().map(known).collect();
        Mark {
            student,
            id: None,
            submission: Some(submission),
            points: bot.points,
            max_points: bot.max_points,
            rank: 0,
            late: None,
            rank_points: None,
            score: bot.score,
            testcases,
            open,
            worst: bot.worst_label().to_owned(),
            sha256: bot.module(),
            digest: Some(bot.digest),
            address: None,
            report: None,
        }
    }

    /// Returns the row with the points that count of those that were earned.
    #[must_use]
    pub fn with_late(self, late: Option<LateMark>) -> Mark {
        Mark { points: late.as_ref().map_or(self.points, LateMark::counted), late, ..self }
    }
}

/// Writes the mark sheet; `testcases` are the suite's names. The columns about lateness are left
/// out if no submission has a due date.
///
/// # Errors
/// If the output cannot be written.
pub fn write_marks(
    output: impl Write,
    testcases: &[String],
    marks: &[Mark],
) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_writer(output);
    let fixed = ["student", "id", "submission", "points", "max_points", "rank", "rank_points"];
    let header = fixed.iter().map(|name| (*name).to_owned());
    let has_due = marks.iter().any(|mark| mark.late.is_some());
    let late: &[&str] = if has_due { &["late", "late_percent"] } else { &[] };
    let header = header.chain(late.iter().copied().chain(["score"]).map(str::to_owned));
    let header = header.chain(testcases.iter().map(|name| cell(name)));
    let last = ["worst_verdict", "sha256", "digest", "report"];
    writer.write_record(header.chain(last.map(str::to_owned)))?;
    for mark in marks {
        writer.write_record(row(mark, has_due))?;
    }
    Ok(writer.flush()?)
}

fn row(mark: &Mark, has_due: bool) -> Vec<String> {
    let text = |text: &Option<String>| text.as_deref().map(cell).unwrap_or_default();
    let number = |number: &Option<Points>| number.map(|n| n.to_string()).unwrap_or_default();
    let digest = |digest: Option<Digest>| digest.map(|d| d.to_string()).unwrap_or_default();
    let known = |figure: String| if mark.open { String::new() } else { figure };
    let mut row = vec![
        cell(&mark.student),
        text(&mark.id),
        text(&mark.submission),
        known(mark.points.to_string()),
        mark.max_points.to_string(),
        mark.rank.to_string(),
        number(&mark.rank_points),
    ];
    if has_due {
        row.extend(match &mark.late {
            Some(late) => [cell(&late.what), late.percent.to_string()],
            None => [const { String::new() }; 2],
        });
    }
    row.push(known(mark.score.to_string()));
    row.extend(mark.testcases.iter().map(number));
    row.extend([cell(&mark.worst), digest(mark.sha256), digest(mark.digest)]);
    row.push(text(&mark.report));
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_data::samples;

    #[test]
    fn a_sheet_has_one_row_per_student_and_no_formulas() {
        let report = samples::report().for_student();
        let testcases = ["01-easy".to_owned(), "02-hard".to_owned()];
        let mut marks: Vec<Mark> = report
            .bots()
            .map(|bot| Mark::from_result("x".to_owned(), bot.bot.name.clone(), &testcases, bot))
            .collect();
        marks[0].student = "=HYPERLINK(\"http://x\",\"a, b\")\r\n".to_owned();
        marks[0].rank_points = Some(7.into());
        marks[0].score = -5;
        marks[1].open = true;
        let mut sheet = Vec::new();
        write_marks(&mut sheet, &testcases, &marks).expect("memory does not run out");
        let sheet = String::from_utf8(sheet).expect("text");
        let mut lines = sheet.lines();
        let header = "student,id,submission,points,max_points,rank,rank_points,score,01-easy,\
                      02-hard,worst_verdict,sha256,digest,report";
        assert_eq!(lines.next(), Some(header));
        let first = lines.next().expect("a row");
        let begin = "\"'=HYPERLINK(\"\"http://x\"\",\"\"a, b\"\")\u{fffd}\u{fffd}\",,plain,20,40,0,7,-5,20,0,";
        assert!(first.starts_with(begin), "{first}");
        let second = lines.next().expect("a row");
        assert!(second.contains(",,40,0,,,"), "neither points nor score: {second}");
        assert!(sheet.lines().all(|line| !line.contains('\u{1b}')), "{sheet}");
        assert_eq!(sheet.lines().count(), 5);
        let refused = sheet.lines().last().expect("a row");
        assert!(refused.contains(",0,40,0,,0,0,0,Invalid module,"), "not played: {refused}");
    }

    #[test]
    fn a_late_submission_counts_in_part_and_its_testcases_keep_their_points() {
        let report = samples::report().for_student();
        let testcases = ["01-easy".to_owned()];
        let bot = || report.bots().next().expect("a bot");
        let mark = || Mark::from_result("x".to_owned(), "x.wasm".to_owned(), &testcases, bot());
        let late = LateMark { what: "2 days late".to_owned(), percent: 80, earned: 20.into() };
        assert_eq!(late.text().as_deref(), Some("2 days late: 80 % of 20 points"));
        let on_time = LateMark { what: String::new(), percent: 100, ..late.clone() };
        assert_eq!(on_time.text(), None);
        let marks = [Some(late), Some(on_time), None].map(|late| mark().with_late(late));
        let mut sheet = Vec::new();
        write_marks(&mut sheet, &testcases, &marks).expect("memory does not run out");
        let sheet = String::from_utf8(sheet).expect("text");
        let lines: Vec<&str> = sheet.lines().collect();
        assert!(lines[0].contains(",rank_points,late,late_percent,score,01-easy,"), "{sheet}");
        assert!(lines[1].starts_with("x,,x.wasm,16,40,0,,2 days late,80,"), "{sheet}");
        assert!(lines[2].starts_with("x,,x.wasm,20,40,0,,,100,"), "{sheet}");
        assert!(lines[3].starts_with("x,,x.wasm,20,40,0,,,,"), "{sheet}");
    }
}
