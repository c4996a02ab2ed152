//! Plays one match: a game and two players give a record. Sees players only through
//! [`judge_core::Player`], so it knows neither engines nor processes.

mod observer;
mod play;
mod replay;
mod scripted;
mod seats;

pub use observer::{Observer, RecordObserver, TranscriptObserver};
pub use play::{Conclusion, SetupError, check, find, play, start};
pub use replay::{Retraced, record, retrace, transcript_of, walk};
pub use scripted::ScriptedPlayer;
pub use seats::{opponent, reference};
