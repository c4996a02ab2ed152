//! Gradings under way: the progress of each, the lanes at work, the scoreboards that changed.

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
