//! Tests over several modules, and what the tests of this folder share.

pub(super) mod games;
pub(super) mod states;
