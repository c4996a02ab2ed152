//! The results of grading, as data: what every report format is written from.
//! Deterministic but for what stands under [`Timing`].

use serde::{Deserialize, Serialize};

use crate::{Blame, Digest, Fault, Fingerprint, Limits, Outcome, Seat, Seed, Verdict, digest};

/// A graded module and what it says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotIdentity {
    /// The name it is shown by: its file's name without the ending.
    pub name: String,
    /// SHA-256 of the module.
    pub sha256: Digest,
    /// The author in its manifest; claimed, not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
}

/// Why a module was not played at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// Invalid module.
    pub verdict: Verdict,
    /// The bot.
    pub blame: Blame,
    /// The reason, and on a second line a hint.
    pub detail: String,
}

impl Refused {
    /// A module that intake refuses, with the reason.
    pub fn new(detail: String) -> Refused {
        Refused { verdict: Verdict::InvalidModule, blame: Blame::Bot, detail }
    }
}

/// One round of a testcase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundReport {
    /// Round within the testcase, counted from 1.
    pub round: u32,
    /// Its seed.
    pub seed: Seed,
    /// Accepted, or what went wrong.
    pub verdict: Verdict,
    /// Who answers for a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// What the bot scored; 0 after its own fault.
    pub score: i64,
    /// What the opponent scored.
    pub opponent_score: i64,
    /// How it ended. None for a round that was not played because the testcase's time was
    /// spent before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The failure that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Fuel that the bot spent in calls that returned; all that was left, when it ran out.
    pub fuel: u64,
    /// The dearest single call.
    pub max_call_fuel: u64,
    /// Lines sent to the bot.
    pub calls: u32,
    /// Most memory that the bot held, in bytes.
    pub peak_memory_bytes: u64,
    /// Digest of the round's record; none for a round that was not played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

/// One testcase, graded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestcaseReport {
    /// Its file's name without the ending: `01-warm-up`.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// Name of the game.
    pub game: String,
    /// Who was played against.
    pub opponent: String,
    /// The bot's seat.
    pub seat: Seat,
    /// SHA-256 of the testcase's file.
    pub sha256: Digest,
    /// Accepted, Below threshold, or the first round's fault.
    pub verdict: Verdict,
    /// Who answers for a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// One line on the verdict.
    pub detail: String,
    /// Sum of the rounds' scores.
    pub score: i64,
    /// The threshold.
    pub min_score: i64,
    /// Points earned.
    pub points: u32,
    /// Points on offer.
    pub max_points: u32,
    /// Whether students are told only what it earned them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// What the bot was allowed.
    pub limits: Limits,
    /// Fuel spent over all rounds.
    pub fuel: u64,
    /// Most memory held in any round, in bytes.
    pub peak_memory_bytes: u64,
    /// The rounds, in order.
    pub rounds: Vec<RoundReport>,
    /// The command that repeats the worst round; none when the testcase was passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproduce: Option<String>,
}

impl TestcaseReport {
    /// The report as a student may see it: of a hidden testcase the verdict, score and points, and
    /// nothing that tells of its rounds.
    pub fn for_student(&self) -> TestcaseReport {
        if !self.hidden {
            return self.clone();
        }
        TestcaseReport {
            detail: "hidden".to_owned(),
            // The hash of a file with seeds that can be guessed would tell who guessed right.
            sha256: digest(b"hidden"),
            fuel: 0,
            peak_memory_bytes: 0,
            rounds: Vec::new(),
            reproduce: None,
            ..self.clone()
        }
    }

    /// Whether this is what a student may see of a hidden testcase.
    pub fn is_withheld(&self) -> bool {
        self.hidden && self.rounds.is_empty()
    }
}

/// One bot's results over a suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotReport {
    /// Who was graded.
    pub bot: BotIdentity,
    /// Why it was not played at all, for a module that was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refused>,
    /// Points earned.
    pub points: u32,
    /// Points on offer.
    pub max_points: u32,
    /// Sum of the testcases' scores.
    pub score: i64,
    /// How many testcases were passed.
    pub passed: u32,
    /// The testcases, in the suite's order.
    pub testcases: Vec<TestcaseReport>,
    /// SHA-256 over the module's hash, the refusal and the testcases; names stay out.
    pub digest: Digest,
}

impl BotReport {
    /// Whether the judge failed with it, in any round: then its marks are not final.
    pub fn judge_failed(&self) -> bool {
        let refused = self.refused.as_ref().is_some_and(|refused| refused.blame == Blame::Judge);
        let mut rounds = self.testcases.iter().flat_map(|testcase| &testcase.rounds);
        refused || rounds.any(|round| round.blame == Some(Blame::Judge))
    }

    /// The worst that happened: the verdict that stands furthest down the list of verdicts.
    pub fn worst_verdict(&self) -> Verdict {
        if let Some(fault) = &self.refused {
            return fault.verdict;
        }
        let place = |verdict: &Verdict| Verdict::ALL.iter().position(|one| one == verdict);
        let verdicts = self.testcases.iter().map(|case| case.verdict);
        verdicts.max_by_key(place).unwrap_or(Verdict::Accepted)
    }
}

/// Wall-clock figures: the only part of a report that differs from run to run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// From the first worker's start to the last result, in microseconds.
    pub wall_us: u64,
    /// Starting worker processes and compiling, summed over workers, in microseconds.
    pub start_up_us: u64,
    /// Inside the bots, summed over workers, in microseconds.
    pub bot_us: u64,
    /// The judge's own work in the rounds, summed over workers, in microseconds.
    pub judge_us: u64,
    /// Worker processes that were allowed at a time.
    pub workers: u32,
}

/// A whole run of `judge grade`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradeReport {
    /// Version of this format.
    pub version: u32,
    /// What it was graded with.
    pub fingerprint: Fingerprint,
    /// Name of the suite.
    pub suite: String,
    /// One line for people.
    pub title: String,
    /// One entry per bot, in the order of the command line.
    pub bots: Vec<BotReport>,
    /// SHA-256 over all of this but `timing`, names and titles included: shows that a report was
    /// changed by hand. Whoever wants to can compute another; `judge verify` plays again.
    pub seal: Digest,
    /// The wall clock's part.
    pub timing: Timing,
}

impl GradeReport {
    /// Version of the JSON written by this judge.
    pub const VERSION: u32 = 1;

    /// The report with the seal that fits the rest of it.
    pub fn sealed(mut self) -> GradeReport {
        self.seal = digest(&[]);
        let timing = std::mem::take(&mut self.timing);
        let json = serde_json::to_vec(&self).expect("reports hold nothing that JSON cannot");
        GradeReport { seal: digest(&json), timing, ..self }
    }
}
