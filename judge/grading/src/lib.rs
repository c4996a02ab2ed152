//! Testcases and suites, and what a bot earns in them: pure functions from records to verdicts.

mod consistency;
mod difference;
mod fold;
mod grade;
mod reproduce;
mod source;
mod suite;
mod testcase;

pub use consistency::{contradiction, unfit};
pub use difference::{Difference, first_difference};
pub use fold::{Purse, RoundInput, fold};
pub use grade::{bot_report, refused_report};
pub use reproduce::play_arguments;
pub use source::SourceError;
pub use suite::{Suite, SuiteError};
pub use testcase::Testcase;
