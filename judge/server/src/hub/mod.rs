//! Shared state of gradings under way: the progress of each, the lanes, and changed scoreboards.

mod gradings;
mod lanes;
mod progress;
mod scoreboards;
mod streams;

pub use gradings::Hub;
pub use lanes::Lanes;
pub use progress::{CaseNews, Follower, Progress};
pub use scoreboards::Scoreboards;
pub use streams::{OF_ONE as STREAMS_OF_ONE, Streams};
