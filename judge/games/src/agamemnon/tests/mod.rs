//! Tests over several modules, and what the tests of this folder share.

pub(super) mod games;
mod refusals;
mod resumed;
pub(super) mod states;
