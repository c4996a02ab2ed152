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
        advice: Vec<String>,
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
    /// The compiler did not get to its end, going by its exit status.
    #[error(
        "`{}` is not built: the compiler ran out of memory or crashed (a build has {} MiB)",
        path.display(),
        crate::bounds::MEMORY_BYTES >> 20
    )]
    Crashed {
        /// The source.
        path: PathBuf,
        /// Advice on the part of the source that may need so much memory.
        hint: Option<String>,
    },
    /// The project has tools that would run while it is built.
    #[error("`{}` is not built: {what}", path.display())]
    Untrusted {
        /// The project.
        path: PathBuf,
        /// The tools.
        what: String,
    },
    /// Another program, or the system, has ended the compiler.
    #[error("`{program}` was killed while it compiled")]
    Killed {
        /// The compiler.
        program: String,
    },
    /// The compiler has used up the time that a build may take.
    #[error("`{program}` used up its time")]
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

/// Advice where a compiler used up its time.
pub(crate) const ENDLESS: &str =
    "look for templates, macros or constants that are computed without end";

/// Advice where a compiler used up its memory.
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

    /// The same error with one more advice.
    pub(crate) fn with_advice(mut self, more: Option<String>) -> BuildError {
        if let BuildError::Refused { advice, .. } = &mut self {
            advice.extend(more);
        }
        self
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
