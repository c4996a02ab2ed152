//! Grades what was handed in: lanes take jobs from the queue, play them in worker processes, and tell
//! a hub what happens.

mod ladder;
mod lanes;
mod play;

pub use ladder::{Aim, LadderTurn, end_season};
pub use lanes::start;
