//! Bots and submissions: sources, modules, scripts, and the list of students.

pub mod build;
pub mod builds;
pub(crate) mod function_names;
pub mod new_bot;
pub(crate) mod players;
mod read;
pub(crate) mod remedies;
pub(crate) mod roster;
pub(crate) mod sources;
pub(crate) mod submitted;
pub mod trained;

pub use read::*;
