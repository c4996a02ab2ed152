//! Keeps a course's people, suites, submissions, rounds and results in SQLite or PostgreSQL:
//! `judge/docs/decisions/0023-the-store.md`.
//!
//! Everything is asked of a [`Store`]. Nothing in it reads a clock: whoever calls passes the time.

mod access;
mod address;
mod backup;
mod basics;
mod file;
mod modules;
mod people;
mod queue;
mod results;
mod rounds;
mod row;
mod scoreboard;
mod secrets;
mod store;
mod submissions;
mod suites;
mod transfer;

pub use access::{
    Authenticated, Invitation, InvitationFault, Invited, NewInvitation, Token, TokenInfo, TokenKind,
};
pub use address::{Address, NotAnAddress};
pub use backup::backup;
pub use basics::error::{Error, Refusal};
pub use basics::id::{CourseId, InvitationId, NotAnId, PersonId, SubmissionId, SuiteId, TokenId};
pub use basics::time::{Timestamp, Zone};
pub use people::{Course, Member, NewCourse, NewPerson, Person, Role};
pub use queue::{Job, MOST_CUTS, MOST_TRIES, QueueState};
pub use results::{ResultRow, ResultState, Verdicts, Written};
pub use rounds::{DatabaseRounds, RunKey};
pub use row::UnknownWord;
pub use scoreboard::BoardRow;
pub use store::Store;
pub use submissions::{NewSubmission, Submission};
pub use suites::{BoardMode, Counted, NewSuite, Scope, Suite, SuiteSettings};
pub use transfer::{Exported, Imported};
