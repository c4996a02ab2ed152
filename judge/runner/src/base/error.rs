//! The reason why a request failed, with a hint for the user.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use judge_arena::{ArenaError, CollectionError, FactError, JournalError, StoreError};
use judge_games::OptionError;
use judge_grading::SuiteError;
use judge_referee::SetupError;
use judge_toolchain::BuildError;

use crate::base::nearest::{did_you_mean, nearest_file};

/// Largest file to read, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// A write error with the name of its file.
#[derive(Debug, thiserror::Error)]
#[error("`{}`: {source}", path.display())]
pub struct Unwritten {
    path: PathBuf,
    source: std::io::Error,
}

impl Unwritten {
    /// Adds the file's name to a writer's error.
    pub fn at(path: &Path, source: std::io::Error) -> std::io::Error {
        std::io::Error::new(source.kind(), Unwritten { path: path.to_owned(), source })
    }
}

/// The party that can fix an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// The user, because the request is contradictory or incomplete.
    Request,
    /// The author of the files, because one of them is invalid or cannot be read or written.
    Input,
    /// The operator, because the judge or its machine failed.
    Judge,
}

/// The reason why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request is well-formed, but incomplete or contradictory.
    #[error("{what}")]
    Usage {
        /// Description of the problem.
        what: String,
        /// Hint.
        hint: Option<String>,
    },
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A file with invalid content.
    #[error("{what}")]
    Input {
        /// Description of the problem.
        what: String,
        /// Hint.
        hint: Option<String>,
    },
    /// A source could not be built.
    #[error("{what}")]
    NotBuilt {
        /// Description of the problem.
        what: String,
        /// The whole output of the compiler.
        words: Option<String>,
        /// Hint.
        hint: Option<String>,
    },
    /// A suite or testcase is invalid; the message shows the position.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// A game, opponent or option does not exist.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The journal of a run cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The machine lacks something that the request needs.
    #[error("{what}")]
    Machine {
        /// Description of the problem.
        what: String,
        /// Hint.
        hint: Option<String>,
    },
    /// The judge or the machine failed.
    #[error("{0}")]
    Judge(String),
    /// A report or standard output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[source] std::io::Error),
}

/// The party that can fix a failed write. The user chooses the path, but the machine must have
/// room.
fn of_writing(why: ErrorKind) -> Remedy {
    match why {
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
            Remedy::Judge
        }
        _ => Remedy::Input,
    }
}

/// Hint for a file that cannot be written.
fn hint_of_writing(path: &Path, why: ErrorKind) -> Option<&'static str> {
    match why {
        // Windows gives no better reason for a folder.
        ErrorKind::PermissionDenied if cfg!(windows) && path.is_dir() => {
            Some("this is a folder: name a file in it")
        }
        ErrorKind::NotFound => Some("make its folder first"),
        ErrorKind::IsADirectory => Some("this is a folder: name a file in it"),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            Some("name a file in a folder that you may write to")
        }
        ErrorKind::NotADirectory => Some("a file has that name: name a folder"),
        ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
            Some("free disk space and run it again; `--resume` continues where it was")
        }
        _ => None,
    }
}

/// Hint for a file that does not exist: one with a similar name.
fn hint_of_missing(path: &Path, why: ErrorKind) -> Option<String> {
    let near = nearest_file(path).filter(|_| why == ErrorKind::NotFound)?;
    Some(format!("did you mean `{}`?", near.display()))
}

/// Hint for an unknown name in a round's setup: a similar one of those that the message lists.
fn hint_of_setup(error: &SetupError) -> Option<Cow<'static, str>> {
    let (name, known) = match error {
        SetupError::OtherBoard { .. } => {
            let hint = "play on the board of the table, or train one for this board: `judge train \
                        --help`";
            return Some(hint.into());
        }
        SetupError::NoTable { .. } => return Some("name it: `trained:TABLE`".into()),
        SetupError::UnknownGame { name, known }
        | SetupError::UnknownOpponent { name, known, .. }
        | SetupError::Option(OptionError::Unknown { key: name, known, .. }) => (name, known),
        _ => return None,
    };
    did_you_mean(name, known.split('`').skip(1).step_by(2)).map(Cow::from)
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Error {
        let (words, hint) = (error.words(), error.hint());
        match error {
            BuildError::Read { path, source } => Error::Read { path, source },
            BuildError::Write { path, source } => Error::Write { path, source },
            error => Error::NotBuilt { what: error.to_string(), words, hint },
        }
    }
}

impl From<ArenaError> for Error {
    fn from(error: ArenaError) -> Error {
        match error {
            ArenaError::Setup(error) => Error::Setup(error),
            ArenaError::Store(error) => Error::from(error),
            ArenaError::Undelivered(error) => Error::from(error),
            ArenaError::Stopped | ArenaError::Elsewhere(_) => Error::Judge(error.to_string()),
            ArenaError::NotPlayed { .. } => Error::Input {
                what: error.to_string(),
                hint: Some("that run is not finished: continue it with `--resume`".to_owned()),
            },
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        match error {
            StoreError::Journal(error) => Error::Journal(error),
            StoreError::Other { .. } => Error::Judge(error.to_string()),
        }
    }
}

impl From<FactError> for Error {
    fn from(error: FactError) -> Error {
        let hint = "it was changed, or another judge wrote it: begin that run again";
        Error::Input { what: error.to_string(), hint: Some(hint.to_owned()) }
    }
}

impl From<std::io::Error> for Error {
    /// Converts an error of standard output, or of a file that the command line names separately.
    fn from(error: std::io::Error) -> Error {
        // A pipe closed by its reader is not a failure, whatever path names it.
        if error.kind() == ErrorKind::BrokenPipe {
            return Error::Output(error);
        }
        match error.downcast::<Unwritten>() {
            Ok(Unwritten { path, source }) => Error::Write { path, source },
            Err(error) => Error::Output(error),
        }
    }
}

impl From<CollectionError> for Error {
    fn from(error: CollectionError) -> Error {
        let hint = match &error {
            CollectionError::NoRound { .. } => "`judge rounds FILE` lists all of them",
            CollectionError::Empty(_) => "start that run again",
            CollectionError::Unknown { .. } => "a newer judge wrote it: use that one",
            CollectionError::OtherRules { .. } => "use the judge that wrote it",
            CollectionError::FalseOutline { .. } => "it was changed after it was written",
            CollectionError::Journal(_) | CollectionError::Setup(_) => "",
        };
        match error {
            CollectionError::Journal(error) => Error::Journal(error),
            CollectionError::Setup(error) => Error::Setup(error),
            CollectionError::NoRound { .. } => Error::usage(error.to_string(), hint),
            error => Error::Input { what: error.to_string(), hint: Some(hint.to_owned()) },
        }
    }
}

/// The party that can fix an unusable journal, and a hint.
fn of_journal(error: &JournalError) -> (Remedy, &'static str) {
    match error {
        JournalError::Create { source, .. } if source.kind() == ErrorKind::AlreadyExists => {
            (Remedy::Request, "continue that run with `--resume`, or name another place")
        }
        JournalError::Create { path, source } => (
            of_writing(source.kind()),
            hint_of_writing(path, source.kind()).unwrap_or("name another place"),
        ),
        JournalError::Read { .. } => {
            (Remedy::Input, "make it readable and writable, or name another place")
        }
        JournalError::Write { .. } => {
            (Remedy::Judge, "free disk space, then continue with `--resume`; the journal is safe")
        }
        JournalError::Busy { .. } => (Remedy::Request, "wait for the other judge, or stop it"),
        JournalError::Other { .. } => {
            (Remedy::Request, "use the same settings as before, or start a run in another place")
        }
        JournalError::Version { .. } => (Remedy::Input, "another judge wrote it: use that one"),
        JournalError::Contradiction { .. } => (
            Remedy::Input,
            "equal rounds give equal results, so one of the two was changed, or made by another \
             machine than it says: grade both again",
        ),
        JournalError::Damaged { .. } => (
            Remedy::Input,
            "nothing was written; copy the intact lines before that one (`head -n`), and resume \
             the copy: missing rounds are played again",
        ),
    }
}

impl Error {
    /// Creates an error for a contradictory or incomplete command line.
    pub fn usage(what: impl Into<String>, hint: impl Into<String>) -> Error {
        Error::Usage { what: what.into(), hint: Some(hint.into()) }
    }

    /// Creates an error for a file with invalid content.
    pub fn input(path: &Path, what: &dyn std::fmt::Display) -> Error {
        Error::Input { what: format!("`{}`: {what}", path.display()), hint: None }
    }

    /// Reads a file, and names it in any error.
    pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
        judge_grading::read_file(path, MAX_FILE)
            .map_err(|source| Error::Read { path: path.to_owned(), source })
    }

    /// Reads a text file, and names it in any error.
    pub fn read_text(path: &Path) -> Result<String, Error> {
        judge_grading::read_text(path, MAX_FILE)
            .map_err(|source| Error::Read { path: path.to_owned(), source })
    }

    /// The party that can fix the error.
    pub fn remedy(&self) -> Remedy {
        match self {
            Error::Usage { .. } | Error::Setup(_) => Remedy::Request,
            Error::Read { .. } | Error::Input { .. } | Error::NotBuilt { .. } | Error::Suite(_) => {
                Remedy::Input
            }
            Error::Journal(error) => of_journal(error).0,
            Error::Write { source, .. } => of_writing(source.kind()),
            Error::Machine { .. } | Error::Judge(_) | Error::Output(_) => Remedy::Judge,
        }
    }

    /// The message, with the hint on a separate line.
    pub fn with_hint(&self) -> String {
        match self.hint() {
            Some(hint) => format!("{self}\nhint: {hint}"),
            None => self.to_string(),
        }
    }

    /// The hint, if there is one.
    pub fn hint(&self) -> Option<Cow<'_, str>> {
        match self {
            Error::Read { path, source } | Error::Suite(SuiteError::Read { path, source }) => {
                hint_of_missing(path, source.kind()).map(Cow::from)
            }
            Error::Setup(error) => hint_of_setup(error),
            other => other.fixed_hint().map(Cow::from),
        }
    }

    /// The hint, if it depends neither on other files nor on lists of names.
    fn fixed_hint(&self) -> Option<&str> {
        match self {
            Error::Usage { hint, .. }
            | Error::Input { hint, .. }
            | Error::Machine { hint, .. }
            | Error::NotBuilt { hint, .. } => hint.as_deref(),
            Error::Write { path, source } => hint_of_writing(path, source.kind()),
            Error::Judge(_) => Some(
                "this is not your bot's fault; run it again, and report it \
                                       if it persists",
            ),
            Error::Journal(error) => Some(of_journal(error).1),
            _ => None,
        }
    }
}
