//! Shared state of gradings under way: the progress of each, the lanes, changed scoreboards, and
//! outages of the database.

mod gradings;
mod lanes;
mod outage;
mod progress;
mod scoreboards;
mod streams;

pub use gradings::Hub;
pub use lanes::Lanes;
pub use outage::Outage;
pub use progress::{CaseNews, Follower, Progress};
pub use scoreboards::Scoreboards;
pub use streams::{OF_ONE as STREAMS_OF_ONE, Streams};
