//! `judge selftest`: the hostile corpus on the user's own machine.

use std::path::PathBuf;

use judge_runner::Error;
use judge_runner::tools::selftest::{self, Request};

use crate::args;
use crate::exit::Exit;
use crate::show::{Terminal, output};

/// Grade misbehaving modules, and check that each gets its verdict and does no harm.
///
/// Every case is graded twice, the second time next to an honest bot, which must get the same
/// result as without a neighbour. No process and no file may be left behind. Exits with 1 when a
/// case fails, and with 5 when the machine is too slow for a case.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run only cases with names that begin with this text, such as `a03`.
    #[arg(value_name = "CASE")]
    names: Vec<String>,
    /// Run the cases of a folder instead of the bundled ones.
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Try this many cases at a time. Default: one per processor, at most 4.
    #[arg(long, value_name = "N", value_parser = args::jobs)]
    jobs: Option<usize>,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let request = Request {
        judge: std::env::current_exe()?,
        names: arguments.names.clone(),
        corpus: arguments.corpus.clone(),
        jobs: arguments.jobs,
    };
    let outcome = selftest::run(&request, &mut Terminal::default())?;
    let text = if arguments.json { outcome.to_json() } else { outcome.to_text() };
    output::unless_reader_left(output::print(&text))?;
    Ok(exit(outcome.failed(), outcome.undecided()))
}

/// The exit code for the numbers of failed cases and of cases that the machine was too slow for.
fn exit(failed: usize, undecided: usize) -> Exit {
    match (failed, undecided) {
        (0, 0) => Exit::Passed,
        (0, _) => Exit::Undecided,
        _ => Exit::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::{Exit, exit};

    #[test]
    fn a_slow_machine_neither_passes_nor_fails() {
        let exits = [(0, 0), (0, 3), (2, 0), (2, 3)].map(|(failed, slow)| exit(failed, slow));
        assert_eq!(exits, [Exit::Passed, Exit::Undecided, Exit::Failed, Exit::Failed]);
    }
}
