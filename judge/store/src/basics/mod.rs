//! Basic types of the crate: ids, moments and errors.

pub(crate) mod access_refusal;
pub(crate) mod error;
pub(crate) mod id;
pub(crate) mod invitation_fault;
pub(crate) mod ladder_refusal;
pub(crate) mod review_refusal;
pub(crate) mod time;
