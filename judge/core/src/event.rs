//! Events of a run: one stream of owned, serialisable values, for progress bars, reports, live
//! pages and workers on other machines.

use std::io;

use serde::{Deserialize, Serialize};

use crate::{BotReport, GradeReport, Seed, TestcaseReport, Verdict};

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// Work begins.
    Started {
        /// The unit of the counts from now on.
        unit: Unit,
        /// The largest possible total, if known.
        total: Option<u64>,
    },
    /// A round is about to be played. Rounds begin and finish in any order.
    RoundStarted {
        /// The round.
        round: RoundPlace,
    },
    /// A round was played, was found among earlier rounds, or was skipped as needless.
    RoundFinished {
        /// The round.
        round: RoundPlace,
        /// The result; none if it was skipped.
        result: Option<RoundOutcome>,
    },
    /// All rounds of a testcase are complete. Testcases of a submission come in the suite's order.
    TestcaseDecided {
        /// The submission's name.
        submission: String,
        /// Its result.
        report: Box<TestcaseReport>,
    },
    /// A submission is complete. For `judge grade` they come in the order of the command line, in a
    /// course in the order of completion.
    SubmissionDecided {
        /// Its result.
        report: Box<BotReport>,
    },
    /// All submissions are complete.
    Graded {
        /// The whole result.
        report: Box<GradeReport>,
    },
    /// Progress of work that is not counted in rounds.
    Progress {
        /// Completed units, out of the total in [`Event::Started`].
        done: u64,
        /// The current intermediate result.
        standing: Option<ProgressResult>,
    },
    /// A remark that changes no result.
    Note {
        /// One line of text.
        text: String,
    },
    /// A warning: the results may not be the intended ones.
    Warning {
        /// One line of text.
        text: String,
    },
    /// The end: everything is complete and written.
    Finished,
}

/// The unit of a run's progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Rounds against an opponent.
    Rounds,
    /// Pairs of rounds with the same luck, the seats swapped.
    Pairs,
    /// Games to record or to learn from.
    Games,
    /// Cases of the hostile corpus, or vectors.
    Cases,
    /// Positions of a game's tree.
    Positions,
}

impl Unit {
    /// The plural noun: `rounds`.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Rounds => "rounds",
            Unit::Pairs => "pairs",
            Unit::Games => "games",
            Unit::Cases => "cases",
            Unit::Positions => "positions",
        }
    }
}

/// Identifies a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPlace {
    /// The submission's name; in a match, the first player's.
    pub submission: String,
    /// The opponent.
    pub opponent: String,
    /// The testcase's name, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub testcase: Option<String>,
    /// Its number within the testcase or match, counted from 1.
    pub round: u64,
    /// Its seed.
    pub seed: Seed,
}

/// The result of a round, for the submission or the first player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundOutcome {
    /// The fault that ended it, or Accepted.
    pub verdict: Verdict,
    /// Its score.
    pub score: i64,
    /// Its opponent's score.
    pub opponent_score: i64,
    /// Fuel that it used.
    pub fuel: u64,
}

/// The intermediate result of current work. No stored result or decision depends on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProgressResult {
    /// A match.
    Match {
        /// Pairs by the first player's points in both rounds: 0, ½, 1, 1½ and 2.
        pairs: [u64; 5],
        /// The progress of a sequential test, if there is one.
        test: Option<TestProgress>,
    },
    /// A training run.
    Training {
        /// Number of states in the table.
        states: u64,
    },
}

/// The progress of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TestProgress {
    /// The logarithm of the likelihood ratio.
    pub log_ratio: f64,
    /// The bounds that decide for H0 and for H1.
    pub bounds: [f64; 2],
}

/// A receiver of events.
pub trait Listener {
    /// Takes the next event.
    ///
    /// # Errors
    /// When the event cannot be delivered. The run ends at once with this error.
    fn event(&mut self, event: &Event) -> io::Result<()>;
}

impl<F: FnMut(&Event) -> io::Result<()>> Listener for F {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self(event)
    }
}

/// A listener that ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct IgnoreEvents;

impl Listener for IgnoreEvents {
    fn event(&mut self, _: &Event) -> io::Result<()> {
        Ok(())
    }
}
