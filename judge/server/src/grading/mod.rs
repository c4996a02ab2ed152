//! Grades submissions: lanes take jobs from the queue, play them in worker processes, and report
//! events to a hub.

mod fleet;
mod ladder;
mod lanes;
mod play;
mod season;

pub use ladder::{Aim, LadderTurn};
pub use lanes::start;
pub use season::end_season;
