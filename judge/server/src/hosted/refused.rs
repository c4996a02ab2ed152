//! Requests to a round that are not done.

use judge_play::Refusal;

/// The reason why a request was not done. What was there stays as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The round itself refuses it.
    #[error(transparent)]
    Round(#[from] Refusal),
    /// The bot cannot play at all.
    #[error("this bot cannot be played: {0}")]
    Module(String),
    /// As many people play as may.
    #[error("too many people are playing now: try again in a few minutes")]
    Full,
    /// The request before is still worked on.
    #[error("the bot is still thinking")]
    Busy,
    /// There is no round with this bot: none was begun, or it was left alone for too long.
    #[error("no round is under way: it ends after {} minutes without an answer", super::rounds::IDLE.as_secs() / 60)]
    NoRound,
    /// Nothing is played here now.
    #[error("the server does not play now")]
    Closed,
}
