//! Events that students may see.

use std::collections::BTreeSet;
use std::io;

use judge_core::{Event, Listener, RoundPlace};
use judge_grading::Suite;

/// A listener that hides hidden testcases from students: their events while they are played, and in
/// the results everything that the suite does not show.
pub struct ForStudent<'a> {
    inner: &'a mut dyn Listener,
    hidden: BTreeSet<String>,
    /// Number of rounds of open testcases, and of all rounds.
    rounds: [u64; 2],
}

impl<'a> ForStudent<'a> {
    /// Creates a listener that forwards to `inner` the events of a run on that suite that students
    /// may see.
    pub fn new(inner: &'a mut dyn Listener, suite: &Suite) -> ForStudent<'a> {
        let hidden = suite.testcases.iter().filter(|testcase| testcase.hidden);
        let rounds = |all: bool| {
            let counted = suite.testcases.iter().filter(|testcase| all || !testcase.hidden);
            counted.map(|testcase| testcase.seeds.len() as u64).sum()
        };
        ForStudent {
            inner,
            hidden: hidden.map(|testcase| testcase.name.clone()).collect(),
            rounds: [rounds(false), rounds(true)],
        }
    }

    fn is_hidden(&self, round: &RoundPlace) -> bool {
        round.testcase.as_ref().is_some_and(|name| self.hidden.contains(name))
    }

    /// Number of rounds to report. Every submission that is played plays all testcases.
    fn visible_rounds(&self, total: u64) -> u64 {
        let [open, all] = self.rounds;
        total / all.max(1) * open
    }
}

impl Listener for ForStudent<'_> {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Started { unit, total } => {
                let total = total.map(|total| self.visible_rounds(total));
                self.inner.event(&Event::Started { unit: *unit, total })
            }
            Event::RoundStarted { round } | Event::RoundFinished { round, .. }
                if self.is_hidden(round) =>
            {
                Ok(())
            }
            // A shown sum may include this result, so it is reported with the others.
            Event::TestcaseDecided { report, .. } if report.hidden => Ok(()),
            Event::SubmissionDecided { report } => {
                let report = Box::new(report.for_student());
                self.inner.event(&Event::SubmissionDecided { report })
            }
            Event::Graded { report } => {
                let report = Box::new(report.for_student().into_report());
                self.inner.event(&Event::Graded { report })
            }
            _ => self.inner.event(event),
        }
    }
}

#[cfg(test)]
mod tests {
    use judge_core::{RoundOutcome, Seed, Shows, Unit, Verdict};

    use super::*;

    /// Returns a suite with a hidden last testcase.
    fn suite() -> Suite {
        let mut suite =
            crate::base::bundled::suite("mahjong").expect("it is bundled").expect("whole");
        let last = suite.testcases.last_mut().expect("a testcase");
        (last.hidden, last.shows) = (true, Shows::Passed);
        suite
    }

    fn rounds_of(testcase: &str, score: i64) -> [Event; 2] {
        let round = RoundPlace {
            submission: "ada".to_owned(),
            opponent: "random".to_owned(),
            testcase: Some(testcase.to_owned()),
            round: 1,
            seed: Seed(7),
        };
        let outcome =
            RoundOutcome { verdict: Verdict::Accepted, score, opponent_score: 1, fuel: 1000 };
        let result = Some(outcome);
        [Event::RoundStarted { round: round.clone() }, Event::RoundFinished { round, result }]
    }

    fn heard(suite: &Suite, events: &[Event]) -> Vec<Event> {
        let mut heard = Vec::new();
        let mut listener = |event: &Event| {
            heard.push(event.clone());
            Ok(())
        };
        let mut student = ForStudent::new(&mut listener, suite);
        for event in events {
            student.event(event).expect("it is heard");
        }
        heard
    }

    #[test]
    fn students_get_all_events_of_open_and_none_of_hidden_rounds() {
        let suite = suite();
        let (first, last) = (&suite.testcases[0].name, &suite.testcases.last().unwrap().name);
        let open = rounds_of(first, 5);
        assert_eq!(heard(&suite, &open), open);
        assert_eq!(heard(&suite, &rounds_of(last, 5)), []);
    }

    #[test]
    fn the_total_counts_only_open_rounds() {
        let suite = suite();
        let rounds = |testcase: &judge_grading::Testcase| testcase.seeds.len() as u64;
        let all: u64 = suite.testcases.iter().map(rounds).sum();
        let hidden = rounds(suite.testcases.last().unwrap());
        let started = |total| Event::Started { unit: Unit::Rounds, total: Some(total) };
        assert_eq!(heard(&suite, &[started(3 * all)]), [started(3 * (all - hidden))]);
    }
}
