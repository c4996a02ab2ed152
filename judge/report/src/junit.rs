//! JUnit XML: a suite per bot, a testcase per testcase. A low score or a bot's fault is a failure,
//! the judge's fault an error. The readers of a CI's results may be students.

use std::io::{self, Write};

use judge_core::{Blame, BotReport, GradeReport, StudentReport, TestcaseReport, Verdict, steers};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event as Xml};

use crate::words::{figures, trace};

/// Renders all bots.
pub(crate) fn render(report: &StudentReport) -> String {
    let mut bytes = Vec::new();
    let mut writer = Writer::new_with_indent(&mut bytes, b' ', 2);
    write(&mut writer, report).expect("memory takes everything");
    String::from_utf8(bytes).expect("made of text") + "\n"
}

fn write<W: Write>(writer: &mut Writer<W>, report: &GradeReport) -> io::Result<()> {
    writer.write_event(Xml::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    write_report(writer, report)
}

/// Counts of testcases by outcome.
#[derive(Default, Clone, Copy)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
}

impl Counts {
    fn from_bot(bot: &BotReport) -> Counts {
        if bot.refused.is_some() {
            return Counts { tests: 1, failures: 1, errors: 0 };
        }
        let errors = bot.testcases.iter().filter(|case| is_error(case)).count();
        let passed = bot.passed as usize;
        let tests = bot.testcases.len();
        Counts { tests, failures: tests - passed - errors, errors }
    }

    fn plus(self, other: Counts) -> Counts {
        Counts {
            tests: self.tests + other.tests,
            failures: self.failures + other.failures,
            errors: self.errors + other.errors,
        }
    }

    fn put(self, tag: &mut BytesStart<'_>) {
        tag.push_attribute(("tests", self.tests.to_string().as_str()));
        tag.push_attribute(("failures", self.failures.to_string().as_str()));
        tag.push_attribute(("errors", self.errors.to_string().as_str()));
    }
}

fn is_error(case: &TestcaseReport) -> bool {
    case.verdict == Verdict::JudgeError || case.blame == Some(Blame::Judge)
}

fn write_report<W: Write>(writer: &mut Writer<W>, report: &GradeReport) -> io::Result<()> {
    let mut root = BytesStart::new("testsuites");
    root.push_attribute(("name", clean(&report.suite).as_str()));
    report.bots.iter().map(Counts::from_bot).fold(Counts::default(), Counts::plus).put(&mut root);
    writer.write_event(Xml::Start(root))?;
    for bot in &report.bots {
        write_bot(writer, report, bot)?;
    }
    writer.write_event(Xml::End(BytesEnd::new("testsuites")))
}

fn write_bot<W: Write>(
    writer: &mut Writer<W>,
    report: &GradeReport,
    bot: &BotReport,
) -> io::Result<()> {
    let name = clean(&bot.bot.name);
    let mut suite = BytesStart::new("testsuite");
    suite.push_attribute(("name", name.as_str()));
    Counts::from_bot(bot).put(&mut suite);
    suite.push_attribute(("skipped", "0"));
    writer.write_event(Xml::Start(suite))?;
    writer.write_event(Xml::Start(BytesStart::new("properties")))?;
    let points = format!("{}/{}", bot.points, bot.max_points);
    let sha256 = bot.bot.sha256.to_string();
    let properties = [
        ("points", points.as_str()),
        ("sha256", &sha256),
        ("judge", &report.fingerprint.judge),
        ("engine", &report.fingerprint.engine),
    ];
    for (key, value) in properties {
        let mut property = BytesStart::new("property");
        property.push_attribute(("name", key));
        property.push_attribute(("value", clean(value).as_str()));
        writer.write_event(Xml::Empty(property))?;
    }
    writer.write_event(Xml::End(BytesEnd::new("properties")))?;
    if let Some(fault) = &bot.refused {
        let id = format!("{name}.intake");
        let why = fault.why.to_string();
        write_case(writer, &id, "intake", Some((false, fault.label(), &why)), "")?;
    }
    for case in &bot.testcases {
        let class = format!("{name}.{}", clean(&report.suite));
        let outcome = (case.verdict != Verdict::Accepted).then_some((
            is_error(case),
            case.label(),
            &case.detail,
        ));
        let output = trace(case).into_iter().chain([figures(case)]).collect::<Vec<_>>().join("\n");
        write_case(writer, &class, &case.name, outcome, &output)?;
    }
    writer.write_event(Xml::End(BytesEnd::new("testsuite")))
}

/// Writes a testcase; `outcome` is whether the judge failed, the verdict, and the reason.
fn write_case<W: Write>(
    writer: &mut Writer<W>,
    class: &str,
    name: &str,
    outcome: Option<(bool, &str, &String)>,
    output: &str,
) -> io::Result<()> {
    let mut case = BytesStart::new("testcase");
    case.push_attribute(("classname", class));
    case.push_attribute(("name", clean(name).as_str()));
    writer.write_event(Xml::Start(case))?;
    if let Some((is_error, verdict, detail)) = outcome {
        let tag = if is_error { "error" } else { "failure" };
        let mut failure = BytesStart::new(tag);
        failure.push_attribute(("message", clean(detail).as_str()));
        failure.push_attribute(("type", verdict));
        writer.write_event(Xml::Start(failure))?;
        // Some tools show only the body, so it repeats the essentials.
        let body = clean(&format!("{verdict}: {detail}\n{output}"));
        writer.write_event(Xml::Text(BytesText::new(&body)))?;
        writer.write_event(Xml::End(BytesEnd::new(tag)))?;
    } else if !output.is_empty() {
        writer.write_event(Xml::Start(BytesStart::new("system-out")))?;
        writer.write_event(Xml::Text(BytesText::new(&clean(output))))?;
        writer.write_event(Xml::End(BytesEnd::new("system-out")))?;
    }
    writer.write_event(Xml::End(BytesEnd::new("testcase")))
}

/// Removes the characters that XML 1.0 cannot hold, and escapes other invisible ones.
fn clean(text: &str) -> String {
    let allowed = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}') || c == '\n';
    let clean = |c: char| match c {
        c if !allowed(c) => "\u{fffd}".to_owned(),
        c if c != '\n' && steers(c) => c.escape_default().to_string(),
        c => c.to_string(),
    };
    text.chars().map(clean).collect()
}
