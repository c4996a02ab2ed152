//! Requests that cannot be done.

use judge_core::Seed;
use judge_games::IllegalMove;
use judge_referee::SetupError;

/// The reason why a request was not done. What was there stays as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is no request.
    #[error("not a request: {0}")]
    Malformed(String),
    /// The seed is no number.
    #[error("the seed is `{given}`: expected a whole number from 0 to {most}", most = u64::MAX)]
    Seed {
        /// The text that was given.
        given: String,
    },
    /// The match cannot begin.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The rules do not take the answer.
    #[error(transparent)]
    Answer(#[from] IllegalMove),
    /// Nothing is being played.
    #[error("no round has begun")]
    NoRound,
    /// The round has ended.
    #[error("the round is over")]
    Over,
    /// The round goes on, so there is no record of it yet.
    #[error("the round is not over: play it to its end, or resign")]
    NotOver,
    /// There is no answer to take back.
    #[error("there is no answer to take back")]
    NothingToTakeBack,
    /// Nothing was taken back.
    #[error("nothing was taken back")]
    NothingToRedo,
    /// The judge failed.
    #[error("the judge failed: {0}")]
    Judge(String),
}

impl Refusal {
    /// Reads a seed, which is text in requests: numbers of scripts are not exact so far up.
    ///
    /// # Errors
    /// When it is no number.
    pub fn seed(given: &str) -> Result<Seed, Refusal> {
        given.parse().map(Seed).map_err(|_| Refusal::Seed { given: given.to_owned() })
    }
}
