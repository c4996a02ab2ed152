//! Exit codes and error messages. Both are an interface: README, "Exit codes".

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use judge_core::printable;
use judge_runner::Error;
use judge_runner::Remedy;
use judge_runner::contest::match_bots::MatchAnswer;
use judge_statistics::Decision;

/// Exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything passed.
    Passed = 0,
    /// A testcase, vector or round failed.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A file is invalid.
    InvalidInput = 3,
    /// The judge itself failed.
    JudgeError = 4,
    /// Undecided: not everything could be checked, or a sequential test ended without a decision.
    Undecided = 5,
    /// Interrupted by Ctrl-C. Where there are signals, the process dies of the signal, which shells
    /// report as this code.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

impl From<&Error> for Exit {
    fn from(error: &Error) -> Exit {
        match error.remedy() {
            Remedy::Request => Exit::Usage,
            Remedy::Input => Exit::InvalidInput,
            Remedy::Judge => Exit::JudgeError,
        }
    }
}

/// A match that ended early because a player always fails was not played to its end. A sequential
/// test reports its decision, so that scripts can branch on it.
impl From<MatchAnswer> for Exit {
    fn from(answer: MatchAnswer) -> Exit {
        match answer {
            MatchAnswer::JudgeFailed => Exit::JudgeError,
            MatchAnswer::Undecided => Exit::Undecided,
            MatchAnswer::AlwaysFails | MatchAnswer::Decided(Decision::H0) => Exit::Failed,
            MatchAnswer::Decided(Decision::H1) | MatchAnswer::Played => Exit::Passed,
        }
    }
}

/// Lines of a compiler, or of a hint, each without what steers a terminal.
fn printable_lines(text: &str) -> String {
    text.lines().map(|line| printable(line, usize::MAX)).collect::<Vec<_>>().join("\n")
}

/// Prints an error on standard error, and returns the exit code.
pub(crate) fn report(error: Error) -> Exit {
    let exit = Exit::from(&error);
    if let Error::Output(source) = &error
        && source.kind() == ErrorKind::BrokenPipe
    {
        return Exit::Passed;
    }
    // Names and texts in it are untrusted. A closed standard error does not change the exit code.
    let hint = error.hint().map(|hint| format!("\nhint: {}\n", printable_lines(hint)));
    let text = match error {
        // The compiler comes first, as in its own runs.
        Error::NotBuilt { what, words: Some(words), .. } => {
            format!("{}\nerror: {}\n", printable_lines(&words), printable_lines(&what))
        }
        Error::Suite(error) => format!("{:?}\n", miette::Report::new(error)),
        other => format!("error: {}\n", printable(&other.to_string(), usize::MAX)),
    };
    let _ = std::io::stderr().write_all((text + &hint.unwrap_or_default()).as_bytes());
    exit
}
