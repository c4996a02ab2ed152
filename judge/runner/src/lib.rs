//! The judge as a library: grade, play, compare, verify. `examples/grade_folder.rs` grades with it
//! in thirty lines.

pub mod base;
pub mod bots;
pub mod contest;
pub mod course;
pub mod grade;
pub mod rounds;
pub mod suites;
pub mod tools;
pub mod verify;

pub use base::error::{Error, Remedy};
