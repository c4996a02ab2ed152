//! `judge report`: saved results in any format, combined or compared.

use std::path::PathBuf;

use judge_core::GradeReport;
use judge_report::Format;
use judge_runner::Error;
use judge_runner::verify::results::{self, Outcome, Request, RunAnswer, RunReport};

use crate::args::{CourseToolArgs, Secrecy};
use crate::exit::Exit;
use crate::show::formats::{self, Outputs, Target};
use crate::show::output;

/// Convert, combine or compare saved results.
///
/// Several results are combined into one scoreboard. The result of a match or tournament is
/// computed again from its rounds: as `text` or `json`, a tournament also as `markdown` or `csv`;
/// the exit code is that of the command that played it.
///
/// With `--compare`: shows what changed between two runs, per bot and testcase, and why if the
/// reports show it. Exit codes: 0 shown, or the same verdicts, scores and points; 1 something
/// changed; 3 a file is not a report, or was changed after it was written; 4 pairs of a run are
/// left out because the judge failed in them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Results: files of `judge grade --json`, folders of `judge grade --out`, or the journal or
    /// JSON of one match or tournament.
    #[arg(required_unless_present = "compare", value_name = "FILE|DIR")]
    saved: Vec<PathBuf>,
    /// Choose a format and a file (default: standard output); may be repeated.
    #[arg(long, value_name = "FORMAT[=FILE]", default_value = "text")]
    to: Vec<Target>,
    #[command(flatten)]
    secrecy: Secrecy,
    #[command(flatten)]
    tool: CourseToolArgs,
    /// Begin CSV with a byte-order mark, so that spreadsheets recognize UTF-8.
    #[arg(long)]
    bom: bool,
    /// Compare two runs: files, or folders of a course.
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["saved", "to", "for_student"])]
    compare: Option<Vec<PathBuf>>,
}

impl Arguments {
    fn request(&self) -> Request {
        match self.compare.as_deref() {
            Some([old, new]) => Request::Compare { old: old.clone(), new: new.clone() },
            _ => {
                Request::Show { results: self.saved.clone(), for_student: self.secrecy.for_student }
            }
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    match results::run(&arguments.request())? {
        Outcome::Grading(report) => show(arguments, &report)?,
        Outcome::Run(report) => return show_run(arguments, &report),
        Outcome::Comparison { text, same } => {
            output::unless_reader_left(output::print(&text))?;
            return Ok(if same { Exit::Passed } else { Exit::Failed });
        }
    }
    Ok(Exit::Passed)
}

fn show(arguments: &Arguments, report: &GradeReport) -> Result<(), Error> {
    formats::check(&arguments.to, report.bots.len(), None)?;
    if let [target @ Target { format: Format::Text, .. }] = arguments.to.as_slice()
        && target.is_stdout()
        && output::color()
    {
        let written = judge_report::write_tables(std::io::stdout(), true, report);
        return Ok(output::unless_reader_left(written)?);
    }
    let tool = arguments.tool.settings();
    results::has_testcases(report, tool.testcases.keys())?;
    let outputs = Outputs::open(arguments.to.clone(), tool, arguments.bom)?;
    Ok(output::unless_reader_left(outputs.write(report))?)
}

/// Shows a run, and returns the exit code of the command that played it.
fn show_run(arguments: &Arguments, report: &RunReport) -> Result<Exit, Error> {
    for target in &arguments.to {
        let text = report.render(target.format)?;
        match target.is_stdout() {
            true => output::unless_reader_left(output::print(&text))?,
            false => output::write(&target.path, &text)?,
        }
    }
    Ok(match report.answer()? {
        RunAnswer::Match(answer) => answer.into(),
        RunAnswer::Tournament { is_complete: true } => Exit::Passed,
        RunAnswer::Tournament { is_complete: false } => Exit::JudgeError,
    })
}
