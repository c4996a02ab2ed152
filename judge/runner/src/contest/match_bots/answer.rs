//! The answer of a match: its decision.

use judge_arena::End;
use judge_statistics::Decision;

use super::Report;
use crate::Error;

/// The answer that a match gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// All pairs were played.
    Played,
    /// The test is decided.
    Decided(Decision),
    /// The test is not decided.
    Undecided,
    /// A player failed in every round.
    AlwaysFails,
    /// The judge failed in some pairs, which are left out.
    JudgeFailed,
}

impl Report {
    /// The answer; of a match without a pair that counts there is none.
    ///
    /// # Errors
    /// When the judge failed in every pair.
    pub(crate) fn answer(&self) -> Result<Answer, Error> {
        let Report { tally, end, sprt, .. } = self;
        if tally.table.pairs() == 0 {
            let first = tally.first_failure.as_deref().unwrap_or_default();
            let what = format!("no pair counts, as the judge failed in each: {first}");
            return Err(Error::Judge(what));
        }
        Ok(match end {
            _ if tally.left_out > 0 => Answer::JudgeFailed,
            // A player that always fails proves nothing about how strong it would be without faults.
            End::AlwaysFails(_) if sprt.is_some() => Answer::Undecided,
            End::AlwaysFails(_) => Answer::AlwaysFails,
            End::Decided(decision) => Answer::Decided(*decision),
            End::NothingCounts | End::Played if sprt.is_some() => Answer::Undecided,
            End::NothingCounts | End::Played => Answer::Played,
        })
    }
}
