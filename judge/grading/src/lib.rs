//! Testcases and suites, and what a bot earns in them: pure functions from records to verdicts.

mod consistency;
mod difference;
mod fold;
mod grade;
mod rank;
mod reproduce;
mod source;
mod standings;
mod suite;
mod testcase;

pub use consistency::{contradiction, unfit};
pub use difference::{Difference, first_difference};
pub use fold::{Purse, RoundInput, fold};
pub use grade::{bot_report, refused_report};
pub use rank::RankCurve;
pub use reproduce::play_arguments;
pub use source::SourceError;
pub use standings::{Standing, standings};
pub use suite::{Suite, SuiteError};
pub use testcase::Testcase;
