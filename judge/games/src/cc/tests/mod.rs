//! Tests over several modules, and what the tests of this folder share.

mod rules;
