//! The formats by name, each a pure function from a finished report to text.

use std::io::{self, Write};
use std::str::FromStr;

use judge_core::{BotReport, Event, GradeReport};

use crate::{
    Reporter, TerminalReporter, Visibility, classroom, github, gradescope, joj3, junit, markdown,
    prairielearn, testcases,
};

/// A format that a finished result can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The tables of the terminal, without colours.
    Text,
    /// All of it; what `judge verify` and `judge report` read.
    Json,
    /// JUnit XML.
    Junit,
    /// One row per bot and testcase.
    Csv,
    /// Tables for people, and for comments and wikis.
    Markdown,
    /// Annotations for GitHub Actions.
    Github,
    /// What a runner of GitHub Classroom hands to its reporter.
    Classroom,
    /// Gradescope's `results.json`.
    Gradescope,
    /// PrairieLearn's `results.json`.
    Prairielearn,
    /// Stages of JOJ3.
    Joj3,
}

/// A name that no format has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{name}`; there are {}", Format::names())]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
}

/// A format for the result of one bot, and not just one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{format}` holds the result of one bot, and there are {bots}")]
pub struct NotOneBot {
    /// The format's name.
    pub format: &'static str,
    /// How many there are.
    pub bots: usize,
}

impl Format {
    /// All of them, in the order of the documentation.
    pub const ALL: [Format; 10] = [
        Format::Text,
        Format::Json,
        Format::Junit,
        Format::Csv,
        Format::Markdown,
        Format::Github,
        Format::Classroom,
        Format::Gradescope,
        Format::Prairielearn,
        Format::Joj3,
    ];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Junit => "junit",
            Format::Csv => "csv",
            Format::Markdown => "markdown",
            Format::Github => "github",
            Format::Classroom => "classroom",
            Format::Gradescope => "gradescope",
            Format::Prairielearn => "prairielearn",
            Format::Joj3 => "joj3",
        }
    }

    fn names() -> String {
        Format::ALL.map(Format::name).join(", ")
    }

    /// Makes sure that so many bots can be written in this format.
    ///
    /// # Errors
    /// When it holds the result of one bot, and there is another number of them.
    pub fn check_bots(self, bots: usize) -> Result<(), NotOneBot> {
        let one_only = matches!(self, Format::Gradescope | Format::Prairielearn);
        if one_only && bots != 1 {
            return Err(NotOneBot { format: self.name(), bots });
        }
        Ok(())
    }

    /// Whether students read what is made of it: then hidden testcases stay hidden.
    fn is_for_students(self) -> bool {
        use Format::{Classroom, Github, Gradescope, Joj3, Prairielearn};
        matches!(self, Github | Classroom | Gradescope | Prairielearn | Joj3)
    }

    /// The report in this format.
    ///
    /// # Errors
    /// As [`Format::check_bots`].
    pub fn render(self, report: &GradeReport) -> Result<String, NotOneBot> {
        self.render_with(report, Visibility::AfterPublished)
    }

    /// The report in this format; `hidden` says when students see the results of hidden testcases,
    /// in a course tool that can hold them back.
    ///
    /// # Errors
    /// As [`Format::check_bots`].
    pub fn render_with(
        self,
        report: &GradeReport,
        hidden: Visibility,
    ) -> Result<String, NotOneBot> {
        self.check_bots(report.bots.len())?;
        let report = if self.is_for_students() { &report.for_student() } else { report };
        Ok(match self {
            Format::Text => text(report),
            Format::Json => report.to_json(),
            Format::Junit => junit::render(report),
            Format::Csv => testcases::render(report),
            Format::Markdown => markdown::render(report),
            Format::Github => github::render(report),
            Format::Classroom => classroom::render(report),
            Format::Gradescope => gradescope::render(report, &report.bots[0], hidden),
            Format::Prairielearn => prairielearn::render(&report.bots[0]),
            Format::Joj3 => joj3::render(report),
        })
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let known = Format::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}

fn text(report: &GradeReport) -> String {
    let mut text = Vec::new();
    write_tables(&mut text, false, report).expect("memory takes every text");
    String::from_utf8(text).expect("the terminal gets text")
}

/// Writes the tables of a report that was saved. Where the bots' files are is not known, so they
/// are called by their names.
///
/// # Errors
/// When the output cannot be written.
pub fn write_tables(output: impl Write, color: bool, report: &GradeReport) -> io::Result<()> {
    let path = |bot: &BotReport| format!("{}.wasm", bot.bot.name);
    let paths = report.bots.iter().map(path).collect();
    let mut tables = TerminalReporter::new(output, color, paths);
    let events = report.bots.iter().map(Event::BotFinished).chain([Event::Finished(report)]);
    events.into_iter().try_for_each(|event| tables.event(&event))
}

/// Writes a finished report in some format.
pub struct FormatReporter<W> {
    format: Format,
    hidden: Visibility,
    output: W,
}

impl<W: Write> FormatReporter<W> {
    /// Reports to `output`.
    pub fn new(format: Format, output: W) -> FormatReporter<W> {
        FormatReporter { format, hidden: Visibility::AfterPublished, output }
    }

    /// Says when students see the results of hidden testcases: [`Format::render_with`].
    pub fn hidden(self, hidden: Visibility) -> FormatReporter<W> {
        FormatReporter { hidden, ..self }
    }
}

impl<W: Write> Reporter for FormatReporter<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        let Event::Finished(report) = event else { return Ok(()) };
        let text = self.format.render_with(report, self.hidden).map_err(io::Error::other)?;
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }
}
