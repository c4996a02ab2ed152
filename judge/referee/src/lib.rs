//! Plays one round: a game and two players give a record. Sees players only through
//! [`judge_core::Player`], so it knows neither engines nor processes.

mod compare;
mod contradiction;
mod logs;
mod observer;
mod opening;
mod outline;
mod person;
mod play;
mod plies;
mod remembering;
mod replay;
mod scripted;
mod seats;
mod setup;
mod tables;
mod verify;
mod words;

pub use compare::{
    RecordDifference, RecordPart, first_different_call, first_different_move, headers, trailers,
};
pub use contradiction::{Contradiction, call_place, is_in_calls, shown_calls};
pub use observer::{Observer, RecordObserver, TranscriptObserver};
pub use opening::opening;
pub use outline::RoundOutline;
pub use person::{OwnPlayer, answers, between_people, person, sit_down};
pub use play::{Conclusion, NextStep, OpenRound, Overruling, play};
pub use plies::PlyObserver;
pub use remembering::Create;
pub use replay::{MAX_DETAIL, Retraced, record, retrace, retrace_given, transcript_of, walk};
pub use scripted::ScriptedPlayer;
pub use seats::{TRAINED, check, opponent, reference};
pub use setup::{SetupError, find, start};
pub use tables::Tables;
pub use verify::{Disproof, check_by_rules};
pub use words::{ending, traced};
