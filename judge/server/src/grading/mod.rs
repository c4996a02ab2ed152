//! Grades what was handed in: lanes take jobs from the queue, play them in worker processes, and tell
//! a hub what happens.

mod fleet;
mod ladder;
mod lanes;
mod play;
mod season;

pub use ladder::{Aim, LadderTurn};
pub use lanes::start;
pub use season::end_season;
