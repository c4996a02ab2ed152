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

/// What students are told of hidden testcases: `shows` in `[hidden]` of `suite.toml`. Whoever
/// chooses what a bot does with what it sees can send as much out of a hidden round as this tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shows {
    /// The points of all of them together.
    Points,
    /// Of each whether it was passed.
    #[default]
    Passed,
    /// Of each the verdict and the score.
    Verdict,
}

impl Shows {
    /// All of them, from the least to the most that is told.
    pub const ALL: [Shows; 3] = [Shows::Points, Shows::Passed, Shows::Verdict];

    /// What it is called in `suite.toml`.
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
    /// How much they are told, for a hidden testcase. None in reports of judges that told verdict
    /// and score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<Shows>,
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
    /// Name of the one entry in the place of all hidden testcases, where only their sum is told.
    pub const SUM_OF_HIDDEN: &str = "hidden testcases";

    /// Whether this is what a student may see of a hidden testcase.
    pub fn is_withheld(&self) -> bool {
        self.hidden && self.rounds.is_empty()
    }

    /// Whether it stands for all hidden testcases together.
    pub fn is_sum_of_hidden(&self) -> bool {
        self.is_withheld() && self.shows == Some(Shows::Points)
    }

    /// Whether its verdict says no more than passed or not, and it has no score.
    pub fn is_masked(&self) -> bool {
        self.is_withheld() && matches!(self.shows, Some(Shows::Points | Shows::Passed))
    }

    /// The verdict in words, as far as it is told.
    pub fn label(&self) -> &'static str {
        match self.verdict {
            Verdict::Accepted if self.is_masked() => "Passed",
            Verdict::BelowThreshold if self.is_masked() => NOT_PASSED,
            verdict => verdict.label(),
        }
    }

    /// How much a student is told of it. A report of an older judge that has no rounds any more
    /// told the verdict.
    fn told(&self) -> Shows {
        let older = if self.rounds.is_empty() { Shows::Verdict } else { Shows::default() };
        self.shows.unwrap_or(older)
    }

    /// A hidden testcase without what tells of its rounds.
    fn withheld(&self) -> TestcaseReport {
        TestcaseReport {
            detail: "hidden".to_owned(),
            // The hash of a file with seeds that can be guessed would tell who guessed right.
            sha256: digest(b"hidden"),
            fuel: 0,
            peak_memory_bytes: 0,
            rounds: Vec::new(),
            reproduce: None,
            shows: self.shows.map(|_| self.told()),
            ..self.clone()
        }
    }

    /// A hidden testcase of which only is told whether it was passed. That the judge failed is told
    /// as well: it counts against nobody.
    fn masked(&self) -> TestcaseReport {
        let verdict = match self.verdict {
            Verdict::Accepted | Verdict::JudgeError => self.verdict,
            _ => Verdict::BelowThreshold,
        };
        let blame = (verdict == Verdict::JudgeError).then_some(Blame::Judge);
        let shows = Some(self.told());
        TestcaseReport { verdict, blame, score: 0, shows, ..self.withheld() }
    }

    /// All hidden testcases of a suite as one.
    fn sum_of_hidden(cases: &[&TestcaseReport]) -> Option<TestcaseReport> {
        let first = cases.first()?;
        let title = match cases {
            [one] if one.is_sum_of_hidden() => one.title.clone(),
            [_] => "1 testcase".to_owned(),
            several => format!("{} testcases", several.len()),
        };
        let sum = |pick: fn(&TestcaseReport) -> u32| {
            cases.iter().map(|case| pick(case)).fold(0, u32::saturating_add)
        };
        let (points, max_points) = (sum(|case| case.points), sum(|case| case.max_points));
        let failed = cases.iter().any(|case| case.verdict == Verdict::JudgeError);
        let verdict = match failed {
            true => Verdict::JudgeError,
            false if points == max_points => Verdict::Accepted,
            false => Verdict::BelowThreshold,
        };
        let case = TestcaseReport { verdict, shows: Some(Shows::Points), ..first.masked() };
        Some(TestcaseReport {
            name: TestcaseReport::SUM_OF_HIDDEN.to_owned(),
            title,
            opponent: String::new(),
            seat: Seat::One,
            blame: failed.then_some(Blame::Judge),
            min_score: 0,
            points,
            max_points,
            limits: Limits::COURSE,
            ..case
        })
    }
}

/// What stands in the place of a verdict that is not told.
const NOT_PASSED: &str = "Not passed";

/// The testcases as a student may see them.
fn for_student(testcases: &[TestcaseReport]) -> Vec<TestcaseReport> {
    let in_sum = |case: &&TestcaseReport| case.hidden && case.told() == Shows::Points;
    let single = testcases.iter().filter(|case| !in_sum(case)).map(|case| match case.told() {
        _ if !case.hidden => case.clone(),
        Shows::Verdict => case.withheld(),
        Shows::Passed | Shows::Points => case.masked(),
    });
    let summed: Vec<&TestcaseReport> = testcases.iter().filter(in_sum).collect();
    single.chain(TestcaseReport::sum_of_hidden(&summed)).collect()
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
    /// Sums the testcases up.
    pub fn new(
        bot: BotIdentity,
        refused: Option<Refused>,
        max_points: u32,
        testcases: Vec<TestcaseReport>,
    ) -> BotReport {
        let passed = testcases.iter().filter(|case| case.verdict == Verdict::Accepted).count();
        BotReport {
            points: testcases.iter().map(|case| case.points).fold(0, u32::saturating_add),
            max_points,
            score: testcases.iter().map(|case| case.score).fold(0, i64::saturating_add),
            passed: passed as u32,
            digest: digest_of(&bot.sha256, refused.as_ref(), &testcases),
            bot,
            refused,
            testcases,
        }
    }

    /// The results as the bot's author may see them: nothing of the rounds of hidden testcases, and
    /// no sum in which they are. The digest is that of what is left.
    pub fn for_student(&self) -> BotReport {
        if !self.testcases.iter().any(|case| case.hidden) {
            return self.clone();
        }
        let (bot, refused) = (self.bot.clone(), self.refused.clone());
        BotReport::new(bot, refused, self.max_points, for_student(&self.testcases))
    }

    /// The worst that happened, in words, as far as it is told.
    pub fn worst_label(&self) -> &'static str {
        let worst = self.worst_verdict();
        let told = |case: &TestcaseReport| case.verdict == worst && !case.is_masked();
        let masked = worst == Verdict::BelowThreshold && !self.testcases.iter().any(told);
        if masked { NOT_PASSED } else { worst.label() }
    }

    /// How many rounds the judge failed in; one for a submission that it could not play at all.
    /// While there are any, the marks are not final.
    pub fn judge_errors(&self) -> usize {
        let refused = self.refused.iter().filter(|refused| refused.blame == Blame::Judge);
        let rounds = self.testcases.iter().flat_map(|testcase| &testcase.rounds);
        refused.count() + rounds.filter(|round| round.blame == Some(Blame::Judge)).count()
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

/// Digest over what decides the result. The bot's name stays out, as a renamed file is the same bot,
/// and so does how much of it is told.
fn digest_of(module: &Digest, refused: Option<&Refused>, testcases: &[TestcaseReport]) -> Digest {
    #[derive(Serialize)]
    struct Sealed<'a> {
        module: &'a Digest,
        refused: Option<&'a Refused>,
        testcases: Vec<TestcaseReport>,
    }
    let bare = |case: &TestcaseReport| TestcaseReport { shows: None, ..case.clone() };
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

    /// The report as students may see it.
    pub fn for_student(&self) -> GradeReport {
        if !self.bots.iter().flat_map(|bot| &bot.testcases).any(|case| case.hidden) {
            return self.clone();
        }
        let bots = self.bots.iter().map(BotReport::for_student).collect();
        // The clock's sums hold the hidden rounds.
        GradeReport { bots, timing: Timing::default(), ..self.clone() }.sealed()
    }

    /// The report with the seal that fits the rest of it.
    pub fn sealed(mut self) -> GradeReport {
        self.seal = digest(&[]);
        let timing = std::mem::take(&mut self.timing);
        let json = serde_json::to_vec(&self).expect("reports hold nothing that JSON cannot");
        GradeReport { seal: digest(&json), timing, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(name: &str, verdict: Verdict, shows: Option<Shows>) -> TestcaseReport {
        TestcaseReport {
            name: name.to_owned(),
            title: "x".to_owned(),
            game: "mahjong".to_owned(),
            opponent: "random".to_owned(),
            seat: Seat::Two,
            sha256: digest(name.as_bytes()),
            verdict,
            blame: verdict.is_fault().then_some(Blame::Bot),
            detail: format!("why {verdict}"),
            score: 77,
            min_score: 50,
            points: if verdict == Verdict::Accepted { 10 } else { 0 },
            max_points: 10,
            hidden: shows.is_some(),
            shows,
            limits: Limits::COURSE,
            fuel: 5,
            peak_memory_bytes: 6,
            rounds: vec![RoundReport {
                round: 1,
                seed: Seed(7),
                verdict,
                blame: None,
                score: 77,
                opponent_score: 0,
                outcome: None,
                fault: None,
                fuel: 5,
                max_call_fuel: 5,
                calls: 1,
                peak_memory_bytes: 6,
                digest: None,
            }],
            reproduce: Some("--seed 7".to_owned()),
        }
    }

    fn bot(testcases: Vec<TestcaseReport>) -> BotReport {
        let bot = BotIdentity { name: "ada".into(), sha256: digest(b"ada"), author: None };
        BotReport::new(bot, None, 10 * testcases.len() as u32, testcases)
    }

    #[test]
    fn every_way_to_fail_is_the_same_for_students() {
        let of = |verdict, shows| {
            let open = case("01-open", Verdict::Accepted, None);
            bot(vec![open, case("02-hidden", verdict, Some(shows))]).for_student()
        };
        let failures = Verdict::ALL.into_iter().filter(|verdict| {
            !matches!(verdict, Verdict::Accepted | Verdict::JudgeError | Verdict::BelowThreshold)
        });
        for verdict in failures {
            for shows in [Shows::Passed, Shows::Points] {
                assert_eq!(of(verdict, shows), of(Verdict::BelowThreshold, shows), "{verdict}");
            }
            assert_eq!(of(verdict, Shows::Verdict).worst_label(), verdict.label());
        }
        let shown = of(Verdict::RuntimeError, Shows::Passed);
        assert_eq!((shown.score, shown.points, shown.worst_label()), (77, 10, "Not passed"));
        assert_eq!(shown.testcases[1].label(), "Not passed");
    }

    #[test]
    fn what_students_see_shows_no_less_and_no_more_when_it_is_shown_again() {
        for shows in Shows::ALL {
            let hidden = |name, verdict| case(name, verdict, Some(shows));
            let whole = bot(vec![
                hidden("01", Verdict::Accepted),
                hidden("02", Verdict::TimeLimitExceeded),
                hidden("03", Verdict::JudgeError),
            ]);
            let shown = whole.for_student();
            assert_eq!(shown.for_student(), shown, "{shows:?}");
            assert_eq!((shown.points, shown.max_points), (10, 30));
            assert_eq!(shown.worst_verdict(), Verdict::JudgeError, "which is owed");
            let json = serde_json::to_string(&shown).expect("JSON");
            assert!(!json.contains("--seed") && !json.contains("why"), "{json}");
        }
    }

    #[test]
    fn the_sum_of_hidden_testcases_tells_not_which_were_passed() {
        let of = |verdicts: [Verdict; 3]| {
            let cases = (1..).zip(verdicts);
            let cases = cases.map(|(n, v)| case(&format!("0{n}"), v, Some(Shows::Points)));
            bot(cases.collect()).for_student()
        };
        use Verdict::{Accepted, BelowThreshold, MemoryLimitExceeded};
        let one = of([Accepted, BelowThreshold, MemoryLimitExceeded]);
        assert_eq!(one, of([BelowThreshold, MemoryLimitExceeded, Accepted]));
        assert_eq!(one.testcases.len(), 1);
        assert_eq!(one.testcases[0].title, "3 testcases");
        assert_eq!(of([Accepted; 3]).worst_label(), "Accepted");
    }

    #[test]
    fn how_much_is_told_is_no_part_of_a_digest() {
        let digests = [None, Some(Shows::Points), Some(Shows::Verdict)].map(|shows| {
            let case =
                TestcaseReport { shows, ..case("01", Verdict::RuntimeError, Some(Shows::Passed)) };
            bot(vec![case]).digest
        });
        assert!(digests.iter().all(|digest| *digest == digests[0]));
    }
}
