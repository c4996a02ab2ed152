//! The marks of a course, collected as submissions finish, and the files made from them at the end.

use std::collections::BTreeMap;
use std::path::Path;

use judge_core::{Listener, Points, Shows, TestcaseReport, Verdict};
use judge_grading::{RankCurve, RankedResult, Suite, Testcase, standings};
use judge_report::{
    Column, Mark, NO_SUBMISSION, NOT_A_MODULE, Scoreboard, ScoreboardRow, write_marks,
};

use super::behaviour::{Behaviour, SameAnswers};
use super::gradebooks;
use super::late::LateRulings;
use super::pages::{CoursePages, SubmissionPage};
use super::reports::KeptReports;
use super::rounds::RoundWriter;
use super::send::{self, Recipient, StudentPackage};
use super::student_zip;
use super::summary::{self, Failed, Summary};
use super::{AssignmentOutcome, CourseFolder, GradedSubmission};
use crate::Error;
use crate::bots;
use crate::bots::roster::RosterEntry;
use crate::bots::submitted::{Findings, PassedOver};

/// Results so far: one row per student, and as many reports as fit into memory.
pub(crate) struct Results<'a> {
    suite: &'a Suite,
    students: &'a BTreeMap<String, RosterEntry>,
    findings: &'a Findings,
    late: &'a LateRulings,
    testcases: Vec<String>,
    /// Marks, by submission name.
    marks: BTreeMap<String, Mark>,
    /// Rows of the scoreboard, without names and ranks, by submission name.
    places: BTreeMap<String, ScoreboardRow>,
    /// The scoreboard's testcases, from the first submission that was played.
    columns: Vec<Column>,
    worst: Vec<Verdict>,
    judge_errors: Vec<(String, usize)>,
    /// Submissions without a result because of a fault, and the reasons.
    failed: BTreeMap<String, Failed>,
    behaviour: Behaviour,
    kept: KeptReports,
    /// The submissions of further group members, by the keys of their marks.
    shares: BTreeMap<String, String>,
}

/// The testcases' columns in the mark sheet that students may see.
fn columns(suite: &Suite) -> Vec<String> {
    let in_sum = |testcase: &&Testcase| testcase.hidden && testcase.shows == Shows::Points;
    let single = suite.testcases.iter().filter(|testcase| !in_sum(testcase));
    let sum = suite.testcases.iter().any(|testcase| in_sum(&testcase));
    let sum = sum.then(|| TestcaseReport::SUM_OF_HIDDEN.to_owned());
    single.map(|testcase| testcase.name.clone()).chain(sum).collect()
}

/// The students of a submission by the keys of their marks, from the list or the platform. The key
/// of the first is the submission's name.
pub(super) fn students_of(
    students: &BTreeMap<String, RosterEntry>,
    findings: &Findings,
    name: &str,
) -> Vec<(String, RosterEntry)> {
    if let Some(first) = students.get(name) {
        let members = first.members.iter().map(|(key, member)| (key.clone(), member.clone()));
        return [(name.to_owned(), first.clone())].into_iter().chain(members).collect();
    }
    let key = |number: usize| match number {
        1 => name.to_owned(),
        number => format!("{name} #{number}"),
    };
    let clues = findings.clues(name).into_iter();
    (1..).zip(clues).map(|(number, clues)| (key(number), clues.into())).collect()
}

impl<'a> Results<'a> {
    pub(crate) fn new(
        suite: &'a Suite,
        students: &'a BTreeMap<String, RosterEntry>,
        findings: &'a Findings,
        late: &'a LateRulings,
    ) -> Results<'a> {
        Results {
            suite,
            students,
            findings,
            late,
            testcases: columns(suite),
            marks: BTreeMap::new(),
            places: BTreeMap::new(),
            columns: Vec::new(),
            worst: Vec::new(),
            judge_errors: Vec::new(),
            failed: BTreeMap::new(),
            behaviour: Behaviour::default(),
            kept: KeptReports::new(),
            shares: BTreeMap::new(),
        }
    }

    /// Adds the result of one submission; `bytes` is the size of its complete report as JSON.
    pub(super) fn add(&mut self, graded: GradedSubmission, folder: &CourseFolder, bytes: usize) {
        let whole = &graded.report.bots[0];
        let name = whole.bot.name.clone();
        self.worst.push(whole.worst_verdict());
        let judge_errors = whole.judge_errors();
        if judge_errors > 0 {
            self.judge_errors.push((name.clone(), judge_errors));
        }
        self.failed.extend(Failed::from_report(whole).map(|failed| (name.clone(), failed)));
        self.behaviour.add(whole);
        // Students see marks, ranks and sums.
        let seen = graded.report.for_student();
        for bot in seen.bots() {
            for (key, student) in students_of(self.students, self.findings, &name) {
                let shown = student.name.unwrap_or_else(|| key.clone());
                let late = self.late.get(&name).map(|late| late.mark(bot.points));
                let mark = Mark::from_result(shown, graded.file.clone(), &self.testcases, bot);
                let mut mark = mark.with_late(late);
                (mark.id, mark.address) = (student.id, student.address);
                mark.report = Some(folder.report(&name));
                if key != name {
                    self.shares.insert(key.clone(), name.clone());
                }
                self.marks.insert(key, mark);
            }
            if self.columns.is_empty() {
                self.columns = bot.testcases.iter().map(Column::new).collect();
            }
            self.places.insert(name.clone(), ScoreboardRow::new(String::new(), &bot, None));
        }
        self.kept.keep(graded.report, bytes);
    }

    /// Ranks all students, writes the mark sheet and the pages, and returns the summary.
    pub(super) fn finish(
        mut self,
        folder: &CourseFolder,
        rounds: &RoundWriter<'_>,
        events: &mut dyn Listener,
    ) -> Result<AssignmentOutcome, Error> {
        self.rank();
        let (graded, ranked) = (self.places.len(), self.marks.len());
        let [missing, not_modules] = self.add_missing();
        self.write_sheet(folder)?;
        let same_answers = self.same_answers(rounds)?;
        same_answers.write(folder)?;
        let look_at = self.summary().look_at(&same_answers);
        summary::write(folder, &look_at)?;
        let gradebooks = gradebooks::write(folder, &self.suite.title, self.marks.iter(), events)?;
        let submissions: Vec<SubmissionPage<'_>> = self.submissions(folder).collect();
        let (suite, kept, memory) = (self.suite, &self.kept, rounds.memory);
        let pages = CoursePages { folder, suite, kept, ranked, memory };
        let written = pages.write(&submissions, rounds, events)?;
        let packages = submissions.iter().map(|one| StudentPackage::of_only_suite(&one.files));
        send::write(folder, packages, self.marks.values().map(recipient))?;
        if graded > 0 {
            folder.write("scoreboard.html", &self.scoreboard(rounds).to_html())?;
        }
        Ok(AssignmentOutcome {
            suite: self.suite.name.clone(),
            folder: folder.path().to_owned(),
            graded,
            worst: self.worst_verdicts(),
            missing,
            not_modules,
            listed: self.students.values().map(|student| 1 + student.members.len()).sum(),
            of_nobody: self.of_nobody().count(),
            passed_over: self.findings.passed_over.len(),
            look_at,
            same_answers: same_answers.pairs(),
            changed: Vec::new(),
            gradebooks: gradebooks.into_iter().map(str::to_owned).collect(),
            pages: written,
            judge_errors: self.judge_errors,
            marks: self.marks,
            keys: BTreeMap::new(),
            to_map: Vec::new(),
            in_course: None,
        })
    }

    fn rank(&mut self) {
        let result = |mark: &Mark| RankedResult {
            points: mark.points,
            score: mark.score,
            takes_part: mark.late.as_ref().is_none_or(|late| late.percent > 0),
        };
        let results: Vec<RankedResult> = self.marks.values().map(result).collect();
        let curve = self.suite.rank.as_ref();
        for (mark, place) in self.marks.values_mut().zip(standings(curve, &results)) {
            mark.rank = place.rank;
            mark.rank_points = place.rank_points;
            mark.points += place.rank_points.unwrap_or_default();
            mark.max_points += curve.map_or(Points::ZERO, RankCurve::max_points);
        }
    }

    /// Adds rows for students without a submission and for those without a module. Returns their
    /// numbers.
    fn add_missing(&mut self) -> [usize; 2] {
        let rank = u32::try_from(self.marks.len() + 1).unwrap_or(u32::MAX);
        let mut added = [0, 0];
        // Without a list, any file may be a student's submission.
        let unlisted = self.students.is_empty().then(|| self.findings.passed_over.iter());
        let unlisted = unlisted.into_iter().flatten().map(|one| &one.name);
        let names: Vec<&String> = self.students.keys().chain(unlisted).collect();
        for name in names {
            let instead = self.findings.passed_over.iter().find(|one| one.name == *name);
            for (key, student) in students_of(self.students, self.findings, name) {
                if self.marks.contains_key(&key) {
                    continue;
                }
                added[usize::from(instead.is_some())] += 1;
                let mark = Mark { rank, ..self.without_result(&key, student, instead) };
                self.marks.insert(key, mark);
            }
        }
        added
    }

    /// The row of a student without a submission or without a module.
    fn without_result(
        &self,
        key: &str,
        student: RosterEntry,
        instead: Option<&PassedOver>,
    ) -> Mark {
        let by_rank = self.suite.rank.as_ref().map_or(Points::ZERO, RankCurve::max_points);
        let worst = if instead.is_some() { NOT_A_MODULE } else { NO_SUBMISSION };
        Mark {
            student: student.name.unwrap_or_else(|| key.to_owned()),
            id: student.id,
            submission: instead.map(|one| one.file.clone()),
            points: Points::ZERO,
            max_points: self.suite.max_points() + by_rank,
            rank: 0,
            late: None,
            rank_points: None,
            score: 0,
            testcases: self.testcases.iter().map(|_| Some(Points::ZERO)).collect(),
            open: false,
            worst: worst.to_owned(),
            sha256: None,
            digest: None,
            address: student.address,
            report: None,
        }
    }

    /// Submissions that match no student on the list; none without a list.
    fn of_nobody(&self) -> impl Iterator<Item = &str> {
        let unlisted =
            |name: &&str| !self.students.is_empty() && !self.students.contains_key(*name);
        self.places.keys().map(String::as_str).filter(unlisted)
    }

    /// The data for the list of results to check.
    fn summary(&self) -> Summary<'_> {
        Summary {
            marks: &self.marks,
            students: self.students,
            findings: self.findings,
            failed: &self.failed,
            judge_errors: &self.judge_errors,
            of_nobody: self.of_nobody().collect(),
            games: self.games(),
        }
    }

    /// Submissions with the same answers in the journal.
    fn same_answers(&self, rounds: &RoundWriter<'_>) -> Result<SameAnswers, Error> {
        let Some(stored) = rounds.run.rounds() else { return Ok(SameAnswers::default()) };
        self.behaviour.compare(stored, self.suite, &self.findings.alike)
    }

    /// The games of the suite.
    fn games(&self) -> String {
        let mut games: Vec<&str> =
            self.suite.testcases.iter().map(|case| case.game.as_str()).collect();
        games.sort_unstable();
        games.dedup();
        games.join(", ")
    }

    fn write_sheet(&self, folder: &CourseFolder) -> Result<(), Error> {
        let failed = |error: &dyn std::fmt::Display| Error::Judge(error.to_string());
        let (mut sheet, marks): (_, Vec<Mark>) =
            (Vec::new(), self.marks.values().cloned().collect());
        write_marks(&mut sheet, &self.testcases, &marks).map_err(|error| failed(&error))?;
        let sheet = String::from_utf8(sheet).map_err(|error| failed(&error))?;
        folder.write_sheet("marks.csv", &sheet)
    }

    /// All graded submissions.
    fn submissions<'b>(
        &'b self,
        folder: &'b CourseFolder,
    ) -> impl Iterator<Item = SubmissionPage<'b>> + use<'a, 'b> {
        let graded = self.marks.iter().filter(|(name, _)| self.places.contains_key(*name));
        let games = self.games();
        let reason = move |name: &String| {
            let other = self.findings.other_games.get(name)?;
            Some(format!("It {}.", bots::for_another_suite(other, &games)))
        };
        graded.map(move |(name, mark)| SubmissionPage {
            name,
            files: folder.file_name(name),
            mark,
            student: self.names_of(name),
            inside: self.findings.modules.get(name).map(String::as_str),
            reason: reason(name),
        })
    }

    /// The names of a submission's students, for a page.
    fn names_of(&self, submission: &str) -> String {
        let others = self.shares.iter().filter(|(_, of)| *of == submission).map(|(key, _)| key);
        let all = [submission].into_iter().chain(others.map(String::as_str));
        let names = all.filter_map(|key| Some(self.marks.get(key)?.student.as_str()));
        names.collect::<Vec<_>>().join(", ")
    }

    /// The scoreboard, from the marks and the students' reports.
    fn scoreboard(&self, rounds: &RoundWriter<'_>) -> Scoreboard {
        let graded = self.marks.iter().filter_map(|(name, mark)| self.place(name, mark));
        let missing = self.marks.values().filter(|mark| mark.report.is_none());
        let missing = missing.map(|mark| match mark.submission {
            None => ScoreboardRow::missing(name_on_board(&mark.student), mark.max_points),
            Some(_) => ScoreboardRow::not_a_module(name_on_board(&mark.student), mark.max_points),
        });
        let mut scoreboard = Scoreboard {
            version: Scoreboard::VERSION,
            fingerprint: rounds.run.pool().fingerprint().clone(),
            suite: self.suite.name.clone(),
            title: self.suite.title.clone(),
            pseudonyms: false,
            testcases: self.columns.clone(),
            students: graded.chain(missing).collect(),
        };
        scoreboard.rank();
        scoreboard
    }

    /// The scoreboard row of a graded submission; none for a student without one.
    fn place(&self, name: &str, mark: &Mark) -> Option<ScoreboardRow> {
        let page = format!("{}.html", mark.report.as_ref()?.strip_suffix(".json")?);
        Some(ScoreboardRow {
            name: name_on_board(&mark.student),
            points: mark.points,
            late: mark.late.clone(),
            max_points: mark.max_points,
            rank_points: mark.rank_points,
            page: Some(super::pages::address(&page)),
            ..self.places.get(self.shares.get(name).map_or(name, String::as_str))?.clone()
        })
    }

    /// Number of submissions by worst verdict.
    fn worst_verdicts(&self) -> Vec<(Verdict, usize)> {
        let number =
            |verdict: &Verdict| self.worst.iter().filter(|worst| *worst == verdict).count();
        let all = Verdict::ALL.into_iter().map(|verdict| (verdict, number(&verdict)));
        all.filter(|(_, number)| *number > 0).collect()
    }
}

/// A student's name as `judge scoreboard` reads it from the mark sheet, without the apostrophe that
/// escapes formulas.
fn name_on_board(student: &str) -> String {
    let cell = judge_report::cell(student);
    let bare = cell.strip_prefix('\'').filter(|bare| judge_report::cell(bare) != *bare);
    bare.map(str::to_owned).unwrap_or(cell)
}

/// The row of a student in the list of files to send.
fn recipient(mark: &Mark) -> Recipient {
    let name = mark.report.as_deref().and_then(|path| Path::new(path).file_stem()?.to_str());
    let file = name.map(student_zip::path);
    [Some(mark.student.clone()), mark.id.clone(), mark.address.clone(), file]
}

#[cfg(test)]
mod tests {
    use super::name_on_board;

    #[test]
    fn a_name_like_a_formula_is_unchanged_on_the_scoreboard() {
        for name in ["Ada", "=1+1", "-x", "'Ada", "''", "+"] {
            assert_eq!(name_on_board(name), name);
        }
        assert_eq!(name_on_board("a\nb"), "a\u{fffd}b");
    }
}
