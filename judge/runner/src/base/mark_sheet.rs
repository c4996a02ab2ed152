//! The mark sheet of a graded course, read back from its file: students, submissions and marks.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use judge_core::{BotReport, Lateness, Points, TestcaseReport, Verdict};
use judge_report::{BYTE_ORDER_MARK, LateMark, NOT_A_MODULE, ScoreboardRow, cell};
use serde::Deserialize;

use crate::Error;

/// The mark sheet's file in the folder of a course.
pub(crate) const FILE: &str = "marks.csv";

/// The journal's file in the folder of a course.
pub(crate) const JOURNAL: &str = "journal.jsonl";

/// Maximum length of a sheet's header in bytes. It has a column for each testcase.
const MAX_HEADER: u64 = 1 << 20;

/// A row of the mark sheet, with the required columns.
#[derive(Debug, Deserialize)]
pub(crate) struct SheetLine {
    pub(crate) student: String,
    /// None if the judge failed and the result is missing, like the score.
    points: Option<Points>,
    pub(crate) max_points: Points,
    pub(crate) rank_points: Option<Points>,
    /// The lateness in words; like the percentage, only for a suite with a due date.
    #[serde(default)]
    late: String,
    #[serde(default)]
    late_percent: Option<u32>,
    score: Option<i64>,
    worst_verdict: String,
    digest: String,
    report: String,
    /// Names and fields of the testcases' columns.
    #[serde(skip)]
    testcases: Vec<(String, String)>,
}

impl SheetLine {
    /// The name without the apostrophe that escapes formulas.
    pub(crate) fn name(&self) -> String {
        let bare = self.student.strip_prefix('\'').unwrap_or(&self.student);
        let formula = bare
            .trim_start()
            .starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
        if formula { bare.to_owned() } else { self.student.clone() }
    }

    /// The scoreboard row of a student without a report.
    pub(crate) fn without_report(&self) -> ScoreboardRow {
        match self.worst_verdict == NOT_A_MODULE {
            true => ScoreboardRow::not_a_module(self.name(), self.max_points),
            false => ScoreboardRow::missing(self.name(), self.max_points),
        }
    }

    /// The student's report, as a path relative to the folder; none without a submission.
    pub(crate) fn report(&self) -> Option<&str> {
        (!self.report.is_empty()).then_some(self.report.as_str())
    }

    /// The lateness of the submission with that result; none for a suite without a due date.
    pub(crate) fn late(&self, bot: &BotReport) -> Option<LateMark> {
        let percent = self.late_percent?;
        Some(LateMark { what: self.late.clone(), percent, earned: bot.points })
    }

    /// The first figure that differs from the report.
    pub(crate) fn disagrees(&self, bot: &BotReport) -> Option<String> {
        let percent = self.late_percent.unwrap_or(100);
        let counted = Lateness { days: 0, percent }.counted(bot.points);
        let points = counted.saturating_add(self.rank_points.unwrap_or_default());
        // Sheets of older judges have figures even in this case.
        let open = bot.worst_verdict() == Verdict::JudgeError;
        let told = |figure: Option<String>, found: &str| match figure {
            None if open => found.to_owned(),
            figure => figure.unwrap_or_default(),
        };
        let (points, score) = (points.to_string(), bot.score.to_string());
        let pairs = [
            ("points", told(self.points.map(|points| points.to_string()), &points), points),
            ("score", told(self.score.map(|score| score.to_string()), &score), score),
            ("worst_verdict", self.worst_verdict.clone(), bot.worst_label().to_owned()),
            ("digest", self.digest.clone(), bot.digest.to_string()),
        ];
        // The digest covers the complete report.
        let withheld = bot.testcases.iter().any(TestcaseReport::is_withheld);
        let mut known = pairs.into_iter().filter(|(what, ..)| !withheld || *what != "digest");
        let differs = known.find(|(_, told, found)| told != found);
        let differs = differs.map(|(what, told, found)| (what.to_owned(), told, found));
        let differs = differs.or_else(|| self.other_points(bot));
        differs.map(|(what, told, found)| format!("`{what}` is `{told}`; the report has `{found}`"))
    }

    /// The first testcase with points that differ from the report. Missing points after a judge error
    /// are allowed.
    fn other_points(&self, bot: &BotReport) -> Option<(String, String, String)> {
        self.testcases.iter().find_map(|(column, told)| {
            let case = bot.testcases.iter().find(|case| cell(&case.name) == *column)?;
            let owed = case.verdict == Verdict::JudgeError && told.is_empty();
            let found = case.points.to_string();
            (!owed && *told != found).then(|| (column.clone(), told.clone(), found))
        })
    }
}

/// Refuses a folder without a graded course.
pub(crate) fn check_course(path: &Path) -> Result<(), Error> {
    if path.join(JOURNAL).is_file() {
        return Ok(());
    }
    let what = format!("`{}` is not a graded course: no `{JOURNAL}`", path.display());
    let hint = "make one with `judge grade SUBMISSIONS --suite SUITE --out DIR`".to_owned();
    Err(Error::Input { what, hint: Some(hint) })
}

/// Refuses a folder with the results of a course of several suites, which a course with a single
/// suite would replace.
pub(crate) fn refuse_several_suites(path: &Path) -> Result<(), Error> {
    let Ok(text) = Error::read_text(&path.join(FILE)) else { return Ok(()) };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    if !reader.headers().is_ok_and(is_of_several_suites) {
        return Ok(());
    }
    let what = format!("`{}` holds the results of a course of several suites", path.display());
    Err(Error::usage(what, "name another folder, or the folder of one suite in it"))
}

/// True for the mark sheet of a course, with one suite or several.
pub(crate) fn is_sheet(path: &Path) -> bool {
    let mut reader = csv::Reader::from_reader(match File::open(path) {
        Ok(file) => file.take(MAX_HEADER),
        Err(_) => return false,
    });
    let Ok(header) = reader.headers() else { return false };
    let first = header.get(0).map(|name| name.strip_prefix(BYTE_ORDER_MARK).unwrap_or(name));
    let has = |name: &str| header.iter().any(|title| title == name);
    first == Some("student") && has("points") && (has("submission") || has("page"))
}

/// True for the header of a mark sheet with several suites.
fn is_of_several_suites(header: &csv::StringRecord) -> bool {
    header.get(0) == Some("student") && header.iter().next_back() == Some("page")
}

/// The error for the folder of a course with several suites, in which each suite has a separate
/// folder.
fn several_suites(path: &Path) -> Error {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let suites = entries.map(|entry| entry.path()).filter(|path| path.join(JOURNAL).is_file());
    let suites: BTreeSet<String> = suites.map(|path| format!("`{}`", path.display())).collect();
    let names: Vec<String> = suites.into_iter().collect();
    let what = format!("`{}` holds a course of several suites", path.display());
    Error::Input { what, hint: Some(format!("name one of them: {}", names.join(", "))) }
}

/// Reads the rows of a course's mark sheet.
pub(crate) fn read(path: &Path) -> Result<Vec<SheetLine>, Error> {
    let sheet = path.join(FILE);
    if !sheet.is_file() {
        check_course(path)?;
        let what = format!("`{}`: this course has no mark sheet yet", path.display());
        let hint = "continue it with `judge grade … --resume`".to_owned();
        return Err(Error::Input { what, hint: Some(hint) });
    }
    let text = Error::read_text(&sheet)?;
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| Error::input(&sheet, &error))?;
    if is_of_several_suites(header) {
        return Err(several_suites(path));
    }
    let lines = lines(&mut reader).map_err(|error| Error::input(&sheet, &error))?;
    for line in &lines {
        let is_plain = |report: &str| {
            report.strip_prefix("students/").is_some_and(|name| !name.contains(['/', '\\']))
        };
        if line.report().is_some_and(|report| !is_plain(report)) {
            let what = format!("`{}` is not a report of this course", line.report);
            return Err(Error::input(&sheet, &what));
        }
    }
    Ok(lines)
}

fn lines(reader: &mut csv::Reader<&[u8]>) -> Result<Vec<SheetLine>, csv::Error> {
    let headings = reader.headers()?.clone();
    let line = |record: csv::StringRecord| {
        let mut line: SheetLine = record.deserialize(Some(&headings))?;
        line.testcases = testcases(&headings, &record);
        Ok(line)
    };
    reader.records().map(|record| line(record?)).collect()
}

/// The columns between the score and the verdict.
fn testcases(headings: &csv::StringRecord, record: &csv::StringRecord) -> Vec<(String, String)> {
    let headings: Vec<&str> = headings.iter().collect();
    let begin = headings.iter().position(|name| *name == "score").map_or(0, |at| at + 1);
    let end = headings.iter().rposition(|name| *name == "worst_verdict").unwrap_or(0);
    let columns = std::iter::zip(&headings, record).take(end).skip(begin);
    columns.map(|(name, value)| ((*name).to_owned(), value.to_owned())).collect()
}
