//! Reasons to refuse a request to a round.

use judge_session::AnswerRefusal;

/// A refused request, which changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The round itself refuses it.
    #[error(transparent)]
    Round(#[from] AnswerRefusal),
    /// The bot cannot play at all.
    #[error("this bot cannot be played: {0}")]
    Module(String),
    /// The most rounds at a time are under way.
    #[error("too many people are playing now: try again in a few minutes")]
    Full,
    /// The previous request is still being worked on.
    #[error("the bot is still thinking")]
    Busy,
    /// The person has no round with this bot: none was started, or it was idle for too long.
    #[error(
        "no round is under way: a round ends after {} minutes without an answer",
        super::rounds::IDLE.as_secs() / 60
    )]
    NoRound,
    /// The server is starting or stopping.
    #[error("the server is starting or stopping: try again in a minute")]
    Closed,
}
