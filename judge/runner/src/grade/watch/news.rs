//! Messages of a watch, in addition to the events of its gradings.

use std::io;
use std::path::PathBuf;

use judge_core::{Digest, Explanation, GradeReport, Listener};
use serde::{Deserialize, Serialize};

/// A change of the watched file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum News {
    /// The watch has started.
    Watching,
    /// The file is missing.
    Gone {
        /// An existing file with a similar name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        similar: Option<PathBuf>,
    },
    /// The file exists, but cannot be graded.
    Refused {
        /// The reason and a hint.
        why: Explanation,
    },
    /// The file was written again with the bytes of the last result.
    SameBytes,
    /// A grading has started.
    Grading {
        /// SHA-256 of the module.
        sha256: Digest,
    },
    /// The file changed during its grading, so there is no result for the old content.
    Dropped,
    /// The result.
    Graded {
        /// The complete report, with one bot.
        report: Box<GradeReport>,
    },
    /// The page of the result is written.
    Page,
    /// The comparison of the result's module with the one before.
    Compared {
        /// The answer and the score difference, in a line.
        text: String,
    },
}

/// The listener of a watch.
pub trait Watcher: Listener {
    /// Receives the next piece of news.
    ///
    /// # Errors
    /// If the news cannot be passed on. The watch then ends with this error.
    fn news(&mut self, news: &News) -> io::Result<()>;
}
