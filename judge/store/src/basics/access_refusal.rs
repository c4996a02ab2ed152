//! Reasons why a change to roles, sessions or tokens is not accepted.

/// A refusal by the rules about accounts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessRefusal {
    /// The caller is not an instructor of the course, or no longer.
    #[error("only instructors of the course can do this")]
    NotAnInstructor,
    /// The person is the only instructor of a course.
    #[error(
        "`{course}` would have no instructor\n\nhint: make another member its instructor, or archive \
         it, first"
    )]
    OnlyInstructor {
        /// Short name of the course.
        course: String,
    },
    /// The person is the only one who may create courses.
    #[error("the server would have no administrator")]
    OnlyAdministrator,
    /// The caller's session has ended.
    #[error("the session has ended")]
    SignedOut,
    /// The account already has the most API tokens allowed.
    #[error(
        "an account can have at most {allowed} tokens\n\nhint: revoke one that is not used any more"
    )]
    TooManyTokens {
        /// Most tokens allowed.
        allowed: i64,
    },
    /// The account at the issuer, or the person, is already linked there.
    #[error("the person or the account at the issuer is already linked")]
    LinkedAlready,
}
