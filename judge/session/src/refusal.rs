//! Reasons to refuse a request.

use judge_core::Seed;
use judge_games::IllegalMove;
use judge_referee::SetupError;

/// The reason why a request was refused. The round is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerRefusal {
    /// The text is not a request.
    #[error("not a request: {0}")]
    Malformed(String),
    /// The seed is not a number.
    #[error("the seed is `{given}`: expected a whole number from 0 to {most}", most = u64::MAX)]
    Seed {
        /// The seed as the page gave it.
        given: String,
    },
    /// The round cannot begin.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The answer is illegal.
    #[error(transparent)]
    Answer(#[from] IllegalMove),
    /// No round has begun.
    #[error("no round has begun")]
    NoRound,
    /// The round has ended.
    #[error("the round is over")]
    Over,
    /// The round is still in progress, so it has no record yet.
    #[error("the round is not over: play it to its end, or resign")]
    NotOver,
    /// There is no answer to take back.
    #[error("no answer to take back")]
    NothingToTakeBack,
    /// Nothing was taken back.
    #[error("nothing was taken back")]
    NothingToRedo,
    /// The judge itself failed.
    #[error("the judge failed: {0}")]
    Judge(String),
}

impl AnswerRefusal {
    /// Parses a seed. Requests carry it as text, because JavaScript numbers are not exact up to
    /// `u64::MAX`.
    ///
    /// # Errors
    /// If the text is not a number.
    pub fn seed(given: &str) -> Result<Seed, AnswerRefusal> {
        given.parse().map(Seed).map_err(|_| AnswerRefusal::Seed { given: given.to_owned() })
    }
}
