//! What can go wrong for the user, and the exit codes. Both are an interface: README, "Exit codes".

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use judge_arena::{ArenaError, JournalError};
use judge_core::printable;
use judge_grading::SuiteError;
use judge_referee::SetupError;

/// Largest file that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// How the command ended, as the shell sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything passed.
    Passed = 0,
    /// A testcase, vector or round failed.
    Failed = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// A file is not what it should be.
    InvalidInput = 3,
    /// The judge itself failed.
    JudgeError = 4,
    /// Neither yes nor no: not all of what was to be verified was checked, or a sequential test ended
    /// without a decision.
    Undecided = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line is well-formed but does not say enough, or contradicts itself.
    #[error("{what}")]
    Usage { what: String, hint: Option<String> },
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    /// A file's content makes no sense.
    #[error("{what}")]
    Input { what: String, hint: Option<String> },
    /// A suite or testcase makes no sense, shown with the place.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// A game, opponent or option does not exist.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The journal of a run cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The judge or the machine under it failed.
    #[error("{0}")]
    Judge(String),
    /// A report or standard output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] std::io::Error),
}

/// What to do when a file cannot be written.
fn hint_of_writing(path: &Path, why: ErrorKind) -> Option<&'static str> {
    match why {
        // Windows says no more of a folder.
        ErrorKind::PermissionDenied if cfg!(windows) && path.is_dir() => {
            Some("this is a folder: name a file in it")
        }
        ErrorKind::NotFound => Some("make its folder first"),
        ErrorKind::IsADirectory => Some("this is a folder: name a file in it"),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            Some("name a file in a folder that you may write to")
        }
        ErrorKind::NotADirectory => Some("there is a file of that name: name a folder"),
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
            Some("make room and run it again; a run with `--resume` goes on where it was")
        }
        _ => None,
    }
}

impl From<ArenaError> for Failure {
    fn from(error: ArenaError) -> Failure {
        match error {
            ArenaError::Setup(error) => Failure::Setup(error),
            ArenaError::Journal(error) => Failure::Journal(error),
            ArenaError::Stopped => Failure::Judge(error.to_string()),
            ArenaError::NotPlayed { .. } => Failure::Input {
                what: error.to_string(),
                hint: Some("that run is not finished: go on with it by `--resume`".to_owned()),
            },
        }
    }
}

/// How to exit over a journal that cannot be used, and what to do about it.
fn of_journal(error: &JournalError) -> (Exit, &'static str) {
    match error {
        JournalError::Create { source, .. } if source.kind() == ErrorKind::AlreadyExists => {
            (Exit::Usage, "go on with that run by `--resume`, or name another place")
        }
        JournalError::Create { .. } => (Exit::JudgeError, "name a place that can be written"),
        JournalError::Read { .. } => {
            (Exit::InvalidInput, "make it readable and writable, or name another place")
        }
        JournalError::Write { .. } => {
            (Exit::JudgeError, "make room, then go on with `--resume`; what is in it is safe")
        }
        JournalError::Busy { .. } => (Exit::Usage, "wait for the other judge, or stop it"),
        JournalError::Other { .. } => {
            (Exit::Usage, "go on with what it was begun with, or begin a run in another place")
        }
        JournalError::Contradiction { .. } => (
            Exit::InvalidInput,
            "equal rounds come out equal, so one of the two was changed, or made by another machine \
             than it says: grade both anew",
        ),
        JournalError::Damaged { .. } => (
            Exit::InvalidInput,
            "nothing was changed; the lines before that one are whole, and a copy of them \
             (`head -n`) can be gone on with: what is missing is played again",
        ),
    }
}

impl Failure {
    /// A contradiction or a gap on the command line.
    pub(crate) fn usage(what: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure::Usage { what: what.into(), hint: Some(hint.into()) }
    }

    /// A file whose content makes no sense.
    pub(crate) fn input(path: &Path, what: &dyn std::fmt::Display) -> Failure {
        Failure::Input { what: format!("`{}`: {what}", path.display()), hint: None }
    }

    /// Reads a file, or says which one cannot be read.
    pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
        judge_grading::read_file(path, MAX_FILE)
            .map_err(|source| Failure::Read { path: path.to_owned(), source })
    }

    /// Reads a text file, or says which one cannot be read.
    pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
        judge_grading::read_text(path, MAX_FILE)
            .map_err(|source| Failure::Read { path: path.to_owned(), source })
    }

    fn exit(&self) -> Exit {
        match self {
            Failure::Usage { .. } | Failure::Setup(_) => Exit::Usage,
            Failure::Read { .. } | Failure::Input { .. } | Failure::Suite(_) => Exit::InvalidInput,
            Failure::Journal(error) => of_journal(error).0,
            Failure::Write { .. } | Failure::Judge(_) | Failure::Output(_) => Exit::JudgeError,
        }
    }

    fn hint(&self) -> Option<&str> {
        match self {
            Failure::Usage { hint, .. } | Failure::Input { hint, .. } => hint.as_deref(),
            Failure::Write { path, source } => hint_of_writing(path, source.kind()),
            Failure::Judge(_) => Some(
                "this is not your bot's fault; run it again, and report it \
                                       if it persists",
            ),
            Failure::Journal(error) => Some(of_journal(error).1),
            Failure::Setup(SetupError::OtherBoard { .. }) => Some(
                "play on the board of the table, or train one for this board: `judge train --help`",
            ),
            Failure::Setup(SetupError::NoTable { .. }) => Some("name it: `trained:TABLE`"),
            _ => None,
        }
    }

    /// Tells the user on standard error and says how to exit.
    pub(crate) fn report(self) -> Exit {
        let exit = self.exit();
        if let Failure::Output(error) = &self
            && error.kind() == ErrorKind::BrokenPipe
        {
            return Exit::Passed;
        }
        // Names and texts in it come from outside. A standard error that is gone is no reason to
        // exit with another code.
        let hint = self.hint().map(|hint| format!("\nhint: {}\n", printable(hint, usize::MAX)));
        let text = match self {
            Failure::Suite(error) => format!("{:?}\n", miette::Report::new(error)),
            other => format!("error: {}\n", printable(&other.to_string(), usize::MAX)),
        };
        let _ = std::io::stderr().write_all((text + &hint.unwrap_or_default()).as_bytes());
        exit
    }
}
