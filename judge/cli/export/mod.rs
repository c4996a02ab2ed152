//! `judge export`: a suite and the judge, packed for a course tool.

mod gradescope;

use std::io::Write as _;
use std::path::PathBuf;

use judge_report::tame;

use crate::failure::{Exit, Failure};
use crate::{grade, output};

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

/// An autograder for Gradescope: a zip file to be uploaded as it is.
///
/// It grades the one `.wasm` file of a submission on the suite. Equal suites and judges give equal
/// bytes.
#[derive(clap::Args)]
struct GradescopeArguments {
    /// The suite's folder, or the name of a bundled suite.
    #[arg(long, value_name = "DIR|NAME")]
    suite: PathBuf,
    /// The zip file, or `-` for standard output.
    #[arg(long, value_name = "FILE.zip|-")]
    out: PathBuf,
    /// The judge to pack: a program for Linux on x86-64. Default: the one that is running.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let Tool::Gradescope(arguments) = &arguments.tool;
    let suite = grade::named(&arguments.suite)?;
    if suite.testcases.iter().any(|testcase| testcase.hidden) || !suite.locked.is_empty() {
        let what = format!("the suite `{}` has hidden testcases, which are not packed", suite.name);
        let hint = "pack one without them, and grade them after the deadline: `judge grade --out`";
        return Err(Failure::usage(what, hint));
    }
    output::can_write(&arguments.out)?;
    let running = || std::env::current_exe().map_err(|error| Failure::Judge(error.to_string()));
    let binary = arguments.binary.clone().map_or_else(running, Ok)?;
    let zip = gradescope::pack(&suite, &binary)?;
    let mut file = output::open(&arguments.out)?;
    file.write_all(&zip)?;
    file.flush()?;
    if arguments.out.as_os_str() != "-" {
        let (path, size) = (arguments.out.display(), zip.len().div_ceil(1 << 20));
        let (testcases, name) = (suite.testcases.len(), &suite.name);
        let line = format!("{path}: {size} MiB, {testcases} testcases of `{name}`");
        output::unless_reader_left(output::print(&(tame(&line) + "\n")))?;
    }
    Ok(Exit::Passed)
}
