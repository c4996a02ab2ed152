//! Reasons why an invitation is not accepted.

/// The reason why an invitation cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvitationFault {
    /// The invitation does not exist.
    #[error("there is no such invitation")]
    Unknown,
    /// It was already used.
    #[error("the invitation was already used")]
    Used,
    /// It has expired.
    #[error("the invitation has expired")]
    Expired,
    /// It was revoked.
    #[error("the invitation was revoked")]
    Revoked,
    /// It is for another person than the one signed in.
    #[error("the invitation is for another person")]
    ForAnother,
    /// It does not sign in to this account: only the account's own session can accept it.
    #[error("the invitation needs the account's own session")]
    NeedsOwnSession,
    /// The session in which it was accepted has ended.
    #[error("the session has ended")]
    SignedOut,
}
