//! Tests of every format with the same run.

use judge_core::{Event, Listener, Unit};

use crate::test_data::samples::report;
use crate::{Format, TerminalReporter};

/// Returns the output of a reporter for a whole run.
fn written<'a>(make: impl FnOnce(&'a mut Vec<u8>) -> Box<dyn Listener + 'a>, out: &'a mut Vec<u8>) {
    let report = report();
    let mut reporter = make(out);
    reporter.event(&Event::Started { unit: Unit::Rounds, total: Some(8) }).unwrap();
    for bot in &report.bots {
        let report = Box::new(bot.clone());
        reporter.event(&Event::SubmissionDecided { report }).unwrap();
    }
    reporter.event(&Event::Graded { report: Box::new(report) }).unwrap();
}

fn terminal(color: bool) -> String {
    let paths = ["plain.wasm", "my bots/it's.wasm", "-unlucky.wasm", "empty.wasm"];
    let paths = paths.map(str::to_owned).to_vec();
    let mut out = Vec::new();
    written(|out| Box::new(TerminalReporter::new(out, color, paths)), &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn the_terminal_shows_tables_failures_commands_and_a_board() {
    let text = terminal(false);
    assert!(!text.contains('\x1b') && !text.contains('\x07'), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn colours_are_optional_and_change_no_text() {
    let plain = terminal(false);
    let mut colored = terminal(true);
    assert!(colored.contains('\x1b'));
    while let Some(start) = colored.find('\x1b') {
        let end = start + colored[start..].find('m').unwrap();
        colored.replace_range(start..=end, "");
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&colored), words(&plain));
}

#[test]
fn json_reads_back_as_the_same_report() {
    let text = Format::Json.render(&report()).unwrap();
    let read: judge_core::GradeReport = serde_json::from_str(&text).unwrap();
    assert_eq!(read, report());
}

#[test]
fn junit_is_well_formed_and_distinguishes_failures_from_errors() {
    let text = Format::Junit.render(&report()).unwrap();
    let allowed = |c: char| !c.is_control() || c == '\n';
    assert!(text.chars().all(allowed), "XML cannot hold control characters: {text}");
    let mut reader = quick_xml::Reader::from_str(&text);
    reader.config_mut().check_end_names = true;
    let mut counts = std::collections::BTreeMap::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(tag) => {
                let name = tag.name().as_ref().to_owned();
                *counts.entry(name).or_insert(0) += 1;
            }
            _ => {}
        }
    }
    assert_eq!((counts["testcase"], counts["failure"], counts["error"]), (7, 3, 1));
    assert!(text.contains(r#"tests="7" failures="3" errors="1""#), "{text}");
}
