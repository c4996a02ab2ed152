//! Plays many matches with bots in worker processes: the room where sandbox and referee meet.

mod course;
pub mod failpoint;
mod grade;
mod isolation;
mod journal;
mod pairs;
mod partner;
mod pool;
mod remembering;
pub mod statistics;
mod stop;
mod stopwatch;
mod tally;
mod worker;

pub use course::{CourseEvent, course};
pub use grade::{Submission, grade};
pub use isolation::Isolation;
pub use journal::{Journal, JournalError};
pub use pairs::{Pair, Pairing, Round};
pub use partner::{Partner, PartnerError};
pub use pool::{ArenaError, Finished, Job, Played, Pool};
pub use stop::Stop;
pub use tally::{End, HOPELESS, Tally};
pub use worker::{play, serve};
