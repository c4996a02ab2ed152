//! Progress of a submission's grading, as far as its author may see it.

use judge_core::{Event, Listener};
use serde::Serialize;

/// Progress of a grading.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Finished rounds of open testcases.
    pub done: u64,
    /// Rounds of open testcases.
    pub total: u64,
    /// Decided open testcases, in the suite's order.
    pub cases: Vec<CaseNews>,
    /// True once the result is stored.
    pub finished: bool,
}

/// A decided testcase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseNews {
    /// Its name.
    pub name: String,
    /// The verdict in words.
    pub verdict: String,
    /// True if it was passed.
    pub passed: bool,
}

/// A listener that keeps the progress up to date and forwards it. It is behind
/// [`judge_runner::grade::ForStudent`], so events of hidden rounds never reach it.
pub struct Follower<F: FnMut(&Progress)> {
    progress: Progress,
    tell: F,
}

impl<F: FnMut(&Progress)> Follower<F> {
    /// A follower that forwards each new state to a function.
    pub fn new(tell: F) -> Follower<F> {
        Follower { progress: Progress::default(), tell }
    }
}

impl<F: FnMut(&Progress)> Listener for Follower<F> {
    fn event(&mut self, event: &Event) -> std::io::Result<()> {
        match event {
            Event::Started { total, .. } => self.progress.total = total.unwrap_or_default(),
            Event::RoundFinished { .. } => {
                // A round may be played again with the remaining budget, so the count is capped.
                self.progress.done = (self.progress.done + 1).min(self.progress.total);
            }
            Event::TestcaseDecided { report, .. } => self.progress.cases.push(CaseNews {
                name: report.name.clone(),
                verdict: report.label().to_owned(),
                passed: report.verdict == judge_core::Verdict::Accepted,
            }),
            _ => return Ok(()),
        }
        (self.tell)(&self.progress);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{RoundPlace, Seed, Unit};

    use super::*;

    #[test]
    fn progress_never_exceeds_the_number_of_rounds() {
        let mut told = Vec::new();
        let mut follower = Follower::new(|progress: &Progress| told.push(progress.clone()));
        let round = RoundPlace {
            submission: "ada".to_owned(),
            opponent: "random".to_owned(),
            testcase: None,
            round: 1,
            seed: Seed(7),
        };
        let started = Event::Started { unit: Unit::Rounds, total: Some(2) };
        let finished = Event::RoundFinished { round, result: None };
        for event in [&started, &finished, &finished, &finished, &Event::Finished] {
            follower.event(event).expect("it is heard");
        }
        let done: Vec<u64> = told.iter().map(|progress| progress.done).collect();
        assert_eq!(done, [0, 1, 2, 2]);
        let json = serde_json::to_string(told.last().expect("some")).expect("JSON");
        assert!(!json.contains('7'), "no seed: {json}");
    }
}
