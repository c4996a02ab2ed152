//! Exit codes and error messages. Scripts rely on both: see "Exit codes" in the README.

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use judge_core::printable;
use judge_runner::Error;
use judge_runner::Remedy;
use judge_runner::contest::match_bots::MatchAnswer;
use judge_statistics::Decision;

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
    /// Undecided: not everything could be checked, or a test or comparison ended without a decision.
    Undecided = 5,
    /// Interrupted by Ctrl-C. On Unix the process dies of the signal, which shells report as this
    /// code.
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

/// A match that ended early because a player always fails counts as not finished. A sequential test
/// returns its decision, so that scripts can branch on it.
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

/// Removes control characters from each line of a compiler's output or a hint.
fn printable_lines(text: &str) -> String {
    text.lines().map(|line| printable(line, usize::MAX)).collect::<Vec<_>>().join("\n")
}

/// Prints an error on standard error, and returns its exit code.
pub(crate) fn report(error: Error) -> Exit {
    let exit = Exit::from(&error);
    if let Error::Output(source) = &error
        && source.kind() == ErrorKind::BrokenPipe
    {
        return Exit::Passed;
    }
    // Names and texts in the error are untrusted. A closed standard error does not change the exit
    // code.
    let hint = error.hint().map(|hint| format!("\nhint: {}\n", printable_lines(&hint)));
    let text = match error {
        // The compiler's output comes first, as when it runs by itself.
        Error::NotBuilt { what, words: Some(words), .. } => {
            format!("{}\nerror: {}\n", printable_lines(&words), printable_lines(&what))
        }
        Error::Suite(error) => format!("{:?}\n", miette::Report::new(error)),
        other => format!("error: {}\n", printable(&other.to_string(), usize::MAX)),
    };
    let _ = std::io::stderr().write_all((text + &hint.unwrap_or_default()).as_bytes());
    exit
}
