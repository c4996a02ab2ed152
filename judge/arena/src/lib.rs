//! Plays many matches with bots in worker processes: the room where sandbox and referee meet.

mod grade;
mod isolation;
mod pool;
mod stopwatch;
mod worker;

pub use grade::{Submission, grade};
pub use isolation::Isolation;
pub use pool::{Finished, Job, Played, Pool};
pub use worker::{play, serve};
