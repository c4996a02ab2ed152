//! Bots and submissions: sources, modules, scripts, and lists of students.

pub mod build;
pub mod builds;
pub(crate) mod function_names;
pub mod native;
pub mod new_bot;
pub(crate) mod players;
mod read;
pub(crate) mod roster;
pub mod sources;
pub(crate) mod start_up;
pub mod student_list;
pub(crate) mod submitted;
pub mod trained;
pub(crate) mod versions;

pub use read::*;
