//! What happens while grading, in the order in which it happens: reporters live on this alone.

use crate::{BotReport, GradeReport, TestcaseReport};

/// Something that a reporter may want to show.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// Grading begins.
    Started {
        /// How many rounds will be played at most, over all bots.
        rounds: u64,
    },
    /// A round was played, or passed over as needless; rounds finish in any order.
    RoundFinished {
        /// The bot's name.
        bot: &'a str,
        /// The testcase's name.
        testcase: &'a str,
    },
    /// All rounds of a testcase are in; testcases come in the suite's order.
    TestcaseFinished {
        /// The bot's name.
        bot: &'a str,
        /// Its result.
        report: &'a TestcaseReport,
    },
    /// A bot is done; bots come in the order of the command line.
    BotFinished(&'a BotReport),
    /// Everything is done.
    Finished(&'a GradeReport),
}
