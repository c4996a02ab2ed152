//! Bots and submissions: sources, modules, scripts, the list of students.

pub mod build;
pub mod builds;
pub(crate) mod function_names;
pub(crate) mod handed_in;
pub mod new_bot;
pub(crate) mod players;
mod read;
pub(crate) mod remedies;
pub(crate) mod roster;
pub(crate) mod sources;
pub mod trained;

pub use read::*;
