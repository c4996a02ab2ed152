//! Errors of building a source.

use std::path::{Path, PathBuf};

use crate::Language;

/// An error of building a source.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A file of the build itself cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The name of a file or folder is not one of a source.
    #[error("`{}` is not a source that the judge can build", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// Advice.
        hint: String,
    },
    /// No compiler for the language, or none that can build a module.
    #[error("no compiler for {language} found that can build WebAssembly; `{}` was not built", path.display())]
    NoCompiler {
        /// The source.
        path: PathBuf,
        /// Its language.
        language: Language,
        /// One line for each installed compiler that fails.
        tried: Vec<String>,
    },
    /// The compiler or linker refused the source.
    #[error("`{}` does not {step}", path.display())]
    Refused {
        /// The source.
        path: PathBuf,
        /// The failed step: `compile` or `link`.
        step: &'static str,
        /// The compiler's full output.
        words: String,
        /// The usual meaning of its errors, and advice.
        advice: Vec<String>,
    },
    /// The source as a whole is not a bot.
    #[error("`{}` {what}", path.display())]
    Source {
        /// The source.
        path: PathBuf,
        /// The problem.
        what: String,
        /// Advice.
        hint: String,
    },
    /// By its exit status, the compiler did not finish.
    #[error(
        "`{}` is not built: the compiler ran out of memory or crashed (a build has {} MiB)",
        path.display(),
        crate::bounds::MEMORY_BYTES >> 20
    )]
    Crashed {
        /// The source.
        path: PathBuf,
        /// Advice about the part of the source that may need that much memory.
        hint: Option<String>,
    },
    /// The project has tools that would run during the build.
    #[error("`{}` is not built: {what}", path.display())]
    Untrusted {
        /// The project.
        path: PathBuf,
        /// The tools.
        what: String,
    },
    /// Another program or the system killed the compiler.
    #[error("`{program}` was killed while it compiled")]
    Killed {
        /// The compiler.
        program: String,
    },
    /// The compiler used up a build's time.
    #[error("`{program}` used up its time")]
    OutOfTime {
        /// The compiler.
        program: String,
    },
    /// The compiler does not start.
    #[error("cannot run `{program}`: {source}")]
    Start {
        /// The compiler.
        program: String,
        /// The system's reason.
        source: std::io::Error,
    },
}

/// Advice if a compiler used up its time.
pub(crate) const ENDLESS: &str =
    "look for templates, macros or constants that are computed without end";

/// Advice if a compiler used up its memory.
pub(crate) const ENORMOUS: &str = "look for names, lists or nesting of enormous length";

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

    /// Adds advice to the error.
    pub(crate) fn with_advice(mut self, more: Option<String>) -> BuildError {
        if let BuildError::Refused { advice, .. } = &mut self {
            advice.extend(more);
        }
        self
    }

    /// The compiler's full output, or the attempts to find a compiler.
    pub fn words(&self) -> Option<String> {
        match self {
            BuildError::Refused { words, .. } => Some(words.trim_end().to_owned()),
            BuildError::NoCompiler { tried, .. } if !tried.is_empty() => Some(tried.join("\n")),
            _ => None,
        }
    }

    /// Advice for the user.
    pub fn hint(&self) -> Option<String> {
        match self {
            BuildError::NoCompiler { language, .. } => Some(crate::install(*language)),
            BuildError::Unknown { hint, .. } | BuildError::Source { hint, .. } => {
                Some(hint.clone())
            }
            BuildError::Killed { .. } => {
                Some("the machine may be out of memory: try again with less running".to_owned())
            }
            BuildError::OutOfTime { .. } => Some(ENDLESS.to_owned()),
            BuildError::Crashed { hint, .. } => {
                Some(hint.clone().unwrap_or_else(|| ENORMOUS.to_owned()))
            }
            BuildError::Untrusted { .. } => Some(
                "if you have written or read all of it, add `--trust-project`; otherwise ask its \
                 author for the module"
                    .to_owned(),
            ),
            BuildError::Refused { advice, .. } if !advice.is_empty() => Some(advice.join("\n")),
            _ => None,
        }
    }
}
