//! Pages for a browser. Each is a single file that loads nothing from elsewhere and runs only its
//! own script.

mod course;
mod film;
mod fuel;
mod island;
mod other_moves;
mod parting;
mod ratings;
mod reel;
mod round;
mod rounds;
mod scoreboard;
mod sheet;
mod student;
#[cfg(test)]
mod tests;
mod tongue;
mod tournament;
mod words;

pub use crate::rounds::RoundLine;
pub use other_moves::{OtherMove, OtherMoves};
pub use parting::{PartingPage, PartingSide};
pub use reel::{Reel, VIEWS};
pub use round::{Beside, ROUND_STYLE, RoundPage, round_script};
pub use rounds::RoundsPage;
pub use scoreboard::kind;
pub use sheet::{Links, STYLE, reloading};
pub use student::{Again, Audience, CourseRank, Student, with_pseudonym};
pub use tongue::PageLanguage;
