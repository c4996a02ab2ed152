//! The pages of a graded course: the board, one for each student, and if wanted those of rounds. All
//! of it is made from the mark sheet, the reports that lie in the folder, and the journal.

use judge_core::{BotReport, GradeReport, RoundReport, TestcaseReport};
use judge_grading::{Suite, play_arguments};
use judge_report::page::{Again, Standing, Student};
use judge_report::{Mark, quoted};

use super::CourseFolder;
use super::rounds::{self, Rounds};
use crate::board::{self, encoded};
use crate::bundled;
use crate::failure::Failure;

/// Writes `board.html`, `students/NAME.html`, where testcases are hidden `full/NAME.html`, and the
/// rounds that are wanted; how many these are.
pub(super) fn write(
    folder: &CourseFolder,
    suite: &Suite,
    marks: &[Mark],
    rounds: &Rounds<'_>,
) -> Result<usize, Failure> {
    // Before the students' pages, which link to them.
    let written = rounds.write(folder, suite, marks)?;
    let graded = marks.iter().filter(|mark| mark.report.is_some()).count();
    for mark in marks {
        let Some(report) = &mark.report else { continue };
        student(folder, suite, mark, graded, report)?;
        let full = full(report);
        if folder.path().join(&full).is_file() {
            student(folder, suite, mark, graded, &full)?;
        }
    }
    if graded > 0 {
        folder.write("board.html", &board::of_course(folder.path())?.to_html())?;
    }
    Ok(written)
}

/// Where the whole of a report is, if testcases are hidden.
pub(super) fn full(report: &str) -> String {
    report.replacen("students/", "full/", 1)
}

/// The one result in a report of the course, and what the report's file is called.
pub(super) fn read(folder: &CourseFolder, path: &str) -> Result<(GradeReport, String), Failure> {
    let file = folder.path().join(path);
    let text = Failure::read_text(&file)?;
    let report = GradeReport::from_json(&text).map_err(|error| Failure::input(&file, &error))?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok((report, name))
}

/// Writes the page of a report beside it.
fn student(
    folder: &CourseFolder,
    suite: &Suite,
    mark: &Mark,
    of: usize,
    path: &str,
) -> Result<(), Failure> {
    let (report, name) = read(folder, path)?;
    let Some(bot) = report.bots.first() else { return Ok(()) };
    let module = module(mark, &bot.bot.name);
    let file = quoted(&format!("{name}.json"));
    let page = Student {
        name: &mark.student,
        standing: standing(mark, of),
        again: again(folder, suite, bot, &module, &name),
        verify: vec![
            format!("judge verify {file}"),
            format!("judge verify {file} {module} --suite {}", quoted(&bundled::argument(suite))),
        ],
        file: module,
        report: &report,
        bot,
    };
    folder.write(&format!("{}.html", path.strip_suffix(".json").unwrap_or(path)), &page.to_html())
}

fn standing(mark: &Mark, of: usize) -> Standing {
    let Mark { rank, points, max_points, rank_points, .. } = *mark;
    Standing { rank, of, points, max_points, rank_points }
}

/// The submitted module as one word of a shell.
pub(super) fn module(mark: &Mark, name: &str) -> String {
    let submission = mark.submission.as_deref().unwrap_or(name);
    let is_file = submission.to_ascii_lowercase().ends_with(".wasm");
    if is_file { quoted(submission) } else { quoted(&format!("{submission}.wasm")) }
}

/// For each round of each testcase: its command, and its page if there is one.
fn again(
    folder: &CourseFolder,
    suite: &Suite,
    bot: &BotReport,
    module: &str,
    name: &str,
) -> Vec<Vec<Again>> {
    let of_round = |case: &TestcaseReport, round: &RoundReport, fuel: Option<u64>| {
        let testcase = suite.testcases.iter().find(|testcase| testcase.name == case.name);
        let command = testcase.zip(fuel).map(|(testcase, fuel)| {
            format!("judge play {module} {}", play_arguments(testcase, round.seed, fuel))
        });
        Again { command, page: page(folder, name, case, round) }
    };
    let of_case = |case: &TestcaseReport| {
        std::iter::zip(&case.rounds, rounds::budgets(case))
            .map(|(round, fuel)| of_round(case, round, fuel))
            .collect()
    };
    bot.testcases.iter().map(of_case).collect()
}

/// The address of a round's page as seen from the student's, if there is one and it is of this very
/// round: a submission may have been replaced since.
fn page(
    folder: &CourseFolder,
    name: &str,
    case: &TestcaseReport,
    round: &RoundReport,
) -> Option<String> {
    let page = folder.round(name, case, round.round) + ".html";
    let text = Failure::read_text(&folder.path().join(&page)).ok()?;
    let digest = round.digest?.to_string();
    text.contains(&digest).then(|| format!("../{}", address(&page)))
}

/// A path in the course's folder as part of an address.
pub(super) fn address(path: &str) -> String {
    path.split('/').map(encoded).collect::<Vec<_>>().join("/")
}
