//! `judge roster`: a list of students as the judge understands it.

use std::path::PathBuf;

use judge_core::printable;
use judge_runner::Error;
use judge_runner::bots::student_list::{LineRemark, StudentList};

use crate::exit::Exit;
use crate::show::{output, tell};

/// Show how the judge reads a list of students.
///
/// Reads Moodle's grading worksheet and participants, Canvas's gradebook, Gradescope's roster, the
/// rosters of GitHub Classroom and Classroom 50, and other CSV files with titles in the first line,
/// as `judge grade --students` does. Prints the meaning of each column and the first students;
/// lines that are not understood are on standard error, and end the command with exit code 3.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// List: CSV with commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252.
    #[arg(value_name = "LIST.csv")]
    list: PathBuf,
    /// Show all students instead of the first ten.
    #[arg(long)]
    all: bool,
    /// Write the whole list as JSON, instead of the tables; `-` is standard output.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    if let Some(path) = &arguments.json {
        output::can_write(path)?;
    }
    let list = StudentList::read(&arguments.list)?;
    match &arguments.json {
        Some(path) => output::write(path, &list.to_json())?,
        None => output::unless_reader_left(output::print(&list.to_text(arguments.all)))?,
    }
    let name = printable(&list.path().display().to_string(), usize::MAX);
    let say = |kind: &str, text: &str| tell(&format!("{kind}: `{name}`: {text}"));
    let at_line = |kind, LineRemark { line, what }: &LineRemark| {
        say(kind, &format!("line {line}: {what}"));
    };
    list.remarks().iter().for_each(|text| say("warning", text));
    list.hints().iter().for_each(|text| say("note", text));
    list.left_out().iter().for_each(|remark| at_line("note", remark));
    list.wrong().iter().for_each(|remark| at_line("error", remark));
    match list.without_students_error() {
        Some(error) => Err(error),
        None if list.wrong().is_empty() => Ok(Exit::Passed),
        None => Ok(Exit::InvalidInput),
    }
}
