//! Plays one match: a game and two players give a record. Sees players only through
//! [`judge_core::Player`], so it knows neither engines nor processes.

mod compare;
mod observer;
mod play;
mod plies;
mod replay;
mod scripted;
mod seats;
mod tables;
mod verify;

pub use compare::{Difference, headers, parting_call, trailers};
pub use observer::{Observer, RecordObserver, TranscriptObserver};
pub use play::{Conclusion, SetupError, check, find, play, start};
pub use plies::PlyObserver;
pub use replay::{MAX_DETAIL, Retraced, record, retrace, transcript_of, walk};
pub use scripted::ScriptedPlayer;
pub use seats::{TRAINED, opponent, reference};
pub use tables::Tables;
pub use verify::{Disproof, check_by_rules};
