//! The scoreboard of a course: ranks, and margins to each threshold. The source of its text, page
//! and JSON.

mod field;
pub(crate) mod run;
mod sign;
#[cfg(test)]
mod tests;
mod text;

use judge_core::{BotReport, Digest, Fingerprint, Points, Shows, TestcaseReport, Verdict};
use serde::Serialize;

use crate::marks::{LateMark, NO_SUBMISSION, NOT_A_MODULE};
use crate::words;
pub(crate) use field::{Bin, Field};
pub(crate) use sign::NOT_PLAYED;
pub use sign::sign;

/// The results of all students on one suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Scoreboard {
    /// Version of this format.
    pub version: u32,
    /// The judge that graded it.
    pub fingerprint: Fingerprint,
    /// Name of the suite.
    pub suite: String,
    /// A one-line title.
    pub title: String,
    /// True if the names are pseudonyms.
    pub pseudonyms: bool,
    /// The suite's testcases, in its order.
    pub testcases: Vec<Column>,
    /// All students, best first.
    pub students: Vec<ScoreboardRow>,
}

/// A testcase of the suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its file name without the extension.
    pub name: String,
    /// A one-line title.
    pub title: String,
    /// SHA-256 of its file.
    pub sha256: Digest,
    /// The threshold.
    pub min_score: i64,
    /// Points on offer.
    pub max_points: Points,
    /// Extra points, which count above the maximum.
    #[serde(skip_serializing_if = "Points::is_zero")]
    pub extra: Points,
    /// True if its rounds are not shown.
    pub hidden: bool,
    /// The information that students get about it, if it is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows: Option<Shows>,
}

/// A student's row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScoreboardRow {
    /// Rank, counted from 1; equal students share it.
    pub rank: u32,
    /// The student's name, or a pseudonym.
    pub name: String,
    /// Total points, including those by rank.
    pub points: Points,
    /// Points on offer.
    pub max_points: Points,
    /// The part of the points that is by rank; none if the suite awards none.
    pub rank_points: Option<Points>,
    /// The lateness, if the suite has a due date and names are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<LateMark>,
    /// Sum of the testcases' scores.
    pub score: i64,
    /// Number of testcases that were passed.
    pub passed: u32,
    /// The worst verdict; none for a student without a submission or module.
    pub worst_verdict: Option<Verdict>,
    /// True for a submission without a module.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub not_a_module: bool,
    /// The worst verdict in words, if it is shown.
    #[serde(skip)]
    pub worst: &'static str,
    /// The testcases' results; none for a testcase that was not played.
    pub testcases: Vec<Option<Cell>>,
    /// Digest of the student's report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Address of the student's page, relative to the scoreboard's page.
    #[serde(skip)]
    pub page: Option<String>,
}

/// The result of one student on one testcase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The verdict.
    pub verdict: Verdict,
    /// Sum of the rounds' scores; none if it is not shown.
    pub score: Option<i64>,
    /// The score minus the threshold; none if it is not shown.
    pub margin: Option<i64>,
    /// Points earned.
    pub points: Points,
    /// True if the testcase awards partial points.
    #[serde(skip)]
    pub in_part: bool,
}

impl Column {
    /// Returns the column of a testcase in a report.
    pub fn new(case: &TestcaseReport) -> Column {
        Column {
            name: case.name.clone(),
            title: case.title.clone(),
            sha256: case.sha256,
            min_score: case.min_score,
            max_points: case.max_points,
            extra: case.extra,
            hidden: case.hidden,
            shows: case.shows,
        }
    }
}

impl Cell {
    fn new(case: &TestcaseReport) -> Cell {
        let score = words::score(case);
        Cell {
            verdict: case.verdict,
            score: score.map(|[score, ..]| score),
            margin: score.map(|[_, _, margin]| margin),
            points: case.points,
            in_part: case.credit.is_some(),
        }
    }
}

impl ScoreboardRow {
    /// Returns the row of a graded submission. Its rank is set when all rows are known.
    pub fn new(name: String, bot: &BotReport, rank_points: Option<Points>) -> ScoreboardRow {
        ScoreboardRow {
            rank: 0,
            name,
            points: bot.points.saturating_add(rank_points.unwrap_or_default()),
            max_points: bot.max_points,
            rank_points,
            late: None,
            score: bot.score,
            passed: bot.passed,
            worst_verdict: Some(bot.worst_verdict()),
            not_a_module: false,
            worst: bot.worst_label(),
            testcases: bot.testcases.iter().map(|case| Some(Cell::new(case))).collect(),
            digest: Some(bot.digest),
            page: None,
        }
    }

    /// Returns the row with the points that count of those that were earned.
    #[must_use]
    pub fn with_late(self, late: Option<LateMark>) -> ScoreboardRow {
        let by_rank = self.rank_points.unwrap_or_default();
        let points = late.as_ref().map(|late| late.counted().saturating_add(by_rank));
        ScoreboardRow { points: points.unwrap_or(self.points), late, ..self }
    }

    /// The worst verdict in words, with the lateness.
    pub(crate) fn worst_and_late(&self) -> String {
        let late = self.late.as_ref().and_then(LateMark::text);
        late.map_or_else(|| self.worst.to_owned(), |late| format!("{}; {late}", self.worst))
    }

    /// Returns the row of a student without a submission.
    pub fn missing(name: String, max_points: Points) -> ScoreboardRow {
        ScoreboardRow {
            rank: 0,
            name,
            points: Points::ZERO,
            max_points,
            rank_points: None,
            late: None,
            score: 0,
            passed: 0,
            worst_verdict: None,
            not_a_module: false,
            worst: NO_SUBMISSION,
            testcases: Vec::new(),
            digest: None,
            page: None,
        }
    }

    /// Returns the row of a student with a submission that has no module.
    pub fn not_a_module(name: String, max_points: Points) -> ScoreboardRow {
        ScoreboardRow {
            not_a_module: true,
            worst: NOT_A_MODULE,
            ..ScoreboardRow::missing(name, max_points)
        }
    }

    /// The sort key: points, then score. A student without a submission comes last.
    fn key(&self) -> Option<(Points, i64)> {
        self.worst_verdict.map(|_| (self.points, self.score))
    }

    /// True if the judge failed and a result is missing.
    pub(crate) fn is_open(&self) -> bool {
        self.worst_verdict == Some(Verdict::JudgeError)
    }
}

impl Scoreboard {
    /// Version of the JSON written by this judge.
    pub const VERSION: u32 = 1;

    /// Assigns ranks, and sorts equal students by name.
    pub fn rank(&mut self) {
        let count = self.testcases.len();
        self.students.iter_mut().for_each(|place| place.testcases.resize(count, None));
        self.students.sort_by(|a, b| b.key().cmp(&a.key()).then_with(|| a.name.cmp(&b.name)));
        let (mut rank, mut before) = (0, None);
        for (number, place) in (1..).zip(&mut self.students) {
            if before != Some(place.key()) {
                (rank, before) = (number, Some(place.key()));
            }
            place.rank = rank;
        }
    }

    /// Replaces all names by pseudonyms, and removes other identifying data: links, lateness, and
    /// digests, which are also in the students' own reports.
    pub fn rename(&mut self, other: impl Fn(&ScoreboardRow) -> String) {
        for place in &mut self.students {
            place.name = other(place);
            (place.digest, place.page, place.late) = (None, None, None);
        }
        self.pseudonyms = true;
        // The order of equal students must not reveal their names.
        self.rank();
    }

    /// Renders the scoreboard as JSON with a final newline.
    pub fn to_json(&self) -> String {
        crate::text::json_text(self)
    }
}
