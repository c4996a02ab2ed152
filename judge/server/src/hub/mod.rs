//! What is known of gradings under way: how far each is, which lanes are at work, which scoreboards
//! moved.

mod boards;
mod gradings;
mod lanes;
mod progress;
mod streams;

pub use boards::Boards;
pub use gradings::Hub;
pub use lanes::Lanes;
pub use progress::{CaseNews, Follower, Progress};
pub use streams::{OF_ONE as STREAMS_OF_ONE, OpenStream, Streams};
