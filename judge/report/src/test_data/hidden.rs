//! Tests that results that differ only in hidden rounds give students the same bytes, in every
//! format and on every page.

use judge_core::{BotReport, Explanation, GradeReport, Refused, Shows, TestcaseReport, Verdict};

use crate::page::{Audience, Student};
use crate::test_data::samples::with_rounds;
use crate::{
    Column, CourseTool, Format, Mark, Scoreboard, ScoreboardRow, Visibility, step_summary,
    write_marks,
};

/// Returns a report on one bot with an open testcase and these hidden ones.
fn graded(shows: Shows, hidden: [TestcaseReport; 2]) -> GradeReport {
    let mut report = with_rounds();
    report.bots.truncate(1);
    let bot = report.bots.remove(0);
    let open = bot.testcases[0].clone();
    let hidden = hidden.map(|case| TestcaseReport { hidden: true, shows: Some(shows), ..case });
    let testcases = [vec![open], hidden.to_vec()].concat();
    report.bots = vec![BotReport::new(bot.bot, None, 60.into(), testcases)];
    report.sealed()
}

/// Returns a hidden testcase with this result; `trace` marks everything in its rounds.
fn case(name: &str, verdict: Verdict, score: i64, trace: u64) -> TestcaseReport {
    let mut case = with_rounds().bots[0].testcases[1].clone();
    let passed = verdict == Verdict::Accepted;
    case.name = name.to_owned();
    (case.verdict, case.score, case.points) = (verdict, score, if passed { 20 } else { 0 }.into());
    case.blame = verdict.is_fault().then_some(judge_core::Blame::Bot);
    (case.fuel, case.peak_memory_bytes) = (trace, trace + 1);
    case.detail = format!("line {trace}");
    case.reproduce = Some(format!("--seed {trace}"));
    case.sha256 = judge_core::digest(&trace.to_le_bytes());
    case.rounds.truncate(usize::try_from(trace % 3).unwrap_or_default() + 1);
    for round in &mut case.rounds {
        (round.fuel, round.verdict) = (trace, verdict);
        round.digest = Some(judge_core::digest(&trace.to_be_bytes()));
    }
    case
}

/// Returns two results that a student must not be able to distinguish.
fn twins(shows: Shows) -> [GradeReport; 2] {
    use Verdict::{Accepted, BelowThreshold, MemoryLimitExceeded, RuntimeError};
    let pairs = match shows {
        Shows::Verdict => [
            [case("02", RuntimeError, 7, 1), case("03", Accepted, 200, 2)],
            [case("02", RuntimeError, 7, 8), case("03", Accepted, 200, 9)],
        ],
        Shows::Passed => [
            [case("02", RuntimeError, 0, 1), case("03", Accepted, 200, 2)],
            [case("02", BelowThreshold, 55, 8), case("03", Accepted, 300, 9)],
        ],
        Shows::Points => [
            [case("02", MemoryLimitExceeded, 0, 1), case("03", Accepted, 200, 2)],
            [case("02", Accepted, 150, 8), case("03", BelowThreshold, 99, 9)],
        ],
    };
    let mut reports = pairs.map(|hidden| graded(shows, hidden));
    for (report, time) in std::iter::zip(&mut reports, [5_000, 90_000]) {
        (report.timing.wall_us, report.timing.bot_us) = (time, time + 1);
    }
    reports
}

/// Returns two such results for a submission that exceeded one of its bounds, perhaps in hidden
/// rounds.
fn refused_twins(shows: Shows) -> [GradeReport; 2] {
    [Verdict::TimeLimitExceeded, Verdict::OutputLimitExceeded].map(|verdict| {
        let mut report = with_rounds();
        let bot = report.bots.swap_remove(0).bot;
        let why = Explanation::without_hint(format!("why {verdict}"));
        let refused = Refused { verdict, shows: Some(shows), ..Refused::new(why) };
        report.bots = vec![BotReport::new(bot, Some(refused), 60.into(), Vec::new())];
        report.timing.wall_us = verdict.label().len() as u64;
        report.sealed()
    })
}

/// Everything that is rendered from a report for students, by name.
fn everything(report: &GradeReport) -> Vec<(&'static str, String)> {
    let seen = report.for_student();
    let rendered = |format: &Format, report: &GradeReport| {
        (format.name(), format.render(report).expect("one bot"))
    };
    let shown = Format::ALL.iter().map(|format| rendered(format, &seen));
    let always = Format::ALL.iter().filter(|format| format.is_for_students());
    let whole = always.map(|format| rendered(format, report));
    let open = CourseTool { hidden: Visibility::Visible, ..CourseTool::default() };
    let open = Format::Gradescope.render_with(report, &open).expect("one bot");
    let rest = [
        ("gradescope, visible", open),
        ("step summary", step_summary(&seen)),
        ("JSON", serde_json::to_string(&seen).expect("JSON")),
        ("page", page(report)),
        ("marks", marks(report)),
    ];
    shown.into_iter().chain(whole).chain(rest).chain(scoreboards(report)).collect()
}

fn page(report: &GradeReport) -> String {
    let seen = report.for_student();
    let page = Student {
        name: "Ada",
        pseudonym: None,
        report: Audience::Student(&seen),
        standing: None,
        late: None,
        reason: None,
        again: Vec::new(),
        verify: Vec::new(),
        file: "ada.wasm".to_owned(),
        endings: &[],
        is_live: false,
    };
    page.to_html().expect("a bot")
}

fn marks(report: &GradeReport) -> String {
    let seen = report.for_student();
    let names: Vec<String> = seen.bots[0].testcases.iter().map(|case| case.name.clone()).collect();
    let mark = |bot| Mark::from_result("Ada".to_owned(), "ada.wasm".to_owned(), &names, bot);
    let mut sheet = Vec::new();
    let marks: Vec<Mark> = seen.bots().map(mark).collect();
    write_marks(&mut sheet, &names, &marks).expect("memory does not run out");
    String::from_utf8(sheet).expect("text")
}

fn scoreboards(report: &GradeReport) -> [(&'static str, String); 3] {
    let seen = report.for_student();
    let bot = &seen.bots[0];
    let mut scoreboard = Scoreboard {
        version: Scoreboard::VERSION,
        fingerprint: seen.fingerprint.clone(),
        suite: seen.suite.clone(),
        title: seen.title.clone(),
        pseudonyms: false,
        testcases: bot.testcases.iter().map(Column::new).collect(),
        students: vec![ScoreboardRow::new("Ada".to_owned(), bot, None)],
    };
    scoreboard.rank();
    let text = scoreboard.to_text(None, false);
    [("board", text), ("board JSON", scoreboard.to_json()), ("board page", scoreboard.to_html())]
}

#[test]
fn a_difference_only_in_hidden_rounds_is_invisible_to_students() {
    let mut compared = 0;
    for shows in Shows::ALL {
        let bounds = (shows != Shows::Verdict).then(|| refused_twins(shows));
        for [one, other] in [Some(twins(shows)), bounds].into_iter().flatten() {
            assert_ne!(one.seal, other.seal, "they do differ");
            for ((what, one), (_, other)) in std::iter::zip(everything(&one), everything(&other)) {
                assert_eq!(one, other, "{shows:?}: {what}");
                assert!(!one.is_empty(), "{what}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 5 * 24, "five pairs in every format, page and table");
}

#[test]
fn hidden_values_are_shown_as_a_dash() {
    for shows in Shows::ALL {
        let [report, _] = twins(shows);
        for (what, text) in everything(&report) {
            assert!(
                !text.contains("0.000 ms") && !text.contains("0 KiB"),
                "{shows:?}: {what}: {text}"
            );
        }
        let seen: GradeReport = GradeReport::clone(&report.for_student());
        let csv = Format::Csv.render(&seen).expect("CSV");
        let hidden = csv.lines().filter(|line| line.contains(",4000000000,,"));
        assert_eq!(
            hidden.count(),
            seen.bots[0].testcases.iter().filter(|case| case.hidden).count()
        );
    }
}

#[test]
fn staff_see_differences_in_hidden_rounds() {
    for shows in Shows::ALL {
        let [one, other] = twins(shows).map(|report| {
            let rendered = |format: &Format| (*format, format.render(&report).expect("one bot"));
            Format::ALL.iter().map(rendered).collect::<Vec<_>>()
        });
        let differs = |(one, other): &(&(Format, String), &(Format, String))| one.1 != other.1;
        let differing = std::iter::zip(&one, &other).filter(differs).count();
        assert_eq!(differing, 4, "{shows:?}: text, json, csv and markdown");
    }
}
