//! `judge export`: a suite and the judge, packed for a course tool.

mod gradescope;

use std::io::Write as _;
use std::path::PathBuf;

use judge_grading::Suite;
use judge_report::{Visibility, tame};

use crate::failure::{Exit, Failure};
use crate::output::Readers;
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
/// bytes. Hidden testcases are packed with their key: then the file is a secret of the course's, and
/// on Unix nobody but its owner can read it.
#[derive(clap::Args)]
struct GradescopeArguments {
    /// The name of a bundled suite, or a suite's folder as a path: `./NAME` or `NAME/`.
    #[arg(long, value_name = "DIR|NAME")]
    suite: PathBuf,
    /// The zip file, or `-` for standard output.
    #[arg(long, value_name = "FILE.zip|-")]
    out: PathBuf,
    /// The judge to pack: a program for Linux on x86-64. Default: the one that is running.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// When students see the results of hidden testcases: `hidden` (never), `after_published`,
    /// `after_due_date` or `visible`. They never see anything of their rounds.
    #[arg(long, value_name = "WHEN", default_value = "after_published")]
    hidden_visibility: Visibility,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let Tool::Gradescope(arguments) = &arguments.tool;
    let suite = grade::named(&arguments.suite)?;
    grade::is_whole(&suite)?;
    output::can_write(&arguments.out)?;
    let running = || std::env::current_exe().map_err(|error| Failure::Judge(error.to_string()));
    let binary = arguments.binary.clone().map_or_else(running, Ok)?;
    let zip = gradescope::pack(&suite, &binary, arguments.hidden_visibility)?;
    let readers = if has_secrets(&suite) { Readers::Owner } else { Readers::Usual };
    let mut file = output::open_for(&arguments.out, readers)?;
    file.write_all(&zip)?;
    file.flush()?;
    warn_of_secrets(&suite);
    if arguments.out.as_os_str() != "-" {
        let (path, size) = (arguments.out.display(), zip.len().div_ceil(1 << 20));
        let (testcases, name) = (suite.testcases.len(), &suite.name);
        let line = format!("{path}: {size} MiB, {testcases} testcases of `{name}`");
        output::unless_reader_left(output::print(&(tame(&line) + "\n")))?;
    }
    Ok(Exit::Passed)
}

/// Whether anything is packed that students must not see.
fn has_secrets(suite: &Suite) -> bool {
    let hidden = suite.testcases.iter().any(|testcase| testcase.hidden);
    hidden || suite.secrets.key.is_some() || !suite.secrets.files.is_empty()
}

/// Says on standard error what the file is not to be used for.
fn warn_of_secrets(suite: &Suite) {
    let hidden = suite.testcases.iter().filter(|testcase| testcase.hidden).count();
    if hidden == 0 {
        return;
    }
    let key = if suite.secrets.key.is_some() { ", and their key" } else { "" };
    // A standard error that is gone changes no result.
    let _ = writeln!(
        std::io::stderr(),
        "warning: {hidden} hidden testcases are in it{key}: upload it to Gradescope, and give it to \
         no student"
    );
}
