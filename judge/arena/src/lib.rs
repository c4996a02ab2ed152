//! Plays many matches with bots in worker processes: the room where sandbox and referee meet.

mod calibration;
mod course;
pub mod failpoint;
mod grade;
mod isolation;
mod journal;
mod partner;
mod pool;
mod remembering;
mod stopwatch;
mod worker;

pub use calibration::{Chance, Scores, Sums};
pub use course::{CourseEvent, course};
pub use grade::{Submission, grade};
pub use isolation::Isolation;
pub use journal::{Journal, JournalError};
pub use partner::{Partner, PartnerError};
pub use pool::{ArenaError, Finished, Job, Played, Pool};
pub use worker::{play, serve};
