//! The formats by name, each a pure function from a finished report to text.

use std::io::{self, Write};
use std::str::FromStr;

use judge_core::{BotReport, GradeReport, StudentReport};

use crate::text::BYTE_ORDER_MARK;
use crate::{
    CourseTool, TerminalReporter, classroom50, github, gradescope, joj3, junit, markdown,
    prairielearn, testcases,
};

/// A format's function, by the input that it takes.
enum Render {
    /// The whole report. With `--for-student` it is already limited to the content for students.
    Whole(fn(&GradeReport) -> String),
    /// The report for students, whatever the audience.
    Student(fn(&StudentReport) -> String),
    /// The report for students with one bot, and further data for the course tool.
    OneStudent(fn(&StudentReport, &CourseTool) -> String),
}

/// Defines the formats from one line each.
macro_rules! formats {
    ($($variant:ident $name:literal $audience:literal: $content:literal = $render:expr;)+) => {
        /// A format that a finished result can be written in.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Format {
            $(#[doc = $content] $variant,)+
        }

        impl Format {
            /// All formats, in the order of the documentation.
            pub const ALL: &[Format] = &[$(Format::$variant),+];

            /// Name on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Format::$variant => $name),+ }
            }

            /// The audience.
            pub fn audience(self) -> &'static str {
                match self { $(Format::$variant => $audience),+ }
            }

            /// The content of a file in this format, in Markdown.
            pub fn content(self) -> &'static str {
                match self { $(Format::$variant => $content),+ }
            }

            fn renderer(self) -> Render {
                match self { $(Format::$variant => $render),+ }
            }
        }
    };
}

// Help, completions and the README's table are generated from these lines.
formats! {
    Text "text" "people": "the tables of the terminal" = Render::Whole(text);
    Json "json" "programs": "everything; `judge report` and `judge verify` read it"
        = Render::Whole(GradeReport::to_json);
    Junit "junit" "CI": "JUnit XML; for hidden testcases, only what students may see"
        = Render::Student(junit::render);
    Csv "csv" "programs": "a row per bot and testcase" = Render::Whole(testcases::render);
    Markdown "markdown" "people": "the tables for comments and wikis"
        = Render::Whole(markdown::render);
    Github "github" "GitHub Actions":
        "annotations with the worst first, the points as a notice, and on \
         standard output also the step's summary (`$GITHUB_STEP_SUMMARY`)"
        = Render::Student(github::render);
    Classroom50 "classroom50" "Classroom 50": "`result.json`, of one bot"
        = Render::OneStudent(|report, tool| classroom50::render(report, tool.submission.as_ref()));
    Gradescope "gradescope" "Gradescope": "`results.json`, of one bot"
        = Render::OneStudent(gradescope::render);
    Prairielearn "prairielearn" "PrairieLearn": "`results.json`, of one bot"
        = Render::OneStudent(|report, _| prairielearn::render(report));
    Joj3 "joj3" "JOJ3": "a score and a comment for its parser `sample`, of one bot"
        = Render::OneStudent(|report, _| joj3::render(report));
}

/// An unknown format name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{name}`; there are {}", Format::names())]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
}

/// A report with several bots, or none, in a format for one bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{format}` holds the result of one bot, and there are {bots}")]
pub struct NotOneBot {
    /// The format's name.
    pub format: &'static str,
    /// Number of bots.
    pub bots: usize,
}

impl Format {
    /// True if the format contains only the content for students, so that it can be passed on to
    /// them.
    pub fn is_for_students(self) -> bool {
        !matches!(self.renderer(), Render::Whole(_))
    }

    fn names() -> String {
        Format::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
    }

    /// Checks that this format can hold that many bots.
    ///
    /// # Errors
    /// If it holds one bot, and there are more or fewer.
    pub fn check_bots(self, bots: usize) -> Result<(), NotOneBot> {
        let one_only = matches!(self.renderer(), Render::OneStudent(_));
        if one_only && bots != 1 {
            return Err(NotOneBot { format: self.name(), bots });
        }
        Ok(())
    }

    /// Renders the report.
    ///
    /// # Errors
    /// As [`Format::check_bots`].
    pub fn render(self, report: &GradeReport) -> Result<String, NotOneBot> {
        self.render_with(report, &CourseTool::default())
    }

    /// Renders the report with these settings of the course tool.
    ///
    /// # Errors
    /// As [`Format::check_bots`].
    pub fn render_with(self, report: &GradeReport, tool: &CourseTool) -> Result<String, NotOneBot> {
        self.check_bots(report.bots.len())?;
        let text = match self.renderer() {
            Render::Whole(render) => render(report),
            Render::Student(render) => render(&report.for_student()),
            Render::OneStudent(render) => render(&report.for_student(), tool),
        };
        let marked = self == Format::Csv && tool.byte_order_mark;
        Ok(if marked { format!("{BYTE_ORDER_MARK}{text}") } else { text })
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let known = Format::ALL.iter().copied().find(|format| format.name() == name);
        known.ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}

fn text(report: &GradeReport) -> String {
    let mut text = Vec::new();
    write_tables(&mut text, false, report).expect("memory takes every text");
    String::from_utf8(text).expect("the terminal gets text")
}

/// Writes the tables of a saved report. The paths of the bots' files are unknown, so the commands
/// use the bots' names.
///
/// # Errors
/// If the output cannot be written.
pub fn write_tables(output: impl Write, color: bool, report: &GradeReport) -> io::Result<()> {
    let path = |bot: &BotReport| format!("{}.wasm", bot.bot.name);
    let paths = report.bots.iter().map(path).collect();
    let mut tables = TerminalReporter::new(output, color, paths);
    for bot in &report.bots {
        tables.bot(bot)?;
    }
    tables.finished(report)
}
