//! The judge's vocabulary: seats, seeds, limits, verdicts and records of rounds. Plain data and
//! pure functions: no input or output, no engine, no database.

mod by_seat;
mod digest;
mod event;
mod explanation;
mod failure_trace;
mod fault;
mod fault_detail;
mod given_answers;
mod grade;
mod lateness;
mod limits;
mod log_part;
mod player;
mod points;
mod points_curve;
mod record;
mod record_lines;
mod recording;
mod replay;
mod report;
mod round_row;
mod scoring;
mod seat;
mod seed;
mod spec;
mod student;
mod text;
mod transcript;

pub use by_seat::BySeat;
pub use digest::{Digest, digest};
pub use event::{
    Event, IgnoreEvents, Listener, ProgressResult, RoundOutcome, RoundPlace, TestProgress, Unit,
};
pub use explanation::Explanation;
pub use failure_trace::{FailureTrace, LOGGED};
pub use fault::{Blame, Fault, PlayerFault, Verdict};
pub use fault_detail::FaultDetail;
pub use given_answers::{Branch, GivenAnswers};
pub use grade::{
    BotIdentity, BotReport, GradeReport, Refused, RoundReport, Shows, TestcaseReport, Timing,
};
pub use lateness::Lateness;
pub use limits::{FUEL_PER_MS, Limits, MAX_MEMORY_BYTES, MAX_TIME_MS, START_FUEL};
pub use log_part::LogPart;
pub use player::{Player, Usage};
pub use points::{NotPoints, Points};
pub use points_curve::{PointsCurve, PointsCurveError};
pub use record::{
    Call, Fingerprint, REPLAY_VERSION, RecordHeader, RecordTrailer, RoundRecord, RoundResult,
};
pub use recording::{Ply, RecordedFault, RecordedGame};
pub use replay::{BrokenSeal, Replay, ReplayError};
pub use report::ReportError;
pub use round_row::{Culprit, RoundRow, SeatResult};
pub use scoring::{Scoring, UnknownScoring};
pub use seat::Seat;
pub use seed::{Purpose, Random, Seed};
pub use spec::{Options, RoundSpec, SeatSpec};
pub use student::{StudentBot, StudentReport};
pub use text::{escaped_json, parting, printable, shortened, steers};
pub use transcript::{SeatTranscript, Transcript};
