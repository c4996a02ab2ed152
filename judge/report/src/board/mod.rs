//! The board of a course: who stands where, and how far each stands from each threshold. Every
//! form of it, text, page and JSON, is made from this data.

mod field;
pub(crate) mod run;
mod sign;
#[cfg(test)]
mod tests;
mod text;

use judge_core::{BotReport, Digest, Fingerprint, Shows, TestcaseReport, Verdict};
use serde::Serialize;

use crate::words;
pub(crate) use field::{Bin, Field};
pub(crate) use sign::{NOT_PLAYED, sign};

/// The results of a field of students on one suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Board {
    /// Version of this format.
    pub version: u32,
    /// What it was graded with.
    pub fingerprint: Fingerprint,
    /// Name of the suite.
    pub suite: String,
    /// One line for people.
    pub title: String,
    /// Whether the names stand for others.
    pub pseudonyms: bool,
    /// The suite's testcases, in its order.
    pub testcases: Vec<Column>,
    /// Everybody, best first.
    pub students: Vec<Place>,
}

/// A testcase of the suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its file's name without the ending.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// SHA-256 of its file.
    pub sha256: Digest,
    /// The threshold.
    pub min_score: i64,
    /// Points on offer.
    pub max_points: u32,
    /// Whether nothing is told of its rounds.
    pub hidden: bool,
    /// How much is told of it, if it is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows: Option<Shows>,
}

/// One student's line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Counted from 1; equal ones share it.
    pub rank: u32,
    /// Who it is, or a name in their stead.
    pub name: String,
    /// All points: of the testcases and by rank.
    pub points: u32,
    /// Points on offer.
    pub max_points: u32,
    /// How many of the points are for the rank; none where the suite gives none.
    pub rank_points: Option<u32>,
    /// Sum of the testcases' scores.
    pub score: i64,
    /// How many testcases were passed.
    pub passed: u32,
    /// The worst that happened; none for who handed in nothing.
    pub worst_verdict: Option<Verdict>,
    /// The same in words, as far as it is told.
    #[serde(skip)]
    pub worst: &'static str,
    /// The testcases; none for one that was not played.
    pub testcases: Vec<Option<Cell>>,
    /// Digest of the student's report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Address of the student's page, as seen from the board's.
    #[serde(skip)]
    pub page: Option<String>,
}

/// What one student did on one testcase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// The word on it.
    pub verdict: Verdict,
    /// Sum of the rounds' scores; none where it is not told.
    pub score: Option<i64>,
    /// The score less the threshold; none where it is not told.
    pub margin: Option<i64>,
    /// Points earned.
    pub points: u32,
}

impl Column {
    /// The testcase as a report tells of it.
    pub fn of(case: &TestcaseReport) -> Column {
        Column {
            name: case.name.clone(),
            title: case.title.clone(),
            sha256: case.sha256,
            min_score: case.min_score,
            max_points: case.max_points,
            hidden: case.hidden,
            shows: case.shows,
        }
    }
}

impl Cell {
    fn of(case: &TestcaseReport) -> Cell {
        let score = words::score(case);
        Cell {
            verdict: case.verdict,
            score: score.map(|[score, ..]| score),
            margin: score.map(|[_, _, margin]| margin),
            points: case.points,
        }
    }
}

impl Place {
    /// The line of a graded submission; its rank comes when all are in.
    pub fn of(name: String, bot: &BotReport, rank_points: Option<u32>) -> Place {
        Place {
            rank: 0,
            name,
            points: bot.points.saturating_add(rank_points.unwrap_or(0)),
            max_points: bot.max_points,
            rank_points,
            score: bot.score,
            passed: bot.passed,
            worst_verdict: Some(bot.worst_verdict()),
            worst: bot.worst_label(),
            testcases: bot.testcases.iter().map(|case| Some(Cell::of(case))).collect(),
            digest: Some(bot.digest),
            page: None,
        }
    }

    /// The line of a student who handed in nothing.
    pub fn missing(name: String, max_points: u32) -> Place {
        Place {
            rank: 0,
            name,
            points: 0,
            max_points,
            rank_points: None,
            score: 0,
            passed: 0,
            worst_verdict: None,
            worst: "No submission",
            testcases: Vec::new(),
            digest: None,
            page: None,
        }
    }

    /// More points are better, then the larger score; who handed in nothing comes last.
    fn key(&self) -> Option<(u32, i64)> {
        self.worst_verdict.map(|_| (self.points, self.score))
    }

    /// Whether the judge still owes a result.
    pub(crate) fn is_open(&self) -> bool {
        self.worst_verdict == Some(Verdict::JudgeError)
    }
}

impl Board {
    /// Version of the JSON written by this judge.
    pub const VERSION: u32 = 1;

    /// Gives everybody a rank. Equal ones stand in the order of their names.
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

    /// Puts other names in the place of all, and takes away what else tells who it is: links, and
    /// digests, which stand in the students' own reports.
    pub fn rename(&mut self, other: impl Fn(&str) -> String) {
        for place in &mut self.students {
            place.name = other(&place.name);
            (place.digest, place.page) = (None, None);
        }
        self.pseudonyms = true;
        // The order of equal ones must not tell of the names either.
        self.rank();
    }

    /// The board as JSON, with a line's end.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("boards hold nothing that JSON cannot") + "\n"
    }
}
