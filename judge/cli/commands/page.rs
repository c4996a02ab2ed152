//! `judge page`: a static site for writing and grading bots in a browser.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::suites::page::{self, Request};

use crate::exit::Exit;
use crate::show::{Terminal, output};

/// Write a static site on which people write, grade and watch bots in their browser.
///
/// The judge runs in the page, so the site needs only a web server, and its results have the digests
/// of `judge grade`. Hidden testcases are left out.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Folder of the site: a new one, or an empty one.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Choose a suite: the name of a bundled one, or the path of a folder (`./NAME` or `NAME/`); may
    /// be repeated. Default: all bundled suites.
    #[arg(long = "suite", value_name = "DIR|NAME")]
    suites: Vec<PathBuf>,
    /// Let people write AssemblyScript, too: copy the compiler that `judge build` uses into the site.
    /// The page loads its 15 MB, 3 MB compressed, only when such a source is built.
    #[arg(long)]
    assemblyscript: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let Arguments { folder, suites, assemblyscript } = arguments;
    let (folder, suites) = (folder.clone(), suites.clone());
    let request = Request { folder, suites, assemblyscript: *assemblyscript };
    let outcome = page::run(&request, &mut Terminal::default())?;
    output::unless_reader_left(output::print(&outcome.to_text()))?;
    Ok(Exit::Passed)
}
