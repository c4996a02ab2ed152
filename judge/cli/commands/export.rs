//! `judge export`: a suite and the judge, packed for a course tool.

use std::io::Write as _;
use std::path::PathBuf;

use judge_report::tame;
use judge_runner::Error;
use judge_runner::grade::export::gradescope::{self, Request};

use crate::args::CourseToolArgs;
use crate::exit::Exit;
use crate::show::{Terminal, output};

/// Pack a suite and the judge for a course tool.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(clap::Subcommand)]
enum Tool {
    Gradescope(GradescopeArguments),
}

/// Build an autograder for Gradescope: a zip file to upload as it is.
///
/// It grades the one `.wasm` file of a submission on the suite. The same suite and judge give the
/// same bytes. Hidden testcases are packed with their key: keep such a file secret. On Unix only
/// its owner can read it.
#[derive(clap::Args)]
struct GradescopeArguments {
    /// Choose a suite: the name of a bundled one, or the path of a folder (`./NAME` or `NAME/`).
    #[arg(long, value_name = "DIR|NAME")]
    suite: PathBuf,
    /// Write the zip file here; `-` is standard output.
    #[arg(long, value_name = "FILE.zip|-")]
    out: PathBuf,
    /// Pack this judge: a program for Linux on x86-64. Default: the one that is running.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Let students submit sources, too: the autograder builds each in a confined process. Its
    /// `setup.sh` installs a compiler for C, C++ and Zig.
    #[arg(long)]
    build: bool,
    #[command(flatten)]
    tool: CourseToolArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let Tool::Gradescope(arguments) = &arguments.tool;
    output::can_write(&arguments.out)?;
    let running = || std::env::current_exe().map_err(|error| Error::Judge(error.to_string()));
    let request = Request {
        suite: arguments.suite.clone(),
        judge: arguments.binary.clone().map_or_else(running, Ok)?,
        tool: arguments.tool.settings(),
        build: arguments.build,
    };
    let outcome = gradescope::run(&request, &mut Terminal::default())?;
    let mut file = output::open_for(&arguments.out, outcome.readers())?;
    file.write_all(&outcome.zip)?;
    file.flush()?;
    if arguments.out.as_os_str() != "-" {
        let line = format!("{}: {}", arguments.out.display(), outcome.summary());
        output::unless_reader_left(output::print(&(tame(&line) + "\n")))?;
    }
    Ok(Exit::Passed)
}
