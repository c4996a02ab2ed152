//! Plays many matches with bots in worker processes: the room where sandbox and referee meet.

mod grade;
mod isolation;
mod partner;
mod pool;
mod remembering;
mod stopwatch;
mod worker;

pub use grade::{Submission, grade};
pub use isolation::Isolation;
pub use partner::{Partner, PartnerError};
pub use pool::{Finished, Job, Played, Pool};
pub use worker::{play, serve};
