//! A testcase during grading: takes its rounds in any order, names the rounds to play again, and
//! gives the verdict.

use judge_core::{RoundReport, TestcaseReport};

use crate::{BudgetLeft, RoundInput, RoundSummary, Testcase, fold};

/// Data of a round, kept until its testcase is folded.
#[derive(Debug, Clone)]
struct EndedRound {
    summary: RoundSummary,
    /// Approximate size in a journal, even if there is none.
    bytes: u64,
}

/// A testcase of a submission with rounds that may still change.
#[derive(Debug)]
pub struct OpenTestcase<'a> {
    testcase: &'a Testcase,
    /// State of each round.
    rounds: Vec<Option<EndedRound>>,
    /// Number of missing rounds.
    missing: usize,
    /// The first round that may change, once all are present.
    at: usize,
    /// Budget after the previous rounds.
    budget: BudgetLeft,
}

impl<'a> OpenTestcase<'a> {
    /// A testcase without any rounds yet.
    pub fn new(testcase: &'a Testcase) -> OpenTestcase<'a> {
        OpenTestcase {
            testcase,
            rounds: testcase.seeds.iter().map(|_| None).collect(),
            missing: testcase.seeds.len(),
            at: 0,
            budget: BudgetLeft::full(testcase),
        }
    }

    /// The testcase.
    pub fn testcase(&self) -> &'a Testcase {
        self.testcase
    }

    /// The round that is played again, counted from 0.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Sets a round, for the first time or again. `bytes` is its size in a journal.
    pub fn set(&mut self, round: usize, summary: RoundSummary, bytes: u64) {
        self.rounds[round] = Some(EndedRound { summary, bytes });
    }

    /// Notes that a round of the testcase needs no more play for the first time.
    pub fn count(&mut self) {
        self.missing -= 1;
    }

    /// True if no round is missing.
    pub fn is_complete(&self) -> bool {
        self.missing == 0
    }

    /// True if the verdict no longer depends on this round: the earlier rounds use up the
    /// testcase's time.
    pub fn is_needless(&self, round: usize) -> bool {
        let costs = self.rounds[..round].iter().flatten();
        let costs = costs.map(|ended| ended.summary.cost(self.testcase));
        costs.fold(0, u64::saturating_add) >= self.testcase.limits.fuel
    }

    /// Checks the rounds of a complete testcase, from the last position on. Returns the fuel for
    /// the round [`OpenTestcase::at`] if the fuel left by the earlier rounds would change it. A
    /// refused submission plays nothing again.
    pub fn next_again(&mut self, is_refused: bool) -> Option<u64> {
        while let Some(round) = self.rounds.get(self.at) {
            let summary = round.as_ref().map(|ended| &ended.summary);
            if let Some(left) = self.budget.replay(summary)
                && !is_refused
            {
                return Some(left);
            }
            self.budget.pay(summary);
            self.at += 1;
        }
        None
    }

    /// The verdict on final rounds, and the size of those that count in a journal. Forgets them.
    pub fn fold(&mut self) -> (TestcaseReport, u64) {
        let rounds = std::mem::take(&mut self.rounds);
        let inputs = std::iter::zip(&self.testcase.seeds, &rounds).map(|(seed, ended)| {
            RoundInput { seed: *seed, summary: ended.as_ref().map(|ended| &ended.summary) }
        });
        let report = fold(self.testcase, &inputs.collect::<Vec<_>>());
        // A round that the verdict ignores costs nothing: another run may not have played it.
        let counts = |(report, ended): (&RoundReport, &Option<EndedRound>)| {
            report.outcome.as_ref().and(ended.as_ref()).map_or(0, |ended| ended.bytes)
        };
        let bytes = std::iter::zip(&report.rounds, &rounds).map(counts).sum();
        (report, bytes)
    }
}
