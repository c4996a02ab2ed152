//! Tests over several modules, and what the tests of this folder share.

mod games;
mod rules;
