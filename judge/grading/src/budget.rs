//! The fuel of a testcase, which its rounds use in order: the remaining fuel for each round, the
//! fuel that it spends, and the fuel that it was played with.

use judge_core::{Blame, Fault, RoundReport, Seat};

use crate::{RoundSummary, Testcase};

/// Remaining fuel of a testcase, while its rounds are processed in order.
#[derive(Debug)]
pub struct BudgetLeft {
    seat: Seat,
    left: u64,
}

impl BudgetLeft {
    /// The testcase's full fuel, before the first round.
    pub fn full(testcase: &Testcase) -> BudgetLeft {
        BudgetLeft { seat: testcase.seat, left: testcase.limits.fuel }
    }

    /// The fuel for playing the next round again, if the remaining fuel would change the round.
    /// None if no fuel remains.
    pub fn replay(&self, summary: Option<&RoundSummary>) -> Option<u64> {
        let stands = summary.is_some_and(|round| round.is_valid_with(self.seat, self.left));
        (self.left > 0 && !stands).then_some(self.left)
    }

    /// Subtracts the fuel of the next round.
    pub fn pay(&mut self, summary: Option<&RoundSummary>) {
        self.left -= summary.map_or(0, |round| round.spends(self.seat, self.left));
    }
}

impl RoundSummary {
    /// Cost of the round to its testcase's budget, if the full budget is left for it.
    pub fn cost(&self, testcase: &Testcase) -> u64 {
        self.spends(testcase.seat, testcase.limits.fuel)
    }

    /// True if the round would be the same with `left` as its budget: it was played with that, or
    /// it ended without a fault and within it.
    pub(crate) fn is_valid_with(&self, seat: Seat, left: u64) -> bool {
        let bots_fault = self.fault.as_ref().is_some_and(|fault| fault.seat == Some(seat));
        self.budget == left || !bots_fault && self.fuel <= left
    }

    /// The part of `left` that the round uses.
    pub(crate) fn spends(&self, seat: Seat, left: u64) -> u64 {
        spent(seat, self.fault.as_ref(), self.fuel, left)
    }
}

/// The part of `left` used by a round in which the bot spent `fuel`: all of it if the time ran out,
/// and nothing if the judge failed.
pub(crate) fn spent(seat: Seat, fault: Option<&Fault>, fuel: u64, left: u64) -> u64 {
    match fault {
        Some(fault) if fault.seat.is_none() => 0,
        Some(fault) if fault.seat == Some(seat) && fault.spent_the_budget() => left,
        _ => fuel.min(left),
    }
}

/// The fuel that each round of a testcase was played with, out of the testcase's `fuel`; none for a
/// round that was not played. A round with a bot's fault counts as played with the fuel that
/// earlier rounds left ([`BudgetLeft::replay`]), any other with the full fuel.
pub fn round_budgets(fuel: u64, rounds: &[RoundReport]) -> Vec<Option<u64>> {
    let mut left = fuel;
    let mut budget = |round: &RoundReport| {
        let budget = if round.blame == Some(Blame::Bot) { left } else { fuel };
        left = left.saturating_sub(round.fuel);
        round.outcome.as_ref().map(|_| budget)
    };
    rounds.iter().map(&mut budget).collect()
}
