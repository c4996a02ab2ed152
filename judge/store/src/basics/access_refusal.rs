//! Why a change to roles, sessions or tokens is not accepted.

/// A change that the rules about accounts forbid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessRefusal {
    /// The person who asks is not an instructor of the course, or no longer.
    #[error("only instructors of the course can change roles")]
    NotAnInstructor,
    /// The session of the person who asks has ended.
    #[error("the session has ended")]
    SignedOut,
    /// The account has as many API tokens as it can have.
    #[error(
        "an account can have {allowed} tokens at most\n\nhint: revoke one that is not used any more"
    )]
    TooManyTokens {
        /// Tokens that are allowed.
        allowed: i64,
    },
    /// The account at the issuer, or the person, is already linked there.
    #[error("the person or the account at the issuer is linked already")]
    LinkedAlready,
}
