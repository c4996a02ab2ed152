//! Pages for a browser. Each is a single file that loads nothing from elsewhere and runs only its
//! own script.

mod course;
pub mod filters;
mod first_difference;
mod fuel;
mod language;
mod other_moves;
mod pictures;
mod ratings;
mod round;
mod rounds;
mod scoreboard;
mod script_data;
mod sheet;
mod steps;
mod student;
#[cfg(test)]
mod tests;
mod tournament;
mod words;

pub use crate::rounds::RoundLine;
pub use first_difference::{DifferencePage, DifferenceSide};
pub use language::PageLanguage;
pub use other_moves::{OtherMove, OtherMoves};
pub use round::{Beside, ROUND_STYLE, RoundPage, round_script};
pub use rounds::RoundsPage;
pub use scoreboard::kind;
pub use sheet::{Links, STYLE, reloading};
pub use steps::{RoundSteps, VIEWS};
pub use student::{Again, Audience, CourseRank, Student, with_note, with_pseudonym};
