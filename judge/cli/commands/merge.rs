//! `judge merge`: joins the parts of a course or tournament.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::contest::tournament;
use judge_runner::course::merge;

use super::grade::show_course;
use crate::args::PagesArg;
use crate::exit::Exit;
use crate::show::{Terminal, output};

/// Join the parts of a course or tournament that were made with `--shard`.
///
/// For a course: copies the rounds of all parts into one journal, and derives reports and marks
/// from it: the same bytes as if the course had been graded in one run. For a tournament: joins the
/// journals of the parts; `judge tournament … --journal FILE --resume` then prints the same as one
/// run. Nothing is played. Parts that contradict each other, or reports that do not follow from
/// their journal, are refused.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Parts: folders made with `judge grade … --shard I/N --out DIR`, or files made with `judge
    /// tournament … --shard I/N --journal FILE`.
    #[arg(required = true, value_name = "DIR|FILE")]
    parts: Vec<PathBuf>,
    /// Write the result here: a new folder, or for a tournament a new file.
    #[arg(long, value_name = "DIR|FILE")]
    out: PathBuf,
    /// Choose the rounds to write as pages, as with `judge grade --out`.
    #[arg(long, value_name = "WHICH", value_enum, default_value_t)]
    pages: PagesArg,
    /// Begin the mark sheet with a byte-order mark, so that spreadsheets recognize UTF-8.
    #[arg(long)]
    bom: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    if arguments.parts.iter().all(|path| path.is_file()) {
        if arguments.pages != PagesArg::default() {
            let hint = "`judge tournament … --html FILE` writes a page of the whole tournament";
            return Err(Error::usage("a tournament has no pages of its rounds", hint));
        }
        merge::refuse_repeated(&arguments.parts)?;
        let merged = tournament::merge_parts(&arguments.parts, &arguments.out)?;
        output::unless_reader_left(output::print(&merged.text()))?;
        return Ok(Exit::Passed);
    }
    let request = merge::Request {
        parts: arguments.parts.clone(),
        out: arguments.out.clone(),
        pages: arguments.pages.into(),
        byte_order_mark: arguments.bom,
    };
    show_course(&merge::run(&request, &mut Terminal::default())?)
}
