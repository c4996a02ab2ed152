//! Tests of several modules, and the parts that they share.

pub(super) mod games;
mod refusals;
mod resumed;
pub(super) mod states;
