//! Why a source gave no module.

use std::path::{Path, PathBuf};

use crate::Language;

/// Why a source gave no module.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file of the build's own cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The name of a file or folder is not that of a source.
    #[error("`{}` is not a source that the judge can build", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What to do instead.
        hint: String,
    },
    /// No compiler for the language, or none that builds modules.
    #[error("no compiler for {language} found that builds WebAssembly, so `{}` is not built", path.display())]
    NoCompiler {
        /// The source.
        path: PathBuf,
        /// Its language.
        language: Language,
        /// A line for each compiler that is there and does not do.
        tried: Vec<String>,
    },
    /// The compiler or linker refused the source.
    #[error("`{}` does not {step}", path.display())]
    Refused {
        /// The source.
        path: PathBuf,
        /// What did not succeed: `compile` or `link`.
        step: &'static str,
        /// Everything that the compiler said.
        words: String,
        /// What its words usually mean, and what to do.
        advice: Vec<&'static str>,
    },
    /// The source as a whole makes no bot.
    #[error("`{}` {what}", path.display())]
    Source {
        /// The source.
        path: PathBuf,
        /// What is the matter.
        what: String,
        /// What to do.
        hint: String,
    },
    /// Somebody else has ended the compiler.
    #[error("`{program}` was killed while it compiled")]
    Killed {
        /// The compiler.
        program: String,
    },
    /// The compiler has used up the processor time that a process may have.
    #[error("`{program}` used up its processor time")]
    OutOfTime {
        /// The compiler.
        program: String,
    },
    /// A compiler that was found does not start.
    #[error("cannot run `{program}`: {source}")]
    Start {
        /// The compiler.
        program: String,
        /// Why.
        source: std::io::Error,
    },
}

impl BuildError {
    pub(crate) fn unknown(path: &Path, hint: String) -> BuildError {
        BuildError::Unknown { path: path.to_owned(), hint }
    }

    pub(crate) fn source(path: &Path, what: impl Into<String>, hint: &str) -> BuildError {
        BuildError::Source { path: path.to_owned(), what: what.into(), hint: hint.to_owned() }
    }

    pub(crate) fn writing(path: &Path) -> impl FnOnce(std::io::Error) -> BuildError {
        let path = path.to_owned();
        move |source| BuildError::Write { path, source }
    }

    /// Everything that the compiler said, or what was tried to find one.
    pub fn words(&self) -> Option<String> {
        match self {
            BuildError::Refused { words, .. } => Some(words.trim_end().to_owned()),
            BuildError::NoCompiler { tried, .. } if !tried.is_empty() => Some(tried.join("\n")),
            _ => None,
        }
    }

    /// What the user can do.
    pub fn hint(&self) -> Option<String> {
        match self {
            BuildError::NoCompiler { language, .. } => Some(crate::install(*language)),
            BuildError::Unknown { hint, .. } | BuildError::Source { hint, .. } => {
                Some(hint.clone())
            }
            BuildError::Killed { .. } => {
                Some("the machine may be out of memory: try again with less running".to_owned())
            }
            BuildError::Refused { advice, .. } if !advice.is_empty() => Some(advice.join("\n")),
            _ => None,
        }
    }
}
