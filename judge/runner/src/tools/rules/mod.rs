//! `judge rules`: the rules of the games, explored state by state, and checked by test vectors.

pub mod check;
mod session;

pub(crate) use session::switches;
pub use session::{GameRules, RulesSession, START, kind};
