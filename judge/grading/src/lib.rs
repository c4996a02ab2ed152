//! Testcases and suites, and what a bot earns in them: pure functions from records to verdicts.

mod budget;
mod changes;
mod commitment;
mod consistency;
mod difference;
mod fold;
mod grade;
mod input;
mod key;
mod points;
mod rank;
mod reproduce;
mod source;
mod standings;
mod suite;
mod summary;
mod testcase;

pub use budget::{BudgetLeft, round_budgets};
pub use changes::{FileChange, SuiteChange, suite_changes};
pub use commitment::{BrokenPromise, Commitment, Reveal, Revealed};
pub use consistency::{contradiction, other_conditions, unfit};
pub use difference::{Difference, first_difference};
pub use fold::{RoundInput, deciding_round, fold};
pub use grade::{bot_report, refused_report};
pub use input::{Links, open_file, open_in_folder, read_file, read_opened, read_text};
pub use key::{NotAKey, SuiteKey};
pub use rank::RankCurve;
pub use reproduce::{Repeat, play_arguments};
pub use source::SourceError;
pub use standings::{Standing, standings};
pub use suite::{Secrets, Suite, SuiteError};
pub use summary::RoundSummary;
pub use testcase::{LOG_BYTES, Testcase};
