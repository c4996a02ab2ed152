//! Messages of a watch, in addition to the events of its gradings.

use std::io;

use judge_core::{Digest, Explanation, GradeReport, Listener};
use serde::{Deserialize, Serialize};

/// A change of the watched file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum News {
    /// The watch has started.
    Watching,
    /// The file is missing.
    Gone,
    /// It is there, and cannot be graded.
    Refused {
        /// The reason and a hint.
        why: Explanation,
    },
    /// It was written again with the bytes of the last result.
    SameBytes,
    /// It is being graded from now on.
    Grading {
        /// SHA-256 of the module.
        sha256: Digest,
    },
    /// It changed while it was graded; there will be no result for the old content.
    Dropped,
    /// Its result.
    Graded {
        /// The whole result, of one bot.
        report: Box<GradeReport>,
        /// The place of the failure, if its module has lines: the functions that were running.
        traces: String,
    },
}

/// The listener.
pub trait Watcher: Listener {
    /// Takes the next piece of news.
    ///
    /// # Errors
    /// When it cannot be passed on. The watch ends at once, and says so.
    fn news(&mut self, news: &News) -> io::Result<()>;
}
