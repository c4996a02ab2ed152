//! Plays many matches with bots in worker processes: the room where sandbox and referee meet.

mod pool;
mod stopwatch;
mod worker;

pub use pool::{Job, Played, Pool};
pub use worker::{play, serve};
