//! Plays rounds with bots in worker processes: it combines sandbox and referee.

mod bounds;
mod code_cache;
mod collection;
mod course;
mod facts;
pub mod failpoint;
mod given_rounds;
mod grade;
mod isolation;
mod journal;
mod lock;
mod matching;
mod meetings;
mod pairs;
mod partner;
mod pool;
mod recording;
mod runs;
mod station;
mod stop;
mod stopwatch;
mod store;
mod submission_note;
mod suite_note;
mod swiss;
mod tally;
mod worker;

pub use bounds::{Account, Bounds, is_far};
pub use code_cache::{CacheError, CacheUse, CodeCache, MAX_CACHE_BYTES};
pub use collection::{
    Collection, CollectionError, MeetingNote, PlayedNote, RowPlace, RunKind, StoredRound,
    check_rounds, identity, round, row,
};
pub use course::{CourseEvent, course};
pub use facts::{Fact, FactError, Facts};
pub use given_rounds::GivenRound;
pub use grade::{Entrant, grade, is_refusal_fact, refusal_fact};
pub use isolation::Isolation;
pub use journal::{
    Agreed, Journal, JournalError, JournalLine, JournalRound, KeptRound, round_key, round_modules,
    transcript_from_json, transcript_to_json,
};
pub use lock::lock;
pub use meetings::play_meetings;
pub use pairs::{Figures, Pair, PairFlow, PairRound, PairStep, Pairing};
pub use partner::{Partner, PartnerError};
pub use pool::{
    ArenaError, Believed, Compiler, Finished, Job, JobStep, PlayedRound, Pool, RemotePool,
    RemoteResult, RemoteRun, Run, modules_by_digest,
};
// Part of the interface of stores.
pub use judge_referee::RoundOutline;
pub use recording::{Recorded, Recorder};
pub use stop::Stop;
pub use store::{CostStore, FactStore, RoundStore, StoreError};
pub use submission_note::SubmissionNote;
pub use suite_note::SuiteNote;
pub use swiss::{Cycle, Swiss};
pub use tally::{HOPELESS, PairTally, TestEnd};
pub use worker::{play, serve};
