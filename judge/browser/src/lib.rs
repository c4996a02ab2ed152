//! The rules, the reference opponents and the record of a round for a page in a browser: a person
//! plays a round by clicking, and replays are checked, without a server. The page sends a request
//! as JSON and gets a reply as JSON; see [`Desk`] and [`judge_session::Request`].

mod check;
mod desk;
mod engine;
pub mod exports;
#[cfg(feature = "grade")]
pub mod grade;

pub use check::{CheckFinding, CheckStatus, ReplayCheck, verify};
pub use desk::Desk;
pub use engine::{ENGINE, fingerprint};
