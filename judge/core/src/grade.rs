//! The results of grading as data, from which every report format is written. Deterministic except
//! for [`Timing`].

use serde::{Deserialize, Serialize};

use crate::{
    Blame, Digest, Explanation, FailureTrace, Fault, Fingerprint, Limits, Points, PointsCurve,
    RoundResult, Seat, Seed, Verdict, digest,
};

/// A graded module, with its name and author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotIdentity {
    /// The displayed name: its file's name without the ending.
    pub name: String,
    /// SHA-256 of the module.
    pub sha256: Digest,
    /// The author in its manifest; claimed, not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
}

/// The reason why a module was not played, or why its rounds do not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// Invalid module, or Time or Output limit exceeded by the whole submission.
    pub verdict: Verdict,
    /// The bot.
    pub blame: Blame,
    /// The reason and a hint; one text in files.
    #[serde(rename = "detail")]
    pub why: Explanation,
    /// The part of it that students see, if rounds of hidden testcases may have caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<Shows>,
}

impl Refused {
    /// A module that intake refuses, with the reason.
    pub fn new(why: Explanation) -> Refused {
        Refused { verdict: Verdict::InvalidModule, blame: Blame::Bot, why, shows: None }
    }

    /// The displayed verdict.
    pub fn label(&self) -> &'static str {
        match self.verdict {
            Verdict::BelowThreshold => NOT_PASSED,
            verdict => verdict.label(),
        }
    }

    /// True if the module was played, and exceeded the bounds of a submission.
    pub fn is_beyond_bounds(&self) -> bool {
        self.blame == Blame::Bot && self.verdict != Verdict::InvalidModule
    }
}

/// One round of a testcase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundReport {
    /// Round within the testcase, counted from 1.
    pub round: u32,
    /// Its seed.
    pub seed: Seed,
    /// Accepted, or the failure.
    pub verdict: Verdict,
    /// The party to blame for a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// The bot's score; 0 after its own fault.
    pub score: i64,
    /// The opponent's score.
    pub opponent_score: i64,
    /// The result. None for a round that was not played because the testcase's time was already
    /// used up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<RoundResult>,
    /// The failure that ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Fuel of calls that returned; all the remaining fuel, if it ran out.
    pub fuel: u64,
    /// Fuel of the most expensive call.
    pub max_call_fuel: u64,
    /// Lines sent to the bot.
    pub calls: u32,
    /// Most memory that the bot held, in bytes.
    pub peak_memory_bytes: u64,
    /// Digest of the round's record; none for a round that was not played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

/// The part of hidden testcases that students see: `shows` in `[hidden]` of `suite.toml`. A bot can
/// encode a hidden round's content in these results by its choice of moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shows {
    /// The total points of all of them.
    Points,
    /// For each, whether it passed.
    #[default]
    Passed,
    /// For each, the verdict and the score.
    Verdict,
}

impl Shows {
    /// All values, ordered by how much they show.
    pub const ALL: [Shows; 3] = [Shows::Points, Shows::Passed, Shows::Verdict];

    /// The name in `suite.toml`.
    pub fn name(self) -> &'static str {
        match self {
            Shows::Points => "points",
            Shows::Passed => "passed",
            Shows::Verdict => "verdict",
        }
    }
}

/// One testcase, graded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestcaseReport {
    /// Its file's name without the ending: `01-warm-up`.
    pub name: String,
    /// One line of text.
    pub title: String,
    /// Name of the game.
    pub game: String,
    /// The opponent.
    pub opponent: String,
    /// The bot's seat.
    pub seat: Seat,
    /// SHA-256 of the testcase's file.
    pub sha256: Digest,
    /// Accepted, Below threshold, or the fault of the first failed round.
    pub verdict: Verdict,
    /// The party to blame for a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blame: Option<Blame>,
    /// One line about the verdict.
    pub detail: String,
    /// Sum of the rounds' scores.
    pub score: i64,
    /// The threshold.
    pub min_score: i64,
    /// Points earned.
    pub points: Points,
    /// Maximum points.
    pub max_points: Points,
    /// The part of the maximum points that is extra credit.
    #[serde(default, skip_serializing_if = "Points::is_zero")]
    pub extra: Points,
    /// Factor that is already included in all these points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<Points>,
    /// Points by score; without it, all or nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credit: Option<PointsCurve>,
    /// True if students see only the points.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// The part that students see of a hidden testcase. None in reports that show verdict and
    /// score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<Shows>,
    /// The limits of the bot.
    pub limits: Limits,
    /// Fuel spent over all rounds.
    pub fuel: u64,
    /// Most memory held in any round, in bytes.
    pub peak_memory_bytes: u64,
    /// The rounds, in order.
    pub rounds: Vec<RoundReport>,
    /// The command that repeats the worst round; none if the testcase passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproduce: Option<String>,
    /// The end of the failed round, for the bot's author. Neither digests nor seals cover it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<FailureTrace>,
}

impl TestcaseReport {
    /// Name of the single entry that replaces all hidden testcases, if only their sum is shown.
    pub const SUM_OF_HIDDEN: &str = "hidden testcases";

    /// True for a student's view of a hidden testcase.
    pub fn is_withheld(&self) -> bool {
        self.hidden && self.rounds.is_empty()
    }

    /// True for the sum of all hidden testcases.
    pub fn is_sum_of_hidden(&self) -> bool {
        self.is_withheld() && self.shows == Some(Shows::Points)
    }

    /// True if its verdict only says passed or not, and it has no score.
    pub fn is_masked(&self) -> bool {
        self.is_withheld() && matches!(self.shows, Some(Shows::Points | Shows::Passed))
    }

    /// The points that count towards the maximum.
    pub fn counted_points(&self) -> Points {
        self.max_points.saturating_sub(self.extra)
    }

    /// The computation of the points as text: `412 between 400 and 600, weight 2`. None if there is
    /// nothing to explain.
    pub fn worked_out(&self) -> Option<String> {
        // After a fault or a failure of the judge the score does not count.
        let by_score =
            self.credit.as_ref().filter(|_| !self.verdict.is_fault() && !self.is_masked());
        let place = by_score.map(|credit| credit.place(self.score));
        let weight = self.weight.map(|weight| format!("weight {weight}"));
        let extra = match self.extra {
            Points::ZERO => None,
            extra if extra == self.max_points => Some("extra credit".to_owned()),
            extra => Some(format!("{extra} of them extra credit")),
        };
        let parts: Vec<String> = [place, weight, extra].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The part that a digest covers, apart from the part that students see.
    fn sealed_part(&self) -> TestcaseReport {
        TestcaseReport { trace: None, ..self.clone() }
    }

    /// True if it has fields that version 1 of reports lacks.
    fn has_fine_points(&self) -> bool {
        let fractions = !self.points.is_whole() || !self.max_points.is_whole();
        fractions || !self.extra.is_zero() || self.weight.is_some() || self.credit.is_some()
    }

    /// The displayed verdict.
    pub fn label(&self) -> &'static str {
        match self.verdict {
            Verdict::Accepted if self.is_masked() => "Passed",
            Verdict::BelowThreshold if self.is_masked() => NOT_PASSED,
            verdict => verdict.label(),
        }
    }
}

/// The text instead of a verdict that is not shown.
const NOT_PASSED: &str = "Not passed";

/// One bot's results over a suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotReport {
    /// The graded bot.
    pub bot: BotIdentity,
    /// The reason why it was not played, for a refused module.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refused>,
    /// Points earned.
    pub points: Points,
    /// Maximum points, without extra credit.
    pub max_points: Points,
    /// Sum of the testcases' scores.
    pub score: i64,
    /// Number of passed testcases.
    pub passed: u32,
    /// The testcases, in the suite's order.
    pub testcases: Vec<TestcaseReport>,
    /// SHA-256 over the module's hash, the refusal and the testcases, without names.
    pub digest: Digest,
}

impl BotReport {
    /// Sums up the testcases.
    pub fn new(
        bot: BotIdentity,
        refused: Option<Refused>,
        max_points: Points,
        testcases: Vec<TestcaseReport>,
    ) -> BotReport {
        let passed = testcases.iter().filter(|case| case.verdict == Verdict::Accepted).count();
        BotReport {
            points: testcases.iter().map(|case| case.points).sum(),
            max_points,
            score: testcases.iter().map(|case| case.score).fold(0, i64::saturating_add),
            passed: passed as u32,
            digest: digest_of(&bot.sha256, refused.as_ref(), &testcases),
            bot,
            refused,
            testcases,
        }
    }

    /// The results without the traces of failures, on which no digest depends.
    #[must_use]
    pub fn without_traces(&self) -> BotReport {
        let testcases = self.testcases.iter().map(TestcaseReport::sealed_part).collect();
        BotReport { testcases, ..self.clone() }
    }

    /// Hash of the module; none for a submission without a readable module.
    pub fn module(&self) -> Option<Digest> {
        let nothing = self.refused.is_some() && self.bot.sha256 == crate::digest(&[]);
        (!nothing).then_some(self.bot.sha256)
    }

    /// The displayed worst verdict.
    pub fn worst_label(&self) -> &'static str {
        if let Some(refused) = &self.refused {
            return refused.label();
        }
        let worst = self.worst_verdict();
        let told = |case: &TestcaseReport| case.verdict == worst && !case.is_masked();
        let masked = worst == Verdict::BelowThreshold && !self.testcases.iter().any(told);
        if masked { NOT_PASSED } else { worst.label() }
    }

    /// Number of rounds in which the judge failed; one for a submission that it could not play.
    /// While there are any, the marks are preliminary.
    pub fn judge_errors(&self) -> usize {
        let refused = self.refused.iter().filter(|refused| refused.blame == Blame::Judge);
        let rounds = self.testcases.iter().flat_map(|testcase| &testcase.rounds);
        refused.count() + rounds.filter(|round| round.blame == Some(Blame::Judge)).count()
    }

    /// The worst verdict: the last one in the list of verdicts.
    pub fn worst_verdict(&self) -> Verdict {
        if let Some(fault) = &self.refused {
            return fault.verdict;
        }
        let place = |verdict: &Verdict| Verdict::ALL.iter().position(|one| one == verdict);
        let verdicts = self.testcases.iter().map(|case| case.verdict);
        verdicts.max_by_key(place).unwrap_or(Verdict::Accepted)
    }
}

/// Digest over everything that decides the result. It leaves out the bot's name, because a renamed
/// file is the same bot, the part that students see, and traces.
fn digest_of(module: &Digest, refused: Option<&Refused>, testcases: &[TestcaseReport]) -> Digest {
    #[derive(Serialize)]
    struct Sealed<'a> {
        module: &'a Digest,
        refused: Option<Refused>,
        testcases: Vec<TestcaseReport>,
    }
    let refused = refused.map(|refused| Refused { shows: None, ..refused.clone() });
    let bare = |case: &TestcaseReport| TestcaseReport { shows: None, ..case.sealed_part() };
    let sealed = Sealed { module, refused, testcases: testcases.iter().map(bare).collect() };
    let json = serde_json::to_vec(&sealed).expect("reports hold nothing that JSON cannot");
    digest(&json)
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
    /// Number of concurrent worker processes.
    pub workers: u32,
}

/// A whole run of `judge grade`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradeReport {
    /// Version of this format.
    pub version: u32,
    /// The versions and settings of the grading.
    pub fingerprint: Fingerprint,
    /// Name of the suite.
    pub suite: String,
    /// One line of text.
    pub title: String,
    /// One entry per bot, in the order of the command line.
    pub bots: Vec<BotReport>,
    /// SHA-256 over everything except `timing` and each `trace`, including names and titles. It shows
    /// edits of a report, but can be forged; `judge verify` plays the rounds again.
    pub seal: Digest,
    /// Wall-clock figures.
    pub timing: Timing,
}

impl GradeReport {
    /// Newest version of the JSON, with fractions of points, weights, extra credit and points by
    /// score. Reports without these are written in the previous version.
    pub const VERSION: u32 = 2;

    /// Version of the JSON without these.
    pub const WHOLE_POINTS: u32 = 1;

    /// The lowest version that supports its content.
    fn fitting_version(&self) -> u32 {
        let fine = |bot: &BotReport| {
            !bot.max_points.is_whole() || bot.testcases.iter().any(TestcaseReport::has_fine_points)
        };
        if self.bots.iter().any(fine) { GradeReport::VERSION } else { GradeReport::WHOLE_POINTS }
    }

    /// Sets the version and the seal that fit the content.
    pub fn sealed(mut self) -> GradeReport {
        self.version = self.fitting_version();
        self.seal = digest(&[]);
        let sealed = GradeReport { timing: Timing::default(), ..self.without_traces() };
        let json = serde_json::to_vec(&sealed).expect("reports hold nothing that JSON cannot");
        GradeReport { seal: digest(&json), ..self }
    }

    /// The report without the traces of failures, on which no seal depends.
    #[must_use]
    pub fn without_traces(&self) -> GradeReport {
        GradeReport {
            bots: self.bots.iter().map(BotReport::without_traces).collect(),
            ..self.clone()
        }
    }
}
