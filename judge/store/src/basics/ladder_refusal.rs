//! Why an arena does not accept a bot or a challenge.

/// Something that is not accepted, by the rules of an arena.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LadderRefusal {
    /// Only members enter bots and challenge, and observers do not.
    #[error("only students and staff of the course enter bots and challenge")]
    NotAMember,
    /// The arena is closed, or not open for what was asked.
    #[error("the arena is not open")]
    NotOpen,
    /// The season is about to end.
    #[error("the season is ending; the next one begins when its places are settled")]
    Ending,
    /// The submission cannot be entered: it is another's, of another course or game, or it was not
    /// graded.
    #[error("only a graded submission of one's own to a suite of this game can be entered")]
    NotFitting,
    /// The newest version has the same module.
    #[error("the newest version of this bot is the same module")]
    SameModule,
    /// The person has too many bots in the arena.
    #[error("{allowed} bots of one person are the most")]
    TooManyBots {
        /// Bots that are allowed.
        allowed: i64,
    },
    /// The person entered too many versions in a day.
    #[error("{allowed} versions in a day are the most")]
    TooManyVersions {
        /// Versions that are allowed.
        allowed: i64,
    },
    /// Too many challenges of the person wait to be played.
    #[error("{allowed} challenges are waiting, and no more may")]
    TooManyChallenges {
        /// Challenges that may wait.
        allowed: i64,
    },
    /// The person asked for too many challenges in a day.
    #[error("{allowed} challenges in a day are the most")]
    TooManyChallengesToday {
        /// Challenges that are allowed.
        allowed: i64,
    },
    /// A bot that is not public, or the same one twice.
    #[error("a challenge is between two different bots that are in the arena")]
    NoChallenge,
}
