//! Stores a course's people, suites, submissions, rounds and results in SQLite or PostgreSQL:
//! `judge/docs/decisions/0013-the-store-and-the-server.md`.
//!
//! All requests go to a [`Store`]. It never reads a clock: the caller passes the time.

mod access;
mod access_watch;
mod account_events;
mod address;
mod adjustments;
mod archive;
mod arenas;
mod audit;
mod backup;
mod badges;
mod basics;
mod checksum;
mod comments;
mod copy_course;
mod counting;
mod deletion;
mod erasure;
mod expiry;
mod extensions;
mod feedback;
mod file;
mod groups;
mod human_rounds;
mod identities;
mod invitations;
mod late;
mod lti;
mod mail;
mod mailed_links;
mod members;
mod modules;
mod names;
mod new_course;
mod open;
mod own_data;
mod owner;
mod people;
mod preview;
mod probe;
mod queue;
mod quitting;
mod restore;
mod results;
mod review_notices;
mod reviews;
mod rights;
mod role;
mod rounds;
mod row;
mod scoreboard;
mod secrets;
mod sign_out;
mod store;
mod submissions;
mod suites;
mod summary;
mod transfer;
mod unlinked;

pub use access::{
    Authenticated, Lifetime, MOST_API_TOKENS, MOST_SESSIONS, Token, TokenInfo, TokenKind,
};
pub use access_watch::{AccessWatch, LostAccess};
pub use account_events::{AccountEvent, AccountEventKind};
pub use address::{Address, NotAnAddress};
pub use adjustments::{AdjustedSubmission, Adjustment, MOST_ADJUSTMENTS};
pub use arenas::{
    Arena, ArenaState, BENCH_SHARE, BENCH_WINDOW, BotStatus, FEW_FAULTS, HeldVersion, LadderBot,
    LadderJob, LadderSide, MOST_BOTS, MOST_CHALLENGES, MOST_CHALLENGES_A_DAY, MOST_RECORDS,
    MOST_VERSIONS, NewArena, NewRound, PairKind, PairResult, PairRow, PairState, PublicBot,
    RatedVersion, RoundLine, Season, SeasonPair,
};
pub use audit::{Act, AuditEntry};
pub use backup::backup;
pub use badges::{Badge, BadgeParts};
pub use basics::access_refusal::AccessRefusal;
pub use basics::error::{Error, StoreRefusal};
pub use basics::id::{
    ArenaId, BadgeId, BotId, CommentId, CourseId, GroupId, HumanRoundId, InvitationId, NotAnId,
    PairId, PersonId, ReviewId, SubmissionId, SuiteId, TokenId, VersionId,
};
pub use basics::invitation_fault::InvitationFault;
pub use basics::ladder_refusal::LadderRefusal;
pub use basics::review_refusal::ReviewRefusal;
pub use basics::time::{Timestamp, Zone};
pub use comments::Comment;
pub use copy_course::{CourseCopy, DateKind, ShiftedDate};
pub use erasure::ERASED;
pub use groups::{Group, GroupMember, GroupMove, MOST_MEMBERS};
pub use human_rounds::{HumanResult, HumanRound, KEPT_ROUNDS};
pub use identities::NewIdentity;
pub use invitations::{Invitation, Invited, LinkMaker, NewInvitation, Reach, Visitor};
pub use judge_core::Lateness;
pub use judge_grading::{LatePolicy, LateRules};
pub use lti::{Arrival, Arriving, LtiColumn, LtiContext, LtiCourse, LtiMark};
pub use mail::{DueMail, MailKind};
pub use members::Author;
pub use new_course::NewSuites;
pub use own_data::OwnData;
pub use owner::Owner;
pub use people::{
    Course, Listed, Member, NewCourse, NewPerson, Person, has_one_form, is_address, is_slug,
};
pub use preview::{GradingPreview, ResultChange};
pub use probe::Probe;
pub use queue::{GradingJob, MOST_CUTS, MOST_TRIES, QueueState};
pub use restore::{Restored, restore};
pub use results::{ResultRow, ResultState, Verdicts, Written};
pub use review_notices::ReviewNotice;
pub use reviews::{MOST_OPEN_REVIEWS, MOST_REVIEWS, MOST_TEXT, OpenReview, Review, ReviewAnswer};
pub use role::Role;
pub use rounds::{DatabaseRounds, RunKey};
pub use row::UnknownWord;
pub use scoreboard::{Audience, BoardRow, PointsShare, ScoreboardPart, ScoreboardQuery};
pub use store::Store;
pub use submissions::{NewSubmission, Submission};
pub use suites::{
    Counted, HiddenShown, NewSuite, RestShown, Scope, ScoreboardMode, Showing, Suite, SuiteSettings,
};
pub use summary::Summary;
pub use transfer::{Exported, Imported};
