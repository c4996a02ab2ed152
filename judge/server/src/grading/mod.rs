//! Grades what was handed in: lanes take jobs from the queue, play them in worker processes, and tell
//! a hub what happens.

mod lanes;
mod play;

pub use lanes::start;
