//! `judge report`: saved results in any format, merged, or two runs side by side.

mod saved;

use std::path::PathBuf;

use judge_core::GradeReport;
use judge_report::Format;

use crate::failure::{Exit, Failure};
use crate::formats::{self, Secrecy, Target};
use crate::output;

use saved::Saved;

/// Show saved results again, in any format; several become one board.
///
/// With `--compare`: what changed between two runs, per bot and testcase, and why if the reports
/// show it. Exit codes: 0 shown, or the same verdicts, scores and points; 1 something changed;
/// 3 a file is no report, or was changed after it was written.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files of `judge grade --json`, and folders of `judge grade --out`.
    #[arg(required_unless_present = "compare", value_name = "FILE|DIR")]
    saved: Vec<PathBuf>,
    /// A format, and the file that it goes to (default: standard output); may be repeated. There
    /// are text, json, junit, csv, markdown, github, classroom, gradescope, prairielearn and joj3.
    #[arg(long, value_name = "FORMAT[=FILE]", default_value = "text")]
    to: Vec<Target>,
    #[command(flatten)]
    secrecy: Secrecy,
    /// Compare two runs: files, or folders of a course.
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["saved", "to", "for_student"])]
    compare: Option<Vec<PathBuf>>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if let Some([old, new]) = arguments.compare.as_deref() {
        return compare(saved::read(old)?, saved::read(new)?);
    }
    let mut reports = Vec::new();
    for path in &arguments.saved {
        reports.extend(saved::read(path)?);
    }
    let mut report = saved::merge(reports)?;
    if arguments.secrecy.for_student {
        report = report.for_student();
    }
    formats::check(&arguments.to, report.bots.len())?;
    if let [Target { format: Format::Text, .. }] = arguments.to.as_slice()
        && arguments.to[0].is_stdout()
        && output::color()
    {
        return in_colour(&report);
    }
    formats::write(&arguments.to, &report, arguments.secrecy.hidden_visibility)?;
    Ok(Exit::Passed)
}

/// The tables, on a terminal.
fn in_colour(report: &GradeReport) -> Result<Exit, Failure> {
    output::unless_reader_left(judge_report::write_tables(std::io::stdout(), true, report))?;
    Ok(Exit::Passed)
}

fn compare(old: Vec<Saved>, new: Vec<Saved>) -> Result<Exit, Failure> {
    let [old, new] = [old, new]
        .map(|saved| saved.into_iter().map(|one| one.report).collect::<Vec<GradeReport>>());
    let found = judge_report::compare(&old, &new);
    output::unless_reader_left(output::print(&found.text))?;
    Ok(if found.same { Exit::Passed } else { Exit::Failed })
}
