//! Plays one match: a game and two players give a record. Sees players only through
//! [`judge_core::Player`], so it knows neither engines nor processes.

mod compare;
mod observer;
mod opening;
mod play;
mod plies;
mod replay;
mod scripted;
mod seats;
mod setup;
mod tables;
mod verify;

pub use compare::{Difference, RecordPart, headers, parting_call, trailers};
pub use observer::{Observer, RecordObserver, TranscriptObserver};
pub use opening::opening;
pub use play::{Conclusion, play};
pub use plies::PlyObserver;
pub use replay::{MAX_DETAIL, Retraced, record, retrace, transcript_of, walk};
pub use scripted::ScriptedPlayer;
pub use seats::{TRAINED, check, opponent, reference};
pub use setup::{SetupError, find, start};
pub use tables::Tables;
pub use verify::{Disproof, check_by_rules};
