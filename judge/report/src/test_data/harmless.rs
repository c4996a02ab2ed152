//! Tests that no name of a bot or function can control the program that displays it, in any format.

use judge_core::{GradeReport, steers};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value;

use crate::test_data::samples::{HOSTILE, hostile, hostile_refusal, report};
use crate::words::explanation;
use crate::{CourseTool, Format, Visibility, gradescope, step_summary};

fn render(format: Format, report: &GradeReport) -> String {
    format.render(report).expect("as many bots as the format holds")
}

/// Returns a report with one of several bots.
fn only(number: usize) -> GradeReport {
    let mut report = report();
    report.bots = vec![report.bots.swap_remove(number)];
    report
}

/// A command as GitHub's documentation describes them.
#[derive(Debug, PartialEq, Eq)]
struct WorkflowCommand {
    kind: String,
    title: String,
    message: String,
}

/// Parses a line as GitHub's runner does; none for a line that is only displayed.
fn command(line: &str) -> Option<WorkflowCommand> {
    let rest = line.trim_start().strip_prefix("::")?;
    let (head, message) = rest.split_once("::")?;
    let (kind, properties) = head.split_once(' ').unwrap_or((head, ""));
    let title = properties.split(',').find_map(|pair| pair.strip_prefix("title="));
    let data = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    let property = |text: &str| data(&text.replace("%3A", ":").replace("%2C", ","));
    Some(WorkflowCommand {
        kind: kind.to_owned(),
        title: property(title.unwrap_or_default()),
        message: data(message),
    })
}

/// Returns the commands in printed text, and panics if one is not ours.
fn commands(text: &str) -> Vec<WorkflowCommand> {
    assert!(!text.contains("##["), "the runner's other kind of command: {text}");
    assert!(!text.contains('\r'), "the runner ends a line there, too: {text:?}");
    let ours = |line: &&str| {
        ["::error title=", "::warning title=", "::notice title="]
            .iter()
            .any(|kind| line.starts_with(kind))
    };
    let (ours, others): (Vec<&str>, Vec<&str>) = text.lines().partition(ours);
    for line in others {
        assert!(!line.trim_start().starts_with("::"), "{line:?}");
    }
    ours.into_iter().map(|line| command(line).expect("a command")).collect()
}

fn count(commands: &[WorkflowCommand], kind: &str) -> usize {
    commands.iter().filter(|command| command.kind == kind).count()
}

/// Panics if a text in the value could control a terminal or a page.
fn check_texts(value: &Value) {
    match value {
        Value::String(text) => {
            assert!(!text.chars().any(|c| c != '\n' && steers(c)), "{text:?}");
            assert!(!text.contains("##["), "{text:?}");
        }
        Value::Array(values) => values.iter().for_each(check_texts),
        Value::Object(map) => map.values().for_each(check_texts),
        _ => {}
    }
}

fn parsed(text: &str) -> Value {
    assert!(!text.contains(['<', '>', '&']), "a page could take it for markup: {text}");
    let value = serde_json::from_str(text).expect("JSON");
    check_texts(&value);
    value
}

/// The structure of a Markdown text: number of headings, number of rows, and all other markup.
fn structure(text: &str) -> (usize, usize, Vec<String>) {
    let (mut headings, mut rows, mut markup) = (0, 0, Vec::new());
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => headings += 1,
            Event::Start(Tag::TableRow) => rows += 1,
            Event::Start(
                Tag::Paragraph
                | Tag::Table(_)
                | Tag::TableHead
                | Tag::TableCell
                | Tag::Strong
                | Tag::List(None)
                | Tag::Item,
            ) => {}
            Event::InlineHtml(html) if matches!(&*html, "<code>" | "</code>") => {}
            Event::Start(tag) => markup.push(format!("{tag:?}")),
            Event::Html(html) | Event::InlineHtml(html) => markup.push(html.to_string()),
            _ => {}
        }
    }
    (headings, rows, markup)
}

/// Checks every format with a bot that failed in every testcase.
fn check(report: &GradeReport) {
    let bot = &report.bots[0];
    let failed = if bot.refused.is_some() { 1 } else { bot.testcases.len() };

    let items = if bot.refused.is_some() { 0 } else { failed };
    let printed = commands(&render(Format::Github, report));
    assert_eq!(count(&printed, "error"), failed.min(10));
    assert_eq!(count(&printed, "notice"), 2, "{printed:?}");
    assert_eq!(printed.len(), failed.min(10) + 2);
    let told = printed.iter().filter(|command| command.kind == "error");
    for (command, case) in std::iter::zip(told, &bot.testcases) {
        assert_eq!(command.message, explanation(case), "the text arrives as it is");
    }

    let results = parsed(&render(Format::Gradescope, report));
    assert_eq!(results["tests"].as_array().map(Vec::len), Some(failed));
    parsed(&render(Format::Prairielearn, report));
    parsed(&render(Format::Classroom50, report));
    let result = parsed(&render(Format::Joj3, report));
    let comment = result["comment"].as_str().expect("a comment");
    assert_eq!(structure(comment), (0, 0, Vec::new()), "{comment}");
    assert_eq!(comment.lines().filter(|line| line.starts_with("- ")).count(), items);

    let markdown = render(Format::Markdown, report);
    let rows = if bot.refused.is_some() { 0 } else { failed };
    assert_eq!(structure(&markdown), (2, rows, Vec::new()), "{markdown}");
    assert_eq!(step_summary(&report.for_student()), markdown);

    check_csv(&render(Format::Csv, report), failed);
    let text = render(Format::Text, report);
    assert_eq!(commands(&text), [], "{text}");
    assert!(!text.chars().any(|c| c != '\n' && steers(c)), "{text:?}");
}

fn check_csv(text: &str, rows: usize) {
    assert_eq!(text.lines().count(), rows + 1, "a row is a line: {text}");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let records: Vec<_> = reader.records().map(|record| record.expect("a row")).collect();
    assert_eq!(records.len(), rows);
    for cell in records.iter().flatten() {
        assert!(!cell.trim_start().starts_with(['=', '+', '-', '@']), "{cell:?}");
        assert!(!cell.contains(steers), "{cell:?}");
    }
}

#[test]
fn hostile_texts_are_escaped_in_every_format() {
    check(&hostile(&HOSTILE));
    for text in HOSTILE {
        check(&hostile(&[text]));
        check(&hostile_refusal(text));
    }
}

fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "\\PC{0,6}",
        any::<char>().prop_map(String::from),
        prop::sample::select(vec![
            "::",
            "::error::",
            "##[",
            "\n",
            "\r",
            " ",
            "|",
            "\\",
            "`",
            "``",
            "<b>",
            "&lt;",
            "](x)",
            "[",
            "*",
            "_",
            "#",
            "=",
            "+",
            "-",
            "@",
            "%0A",
            "%",
            ",",
            "\"",
            "\u{1b}[",
            "\u{61c}",
            "\u{ad}",
            "\u{e0041}",
            "http://x",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// The table is compared with a library's, which may be for a later version of Unicode.
    #[test]
    fn invisible_and_bidirectional_characters_are_escaped(
        text in "[\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]{1,20}",
    ) {
        prop_assert!(text.chars().all(steers), "{text:?}");
        prop_assert!(crate::tame(&text).is_ascii(), "{text:?}");
        prop_assert!(crate::cell(&text).is_ascii(), "{text:?}");
    }

    #[test]
    fn random_texts_are_escaped_in_every_format(texts in prop::collection::vec(hostile_text(), 1..4)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        check(&hostile(&texts));
        check(&hostile_refusal(texts[0]));
    }
}

#[test]
fn the_worst_testcases_come_first_up_to_the_limit() {
    let texts: Vec<String> = (0..25).map(|number| format!("case-{number}")).collect();
    let mut many = hostile(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    many.bots[0].testcases[24].verdict = judge_core::Verdict::IllegalMove;
    let printed = commands(&render(Format::Github, &many));
    assert_eq!(count(&printed, "error"), 10);
    assert_eq!(printed[0].title, "case-24: Illegal move");
    assert_eq!(printed[9].title, "16 more");
}

#[test]
fn summaries_stay_under_the_limit_and_name_omitted_parts() {
    let mut report = report();
    let bots = std::iter::repeat_n(report.bots.clone(), 1000);
    report.bots = bots.flatten().collect();
    let summary = step_summary(&report.for_student());
    assert!(summary.len() < 1 << 20 && summary.len() > 500_000, "{}", summary.len());
    assert!(summary.ends_with("of 4000 bots are left out: the text would be too long.\n"));
}

#[test]
fn points_that_the_judge_owes_are_not_reported_as_final() {
    let printed = commands(&render(Format::Github, &only(2)));
    assert_eq!((count(&printed, "warning"), count(&printed, "error")), (1, 0));
    assert_eq!(printed[1].title, "Not graded");
    let results = parsed(&render(Format::Prairielearn, &only(2)));
    assert_eq!(results["gradable"], false);
}

#[test]
fn a_testcase_can_be_hidden_from_students() {
    let seen = only(0).for_student();
    let mut tool = CourseTool::default();
    tool.testcases.insert("02-hard".to_owned(), Visibility::AfterPublished);
    let results = parsed(&gradescope::render(&seen, &tool));
    let shown: Vec<_> = (0..2).map(|at| &results["tests"][at]["visibility"]).collect();
    assert_eq!(shown, ["visible", "after_published"]);
    assert_eq!(results["leaderboard"][0]["value"], results["tests"][0]["score"], "no sum shows it");
    tool.leaderboard = false;
    assert_eq!(parsed(&gradescope::render(&seen, &tool)).get("leaderboard"), None);
}

#[test]
fn formats_for_students_have_nothing_of_hidden_rounds() {
    let mut report = only(1);
    let case = &mut report.bots[0].testcases[1];
    case.hidden = true;
    // With a fault, it would have no score.
    case.verdict = judge_core::Verdict::BelowThreshold;
    (case.score, case.fuel, case.detail) = (77, 987_654_321_000, "seed 424242".to_owned());
    case.reproduce = Some("--seed 424242".to_owned());
    let digest = report.bots[0].digest.to_string();
    let formats = [
        Format::Junit,
        Format::Github,
        Format::Gradescope,
        Format::Prairielearn,
        Format::Classroom50,
        Format::Joj3,
    ];
    let texts = formats.map(|format| render(format, &report));
    for text in texts.iter().chain([&step_summary(&report.for_student())]) {
        for secret in ["424242", "987", &digest] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
        assert!(text.contains("77"), "its points are shown: {text}");
    }
    assert!(render(Format::Text, &report).contains("424242"), "staff see everything");
}

#[test]
fn a_format_for_one_bot_refuses_several() {
    for format in [Format::Gradescope, Format::Prairielearn, Format::Classroom50, Format::Joj3] {
        let error = format.render(&report()).expect_err("four bots").to_string();
        assert_eq!(
            error,
            format!("`{}` holds the result of one bot, and there are 4", format.name())
        );
    }
    let error = "html".parse::<Format>().expect_err("no such format").to_string();
    assert!(error.starts_with("unknown format `html`; there are text, json, junit, "), "{error}");
}

#[test]
fn csv_for_spreadsheets_differs_only_by_its_byte_order_mark() {
    let tool = CourseTool { byte_order_mark: true, ..CourseTool::default() };
    for format in Format::ALL {
        let plain = render(*format, &only(1));
        let marked = format.render_with(&only(1), &tool).expect("one bot");
        match format {
            Format::Csv => assert_eq!(marked.strip_prefix('\u{feff}'), Some(&*plain)),
            _ => assert_eq!(marked, plain),
        }
    }
}

#[test]
fn every_format_is_unchanged() {
    insta::assert_snapshot!("github", render(Format::Github, &report()));
    insta::assert_snapshot!("markdown", render(Format::Markdown, &report()));
    insta::assert_snapshot!("csv", render(Format::Csv, &report()));
    insta::assert_snapshot!("joj3", render(Format::Joj3, &only(1)));
    insta::assert_snapshot!("joj3_owed", render(Format::Joj3, &only(2)));
    insta::assert_snapshot!("joj3_refused", render(Format::Joj3, &only(3)));
    insta::assert_snapshot!("classroom50", render(Format::Classroom50, &only(1)));
    insta::assert_snapshot!("gradescope", render(Format::Gradescope, &only(1)));
    insta::assert_snapshot!("gradescope_refused", render(Format::Gradescope, &only(3)));
    insta::assert_snapshot!("prairielearn", render(Format::Prairielearn, &only(0)));
    insta::assert_snapshot!("prairielearn_refused", render(Format::Prairielearn, &only(3)));
    insta::assert_snapshot!("github_hostile", render(Format::Github, &hostile(&HOSTILE)));
    insta::assert_snapshot!("markdown_hostile", render(Format::Markdown, &hostile(&HOSTILE)));
}
