//! Events of a run: one stream of owned, serialisable values. Progress bars, reports, live pages
//! and workers on other machines can all be fed from it.

use std::io;

use serde::{Deserialize, Serialize};

use crate::{BotReport, GradeReport, Seed, TestcaseReport, Verdict};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// Work begins.
    Started {
        /// The unit of the counts from now on.
        unit: Unit,
        /// The largest possible total, where it is known.
        total: Option<u64>,
    },
    /// A round is about to be played. Rounds begin and finish in any order.
    RoundStarted {
        /// Which one.
        round: RoundPlace,
    },
    /// A round was played, found among those played before, or passed over as needless.
    RoundFinished {
        /// Which one.
        round: RoundPlace,
        /// The result; none if it was passed over.
        result: Option<RoundOutcome>,
    },
    /// All rounds of a testcase are in; the testcases of a submission come in the suite's order.
    TestcaseDecided {
        /// The submission's name.
        submission: String,
        /// Its result.
        report: Box<TestcaseReport>,
    },
    /// A submission is done; submissions of one `judge grade` come in the order that they were named
    /// in, those of a course as they are done.
    SubmissionDecided {
        /// Its result.
        report: Box<BotReport>,
    },
    /// All submissions are done.
    Graded {
        /// The whole result.
        report: Box<GradeReport>,
    },
    /// Progress of work that is not counted in rounds.
    Progress {
        /// Units done so far, of those in [`Event::Started`].
        done: u64,
        /// The present standing.
        standing: Option<ProgressStanding>,
    },
    /// Something worth knowing that changes no result.
    Note {
        /// One line for people.
        text: String,
    },
    /// A warning: the results may not be the intended ones.
    Warning {
        /// One line for people.
        text: String,
    },
    /// The end: everything is done and written.
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
    /// Games that are recorded or learned from.
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

/// Which round is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPlace {
    /// The submission's name; in a match the first player's.
    pub submission: String,
    /// The opponent.
    pub opponent: String,
    /// The testcase's name, where there are testcases.
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
    /// The fault that ended it; Accepted if there was none.
    pub verdict: Verdict,
    /// Its score.
    pub score: i64,
    /// Its opponent's score.
    pub opponent_score: i64,
    /// Fuel that it spent.
    pub fuel: u64,
}

/// The standing of work under way. Nothing that is kept or decided depends on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProgressStanding {
    /// Of a match.
    Match {
        /// Pairs by what the first player has out of both rounds: 0, ½, 1, 1½ and 2 points.
        pairs: [u64; 5],
        /// The progress of a sequential test, if there is one.
        test: Option<TestStanding>,
    },
    /// Of a training.
    Training {
        /// States that the table has by now.
        states: u64,
    },
}

/// The progress of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TestStanding {
    /// The logarithm of the likelihood ratio.
    pub log_ratio: f64,
    /// The bounds at which it is decided for H0 and for H1.
    pub bounds: [f64; 2],
}

/// A receiver of events.
pub trait Listener {
    /// Takes the next event.
    ///
    /// # Errors
    /// When the event cannot be passed on. The run ends at once, and says so.
    fn event(&mut self, event: &Event) -> io::Result<()>;
}

impl<F: FnMut(&Event) -> io::Result<()>> Listener for F {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        self(event)
    }
}

/// A listener that ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

impl Listener for Nobody {
    fn event(&mut self, _: &Event) -> io::Result<()> {
        Ok(())
    }
}
