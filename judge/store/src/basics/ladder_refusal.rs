//! Reasons why an arena does not accept a bot or a challenge.

/// A refusal by the rules of an arena.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LadderRefusal {
    /// The person is an observer or not a member of the course.
    #[error("only students and staff of the course can enter bots and challenge others")]
    NotAMember,
    /// The arena is closed, or not open for the request.
    #[error("the arena is not open")]
    NotOpen,
    /// The season is about to end.
    #[error("the season is ending; the next one begins when its places are settled")]
    Ending,
    /// The submission belongs to another person, course or game, or is not graded.
    #[error("only your own graded submissions to suites of this game can be entered")]
    NotFitting,
    /// The newest version has the same module.
    #[error("this is the same module as the newest version of the bot")]
    SameModule,
    /// The person has too many bots in the arena.
    #[error("a person can have at most {allowed} bots in an arena")]
    TooManyBots {
        /// Most bots allowed.
        allowed: i64,
    },
    /// The person entered too many versions in a day.
    #[error("a person can enter at most {allowed} versions a day")]
    TooManyVersions {
        /// Most versions allowed.
        allowed: i64,
    },
    /// Too many challenges of the person wait to be played.
    #[error("{allowed} challenges are already waiting, and no more are allowed")]
    TooManyChallenges {
        /// Most challenges that may wait.
        allowed: i64,
    },
    /// The person asked for too many challenges in a day.
    #[error("at most {allowed} challenges are allowed per day")]
    TooManyChallengesToday {
        /// Most challenges allowed.
        allowed: i64,
    },
    /// The challenge names a bot that is not public, or the same bot twice.
    #[error("a challenge needs two different bots of the arena")]
    NoChallenge,
}
