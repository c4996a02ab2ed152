//! Grades what was handed in: lanes take jobs from the queue, play them in worker processes, and tell
//! a hub what happens.

mod hub;
mod lanes;
mod play;
mod progress;

pub use hub::Hub;
pub use lanes::{Lanes, start};
pub use progress::{CaseNews, Progress};
