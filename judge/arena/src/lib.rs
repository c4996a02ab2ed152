//! Plays many matches with bots in worker processes: the room where sandbox and referee meet.

mod course;
pub mod failpoint;
mod grade;
mod isolation;
mod journal;
mod lock;
mod matching;
mod meetings;
mod pairs;
mod partner;
mod pool;
mod recording;
mod remembering;
pub mod statistics;
mod stop;
mod stopwatch;
mod swiss;
mod tally;
mod worker;

pub use course::{CourseEvent, course};
pub use grade::{Submission, grade};
pub use isolation::Isolation;
pub use journal::{Agreed, Journal, JournalError};
pub use lock::lock;
pub use meetings::play_meetings;
pub use pairs::{Pair, Pairing, Round};
pub use partner::{Partner, PartnerError};
pub use pool::{ArenaError, Finished, Job, Played, Pool};
pub use recording::{Recorded, Recorder};
pub use stop::Stop;
pub use swiss::{Cycle, Swiss};
pub use tally::{End, HOPELESS, Tally};
pub use worker::{play, serve};
