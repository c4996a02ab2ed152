//! `judge board`: who stands where, out of graded courses and reports; on the terminal, as a page,
//! as JSON.

mod address;
mod pseudonyms;
mod sheet;
mod sources;

use std::io;
use std::path::{Path, PathBuf};

use judge_report::Board;

use crate::failure::{Exit, Failure};
use crate::output;
pub(crate) use address::encoded;
use pseudonyms::Pseudonyms;
pub(crate) use sheet::{Line as SheetLine, read as read_sheet};
use sources::Sources;

/// Show who stands where, with every testcase's score and its margin to the threshold.
///
/// On the terminal, as one page for a browser, or as JSON. Of hidden testcases verdict, score and
/// points are shown, and nothing of their rounds. A changed report is refused, and so are results
/// of different judges or suites.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folders made by `judge grade … --out DIR`, and files made by `judge grade … --json FILE`.
    #[arg(required = true, value_name = "DIR|REPORT.json")]
    results: Vec<PathBuf>,
    /// Write the board as one page for a browser to a file, or with `-` to standard output, instead
    /// of the text.
    #[arg(long, value_name = "FILE|-")]
    html: Option<PathBuf>,
    /// Write the board as JSON to a file, or with `-` to standard output, instead of the text.
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Put other names in the place of all. The same SECRET, a text of twelve characters or more,
    /// gives the same names again; without one they are drawn anew each time.
    #[arg(long, value_name = "SECRET", num_args = 0..=1, require_equals = true,
          default_missing_value = "")]
    pseudonyms: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let [html, json] = [&arguments.html, &arguments.json].map(Option::as_deref);
    if html.is_some() && html == json {
        return Err(Failure::usage("page and JSON would be one file", "name two"));
    }
    let names = arguments.pseudonyms.as_deref().map(Pseudonyms::new).transpose()?;
    for out in [html, json].into_iter().flatten() {
        if arguments.results.iter().any(|path| is_same_file(path, out)) {
            return Err(Failure::usage("the board would replace a report", "name another file"));
        }
        output::can_write(out)?;
    }
    let mut board = gather(&arguments.results, folder_of(html))?;
    if let Some(names) = names {
        board.rename(|name| names.of(name));
    }
    if let Some(path) = html {
        output::write(path, &board.to_html())?;
    }
    if let Some(path) = json {
        output::write(path, &board.to_json())?;
    }
    if html.is_none() && json.is_none() {
        let text = board.to_text(width(), output::color());
        output::unless_reader_left(output::print(&text))?;
    }
    Ok(Exit::Passed)
}

/// The board of a graded course, with addresses as seen from its folder.
pub(crate) fn of_course(folder: &Path) -> Result<Board, Failure> {
    gather(std::slice::from_ref(&folder.to_owned()), folder)
}

/// Reads all results; students' pages are named as seen from the folder `from`.
fn gather(results: &[PathBuf], from: &Path) -> Result<Board, Failure> {
    let mut sources = Sources::new(from);
    for path in results {
        match path.is_dir() {
            true => sources.course(path)?,
            false => sources.report(path)?,
        }
    }
    sources.finish()
}

/// Whether both name one file that exists.
fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The folder in which a page lies.
fn folder_of(html: Option<&Path>) -> &Path {
    let folder = html.and_then(Path::parent);
    folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Columns of the terminal, where there is one.
fn width() -> Option<usize> {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map(|(width, _)| usize::from(width.0))
}
