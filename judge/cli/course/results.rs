//! The marks of a course as they come in, and what is said of them at the end.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use judge_core::{Shows, TestcaseReport, Verdict, printable};
use judge_grading::{RankCurve, Suite, Testcase, standings};
use judge_report::{Mark, write_marks};

use super::rounds::Rounds;
use super::submissions::Student;
use super::{CourseFolder, Graded, pages};
use crate::failure::Failure;

/// Marks so far. Of each student one line is kept, and nothing of the rounds.
pub(super) struct Results<'a> {
    suite: &'a Suite,
    students: &'a BTreeMap<String, Student>,
    testcases: Vec<String>,
    /// By the submission's name.
    marks: BTreeMap<String, Mark>,
    worst: BTreeMap<&'static str, usize>,
    /// Submissions that the judge failed with, and in how many rounds.
    judge_errors: Vec<(String, usize)>,
}

/// What to tell the user.
pub(super) struct Summary {
    /// For standard output.
    pub(super) text: String,
    /// For standard error: marks that cannot be relied on.
    pub(super) warning: Option<String>,
}

/// The testcases as a mark sheet that students may see has them.
fn columns(suite: &Suite) -> Vec<String> {
    let in_sum = |testcase: &&Testcase| testcase.hidden && testcase.shows == Shows::Points;
    let single = suite.testcases.iter().filter(|testcase| !in_sum(testcase));
    let sum = suite.testcases.iter().any(|testcase| in_sum(&testcase));
    let sum = sum.then(|| TestcaseReport::SUM_OF_HIDDEN.to_owned());
    single.map(|testcase| testcase.name.clone()).chain(sum).collect()
}

impl<'a> Results<'a> {
    pub(super) fn new(suite: &'a Suite, students: &'a BTreeMap<String, Student>) -> Results<'a> {
        Results {
            suite,
            students,
            testcases: columns(suite),
            marks: BTreeMap::new(),
            worst: BTreeMap::new(),
            judge_errors: Vec::new(),
        }
    }

    /// Takes the result of one submission, and where its report is.
    pub(super) fn add(&mut self, graded: &Graded, report: String) {
        let bot = &graded.report.bots[0];
        let name = &bot.bot.name;
        let student = self.students.get(name).cloned().unwrap_or_default();
        let shown = student.name.unwrap_or_else(|| name.clone());
        // Ranks and sums are shown to students.
        let seen = bot.for_student();
        let mut mark = Mark::of(shown, graded.file.clone(), &self.testcases, &seen);
        mark.id = student.id;
        mark.report = Some(report);
        let worst = bot.worst_verdict();
        *self.worst.entry(worst.label()).or_default() += 1;
        let judge_errors = bot.judge_errors();
        if judge_errors > 0 {
            self.judge_errors.push((name.clone(), judge_errors));
        }
        self.marks.insert(name.clone(), mark);
    }

    /// Ranks everybody, writes the mark sheet, and sums up.
    pub(super) fn finish(
        mut self,
        folder: &CourseFolder,
        rounds: &Rounds<'_>,
    ) -> Result<Summary, Failure> {
        let results: Vec<(u32, i64)> =
            self.marks.values().map(|mark| (mark.points, mark.score)).collect();
        let curve = self.suite.rank.as_ref();
        for (mark, place) in self.marks.values_mut().zip(standings(curve, &results)) {
            mark.rank = place.rank;
            mark.rank_points = place.rank_points;
            mark.points += place.rank_points.unwrap_or(0);
            mark.max_points += curve.map_or(0, RankCurve::max_points);
        }
        let graded = self.marks.len();
        let missing = self.add_missing();
        let mut sheet = Vec::new();
        let marks: Vec<Mark> = self.marks.values().cloned().collect();
        write_marks(&mut sheet, &self.testcases, &marks)
            .map_err(|error| Failure::Judge(error.to_string()))?;
        let sheet = String::from_utf8(sheet).map_err(|error| Failure::Judge(error.to_string()))?;
        folder.write("marks.csv", &sheet)?;
        let pages = pages::write(folder, self.suite, &marks, rounds)?;
        let mut text = self.text(graded, missing, folder);
        if pages > 0 {
            let path = printable(&folder.path().join("rounds").display().to_string(), usize::MAX);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "rounds: {path} ({})", count(pages, "page"));
        }
        Ok(Summary { text, warning: self.warning() })
    }

    /// Lines for those on the list who handed in nothing; how many they are.
    fn add_missing(&mut self) -> usize {
        let before = self.marks.len();
        let max_points =
            self.suite.max_points() + self.suite.rank.as_ref().map_or(0, RankCurve::max_points);
        for (key, student) in self.students {
            if self.marks.contains_key(key) {
                continue;
            }
            let mark = Mark {
                student: student.name.clone().unwrap_or_else(|| key.clone()),
                id: student.id.clone(),
                submission: None,
                points: 0,
                max_points,
                rank: u32::try_from(before + 1).unwrap_or(u32::MAX),
                rank_points: None,
                score: 0,
                testcases: self.testcases.iter().map(|_| None).collect(),
                worst: "No submission".to_owned(),
                digests: None,
                report: None,
            };
            self.marks.insert(key.clone(), mark);
        }
        self.marks.len() - before
    }

    fn text(&self, graded: usize, missing: usize, folder: &CourseFolder) -> String {
        let mut text = String::new();
        let name = printable(&self.suite.name, usize::MAX);
        // Writing to a string cannot fail; so below.
        let _ = writeln!(
            text,
            "{} graded on `{name}`; the worst that happened to each:",
            count(graded, "submission")
        );
        for verdict in Verdict::ALL {
            if let Some(number) = self.worst.get(verdict.label()) {
                let _ = writeln!(text, "  {number:>5}  {verdict}");
            }
        }
        if missing > 0 {
            let _ = writeln!(text, "  {missing:>5}  No submission");
        }
        let path = printable(&folder.marks().display().to_string(), usize::MAX);
        let _ = writeln!(text, "marks: {path}");
        let path = printable(&folder.path().join("students").display().to_string(), usize::MAX);
        let _ = writeln!(text, "reports: {path}");
        text
    }

    fn warning(&self) -> Option<String> {
        let told = |(name, rounds): &(String, usize)| {
            format!("{} ({})", printable(name, 60), count(*rounds, "round"))
        };
        let first = self.judge_errors.iter().take(5).map(told);
        let first = first.collect::<Vec<_>>().join(", ");
        let more = if self.judge_errors.len() > 5 { ", …" } else { "" };
        (!self.judge_errors.is_empty()).then(|| {
            format!(
                "warning: the judge failed with {}: {first}{more}; their marks are not final\n\
                 hint: run it again with `--resume`: only what failed is played again",
                count(self.judge_errors.len(), "submission")
            )
        })
    }
}

/// `1 submission`, `2 submissions`.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
