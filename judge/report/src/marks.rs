//! The mark sheet of a course: one row per student, as CSV for a spreadsheet or a gradebook.

use std::io::Write;

use judge_core::{Digest, Points, StudentBot, Verdict};

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
    /// Total points, including those by rank.
    pub points: Points,
    /// Points on offer.
    pub max_points: Points,
    /// Rank in the course, from 1.
    pub rank: u32,
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
}

/// Writes the mark sheet; `testcases` are the suite's names.
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
    let header = header.chain(["score".to_owned()]);
    let header = header.chain(testcases.iter().map(|name| cell(name)));
    let last = ["worst_verdict", "sha256", "digest", "report"];
    writer.write_record(header.chain(last.map(str::to_owned)))?;
    for mark in marks {
        writer.write_record(row(mark))?;
    }
    Ok(writer.flush()?)
}

fn row(mark: &Mark) -> Vec<String> {
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
        known(mark.score.to_string()),
    ];
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
}
