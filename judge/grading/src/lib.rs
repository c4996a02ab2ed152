//! Testcases and suites, and what a bot earns in them: pure functions from records to verdicts.

mod commitment;
mod consistency;
mod difference;
mod fold;
mod grade;
mod input;
mod key;
mod rank;
mod reproduce;
mod source;
mod standings;
mod suite;
mod testcase;

pub use commitment::{BrokenPromise, Commitment, Reveal, Revealed};
pub use consistency::{contradiction, other_conditions, unfit};
pub use difference::{Difference, first_difference};
pub use fold::{Purse, RoundInput, deciding_round, fold};
pub use grade::{bot_report, refused_report};
pub use input::{read_file, read_text};
pub use key::{NotAKey, SuiteKey};
pub use rank::RankCurve;
pub use reproduce::play_arguments;
pub use source::SourceError;
pub use standings::{Standing, standings};
pub use suite::{Secrets, Suite, SuiteError};
pub use testcase::Testcase;
