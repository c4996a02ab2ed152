//! `judge rules`: explores the rules of the games, and checks them with test vectors.

pub mod check;
mod session;

pub(crate) use session::switches;
pub use session::{GameRules, RulesSession, START, kind};
