//! The judge's vocabulary: seats, seeds, limits, verdicts and the records of what was played.
//! Plain data and pure functions: no input or output, no engine, no database.

mod digest;
mod event;
mod fault;
mod grade;
mod limits;
mod player;
mod record;
mod recording;
mod replay;
mod report;
mod seat;
mod seed;
mod spec;
mod text;
mod transcript;

pub use digest::{Digest, digest};
pub use event::Event;
pub use fault::{Blame, Fault, PlayerFault, Verdict};
pub use grade::{
    BotIdentity, BotReport, GradeReport, Refused, RoundReport, Shows, TestcaseReport, Timing,
};
pub use limits::{FUEL_PER_MS, Limits, MAX_MEMORY_BYTES, MAX_TIME_MS, START_FUEL};
pub use player::{Player, Usage};
pub use record::{
    Call, Fingerprint, MatchRecord, Outcome, RECORD_VERSION, RecordHeader, RecordTrailer,
};
pub use recording::{Ply, RecordedFault, RecordedGame};
pub use replay::{BrokenSeal, Replay, ReplayError};
pub use report::ReportError;
pub use seat::Seat;
pub use seed::{Purpose, Random, Seed};
pub use spec::{MatchSpec, Options, SeatSpec};
pub use text::{parting, printable, steers};
pub use transcript::{SeatTranscript, Transcript};
