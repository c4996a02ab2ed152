//! The pages of a graded course: the board, and one for each student. All of it is made from the
//! mark sheet and the reports that lie in the folder.

use judge_core::{Blame, GradeReport, RoundReport, TestcaseReport};
use judge_grading::{Suite, play_arguments};
use judge_report::page::{Again, Standing, Student};
use judge_report::{Mark, quoted};

use super::CourseFolder;
use crate::board::{self, encoded};
use crate::failure::Failure;

/// Writes `board.html`, `students/NAME.html`, and where testcases are hidden `full/NAME.html`.
pub(super) fn write(folder: &CourseFolder, suite: &Suite, marks: &[Mark]) -> Result<(), Failure> {
    let graded = marks.iter().filter(|mark| mark.report.is_some()).count();
    for mark in marks {
        let Some(report) = &mark.report else { continue };
        student(folder, suite, mark, graded, report)?;
        let full = report.replacen("students/", "full/", 1);
        if folder.path().join(&full).is_file() {
            student(folder, suite, mark, graded, &full)?;
        }
    }
    if graded == 0 {
        return Ok(());
    }
    folder.write("board.html", &board::of_course(folder.path())?.to_html())
}

/// Writes the page of a report beside it.
fn student(
    folder: &CourseFolder,
    suite: &Suite,
    mark: &Mark,
    of: usize,
    path: &str,
) -> Result<(), Failure> {
    let file = folder.path().join(path);
    let text = Failure::read_text(&file)?;
    let report = GradeReport::from_json(&text).map_err(|error| Failure::input(&file, &error))?;
    let Some(bot) = report.bots.first() else { return Ok(()) };
    let module = module(mark, &bot.bot.name);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let page = Student {
        name: &mark.student,
        standing: standing(mark, of),
        again: again(
            folder,
            suite,
            bot.testcases.as_slice(),
            &module,
            name.strip_suffix(".json").unwrap_or(&name),
        ),
        verify: vec![
            format!("judge verify {}", quoted(&name)),
            format!("judge verify {} {module} --suite {}", quoted(&name), quoted(&suite.name)),
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
fn module(mark: &Mark, name: &str) -> String {
    let submission = mark.submission.as_deref().unwrap_or(name);
    let is_file = submission.to_ascii_lowercase().ends_with(".wasm");
    if is_file { quoted(submission) } else { quoted(&format!("{submission}.wasm")) }
}

/// For each round of each testcase: its command, and its page if somebody made one.
fn again(
    folder: &CourseFolder,
    suite: &Suite,
    cases: &[TestcaseReport],
    module: &str,
    name: &str,
) -> Vec<Vec<Again>> {
    let of_round = |case: &TestcaseReport, round: &RoundReport, command: Option<String>| {
        let page = CourseFolder::round_page(name, &case.name, round.round);
        let address = || page.split('/').map(encoded).collect::<Vec<_>>().join("/");
        let page = folder.path().join(&page).is_file().then(|| format!("../{}", address()));
        Again { command: command.map(|arguments| format!("judge play {module} {arguments}")), page }
    };
    let of_case = |case: &TestcaseReport| {
        let commands = commands(suite, case);
        std::iter::zip(&case.rounds, commands)
            .map(|(round, command)| of_round(case, round, command))
            .collect()
    };
    cases.iter().map(of_case).collect()
}

/// Arguments that play each round again as it was played: a round that the bot broke was played
/// with what the rounds before it had left, every other with the whole of the testcase's time.
fn commands(suite: &Suite, case: &TestcaseReport) -> Vec<Option<String>> {
    let testcase = suite.testcases.iter().find(|testcase| testcase.name == case.name);
    let mut left = case.limits.fuel;
    let mut command = |round: &RoundReport| {
        let fuel = if round.blame == Some(Blame::Bot) { left } else { case.limits.fuel };
        left = left.saturating_sub(round.fuel);
        round.outcome.as_ref()?;
        Some(play_arguments(testcase?, round.seed, fuel))
    };
    case.rounds.iter().map(&mut command).collect()
}
