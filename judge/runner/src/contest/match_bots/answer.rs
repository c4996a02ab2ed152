//! The decision of a match.

use judge_arena::TestEnd;
use judge_statistics::Decision;

use super::MatchReport;
use crate::Error;

/// The decision of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchAnswer {
    /// All pairs were played.
    Played,
    /// The test is decided.
    Decided(Decision),
    /// The test is not decided.
    Undecided,
    /// A player failed in every round.
    AlwaysFails,
    /// The judge failed in some pairs, which do not count.
    JudgeFailed,
}

impl MatchReport {
    /// Returns the decision.
    ///
    /// # Errors
    /// If no pair counts, because the judge failed in every pair.
    pub(crate) fn answer(&self) -> Result<MatchAnswer, Error> {
        let MatchReport { tally, end, sprt, .. } = self;
        if tally.table.pairs() == 0 {
            let first = tally.first_failure.as_deref().unwrap_or_default();
            let what = format!("no pair counts, as the judge failed in each: {first}");
            return Err(Error::Judge(what));
        }
        Ok(match end {
            _ if tally.left_out > 0 => MatchAnswer::JudgeFailed,
            // Constant faults say nothing about a player's strength without faults.
            TestEnd::AlwaysFails(_) if sprt.is_some() => MatchAnswer::Undecided,
            TestEnd::AlwaysFails(_) => MatchAnswer::AlwaysFails,
            TestEnd::Decided(decision) => MatchAnswer::Decided(*decision),
            TestEnd::NothingCounts | TestEnd::Played if sprt.is_some() => MatchAnswer::Undecided,
            TestEnd::NothingCounts | TestEnd::Played => MatchAnswer::Played,
        })
    }
}
