//! Requests of a page that grades, and the reasons to refuse one.

use judge_referee::SetupError;
use serde::Deserialize;

/// A request of a page. In JSON, the key `do` names it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum GradeRequest {
    /// Reads a suite from the names and texts of its files.
    Suite {
        /// Its name.
        name: String,
        /// Its files.
        files: Vec<(String, String)>,
    },
    /// Takes the bytes as a module.
    Module {
        /// The bot's name.
        name: String,
    },
    /// Builds a module from a text; the reply has its bytes.
    Build {
        /// The name of the file.
        file: String,
        /// Its text.
        text: String,
    },
    /// Takes the bytes as the module that a compiler in the page has made from a text, and describes
    /// it; the reply has its bytes.
    Compiled {
        /// The name of the file.
        file: String,
        /// Its text.
        text: String,
    },
    /// Rewrites the module for the page's engine; the reply has the bytes.
    Rewrite,
    /// Begins a round.
    Begin {
        /// The round as JSON in a text, because a seed is too large for a JavaScript number.
        spec: String,
    },
    /// Ends the round; the reply has its outline.
    End {
        /// Memory and tables of the bot, in bytes.
        memory_bytes: u64,
    },
    /// Writes the replay of the last round.
    Replay,
    /// Shows the lines of a replay.
    Film {
        /// The replay file.
        text: String,
    },
    /// Draws the board of that replay.
    Frame {
        /// The call, counted from 0; after the last one, the end.
        at: usize,
    },
    /// Describes one round of a testcase.
    Single {
        /// The testcase, counted from 0.
        testcase: usize,
        /// The round, counted from 0.
        round: usize,
        /// True for the fuel with which it was graded, instead of the testcase's.
        graded: bool,
    },
    /// Begins to grade the bot on the suite.
    Grade,
    /// Returns the next round to play, if there is one now.
    Next,
    /// Takes the result of a round.
    Took {
        /// Its number.
        job: usize,
        /// Its outline, as text.
        outline: String,
    },
    /// Writes the report.
    Report {
        /// Time of the whole run, in microseconds.
        wall_us: u64,
        /// Number of workers.
        workers: u32,
    },
    /// A request about a comparison.
    #[serde(untagged)]
    Compared(CompareRequest),
}

/// A request about a comparison of the bot with an earlier version, or with a reference opponent in
/// its seat.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum CompareRequest {
    /// Makes the bot the earlier version; another one is taken next.
    Earlier,
    /// Begins to compare on the suite.
    Compare {
        /// The reference opponent; none for the earlier version.
        opponent: Option<String>,
        /// Most rounds per version and testcase.
        rounds: u64,
    },
    /// Returns the next round to play, if there is one now.
    NextCompared,
    /// Takes the result of a round.
    TookCompared {
        /// Its number.
        job: usize,
        /// Its outline, as text.
        outline: String,
    },
    /// Looks at the interval once no round is left, and plans more rounds while the answer is open.
    Look,
    /// Returns the figures.
    Figures,
    /// Describes one round.
    SingleCompared {
        /// The indexes of its seed, conditions and version.
        place: [usize; 3],
    },
    /// Plays a round in which a reference opponent has the bot's seat; the reply has its outline.
    References {
        /// The round as JSON in a text.
        spec: String,
    },
}

/// The reason why a request is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GradeRefusal {
    #[error("not a request: {0}")]
    Malformed(String),
    #[error("{0}")]
    Suite(String),
    #[error("{}", build_text(.0))]
    Build(#[from] judge_toolchain::BuildError),
    #[error("{0}")]
    Meter(#[from] judge_meter::MeterError),
    #[error("the bot is refused: {0}")]
    Refused(String),
    #[error("the earlier version is refused: {0}")]
    EarlierRefused(String),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("no suite is chosen")]
    NoSuite,
    #[error("no bot is chosen")]
    NoBot,
    #[error("no earlier version is chosen")]
    NoEarlier,
    #[error("no round has begun")]
    NoRound,
    #[error("the suite has no such round")]
    NoSuchRound,
    #[error("no grading has begun")]
    NoRun,
    #[error("no comparison has begun")]
    NoComparison,
    #[error("rounds are missing")]
    Unfinished,
}

/// The reason why a source is not built, with the compiler's output and advice.
fn build_text(error: &judge_toolchain::BuildError) -> String {
    let hint = error.hint().map(|hint| format!("hint: {hint}"));
    let parts = [Some(error.to_string()), error.words(), hint];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}
