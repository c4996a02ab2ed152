//! Checks a grading report against itself: everything that follows from its rounds is computed
//! again.

use judge_core::{
    Blame, BotIdentity, BotReport, GradeReport, Limits, Options, Points, PointsCurve, Refused,
    RoundReport, Seat, Seed, Shows, TestcaseReport, Verdict,
};
use serde::Serialize;

use crate::budget::spent;
use crate::difference::{JsonDifference, first_difference};
use crate::fold::{conclude, deciding_round, earned, not_played};
use crate::reproduce::Repeat;
use crate::{Suite, Testcase};

/// Larger than any game's score, positive or negative; sums of these do not overflow.
const MAX_ROUND_SCORE: i64 = 1_000_000_000;

/// Most testcases, and most rounds of a testcase, that are added up.
const MAX_PARTS: usize = 10_000;

/// The first value in a report that contradicts its rounds: the recorded value, then the expected
/// one. `suite` is the graded one, if it is available and fits ([`unfit`]).
pub fn contradiction(told: &GradeReport, suite: Option<&Suite>) -> Option<JsonDifference> {
    impossible(told).or_else(|| first_difference(told, &implied(told, suite)))
}

/// A sign that a report belongs to another suite, or lacks rounds: the report's value, then the
/// suite's.
pub fn unfit(told: &GradeReport, suite: &Suite) -> Option<JsonDifference> {
    played(told).find_map(|(number, bot)| {
        let path = format!("bots[{number}].testcases");
        let own = counterparts(bot, suite);
        let mut pairs = (0..).zip(std::iter::zip(&bot.testcases, &own));
        let unlike = pairs
            .find_map(|(at, (told, own))| unlike_case(&format!("{path}[{at}]"), told, (*own)?));
        let counts = [bot.testcases.len(), own.len()];
        let unlike = unlike.or_else(|| foreign_sum(&path, bot, suite));
        unlike.or_else(|| self::unlike(path, counts.map(|n| format!("{n} testcases"))))
    })
}

/// The first condition that differs between the report's testcases and the suite's, which explains
/// different file hashes.
pub fn other_conditions(told: &GradeReport, suite: &Suite) -> Option<JsonDifference> {
    played(told).find_map(|(number, bot)| {
        let own = counterparts(bot, suite);
        let mut pairs = (0..).zip(std::iter::zip(&bot.testcases, own));
        pairs.find_map(|(at, (told, own))| {
            let (one, other) = (as_reported(told), own?);
            let (one, other) = (Conditions::from(&one), Conditions::from(other));
            let mut difference = first_difference(&one, &other)?;
            difference.path = format!("bots[{number}].testcases[{at}].{}", difference.path);
            Some(difference)
        })
    })
}

/// The conditions of a testcase that a report contains; it never contains options.
#[derive(Serialize)]
struct Conditions<'a> {
    name: &'a str,
    game: &'a str,
    opponent: &'a str,
    seat: Seat,
    seeds: &'a [Seed],
    min_score: i64,
    max_points: Points,
    #[serde(skip_serializing_if = "Option::is_none")]
    credit: &'a Option<PointsCurve>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    extra_credit: bool,
    limits: Limits,
    hidden: bool,
}

impl<'a> From<&'a Testcase> for Conditions<'a> {
    fn from(testcase: &'a Testcase) -> Conditions<'a> {
        let Testcase {
            name,
            game,
            opponent,
            seat,
            seeds,
            min_score,
            points,
            credit,
            extra_credit,
            limits,
            hidden,
            ..
        } = testcase;
        Conditions {
            name,
            game,
            opponent,
            seat: *seat,
            seeds,
            min_score: *min_score,
            max_points: *points,
            credit,
            extra_credit: *extra_credit,
            limits: *limits,
            hidden: *hidden,
        }
    }
}

/// The played bots, with their indexes.
fn played(told: &GradeReport) -> impl Iterator<Item = (usize, &BotReport)> {
    told.bots.iter().enumerate().filter(|(_, bot)| bot.refused.is_none())
}

/// The suite's testcase for each one in a report; none for the sum of hidden testcases.
fn counterparts<'a>(bot: &BotReport, suite: &'a Suite) -> Vec<Option<&'a Testcase>> {
    let summed = bot.testcases.iter().any(TestcaseReport::is_sum_of_hidden);
    let single = suite.testcases.iter().filter(|testcase| !(summed && testcase.hidden));
    single.map(Some).chain(summed.then_some(None)).collect()
}

/// A sum of hidden testcases, in a report on a suite without any.
fn foreign_sum(path: &str, bot: &BotReport, suite: &Suite) -> Option<JsonDifference> {
    let at = bot.testcases.iter().position(TestcaseReport::is_sum_of_hidden)?;
    let mut all = suite.testcases.iter().chain(&suite.locked);
    let has_some = suite.absent.is_some() || all.any(|testcase| testcase.hidden);
    let told = format!("`{}`", bot.testcases[at].name);
    let own = "not of the suite, which has no hidden testcases".to_owned();
    (!has_some)
        .then(|| JsonDifference { path: format!("{path}[{at}]"), sides: [Some(told), Some(own)] })
}

fn unlike_case(path: &str, told: &TestcaseReport, own: &Testcase) -> Option<JsonDifference> {
    let hidden = [told.hidden, own.hidden].map(|hidden| hidden.to_string());
    if told.is_withheld() {
        let names = [&told.name, &own.name].map(String::clone);
        return unlike(format!("{path}.name"), names)
            .or_else(|| unlike(format!("{path}.hidden"), hidden));
    }
    let hashes = [told.sha256, own.sha256].map(|hash| hash.to_string());
    let rounds = [told.rounds.len(), own.seeds.len()].map(|n| format!("{n} rounds"));
    unlike(format!("{path}.sha256"), hashes).or_else(|| unlike(format!("{path}.rounds"), rounds))
}

fn unlike(path: String, sides: [String; 2]) -> Option<JsonDifference> {
    let [one, other] = &sides;
    (one != other).then(|| JsonDifference { path, sides: sides.map(Some) })
}

/// The first figure that no judge writes, or that could overflow a sum.
fn impossible(told: &GradeReport) -> Option<JsonDifference> {
    let too_many = |path: &str, count: usize| {
        let most = format!("at most {MAX_PARTS}");
        (count > MAX_PARTS).then(|| JsonDifference {
            path: path.to_owned(),
            sides: [Some(count.to_string()), Some(most)],
        })
    };
    (0..).zip(&told.bots).find_map(|(number, bot)| {
        let path = format!("bots[{number}].testcases");
        too_many(&path, bot.testcases.len()).or_else(|| {
            (0..).zip(&bot.testcases).find_map(|(at, testcase)| {
                let path = format!("{path}[{at}]");
                too_many(&format!("{path}.rounds"), testcase.rounds.len())
                    .or_else(|| {
                        let most = if testcase.is_sum_of_hidden() { MAX_SUM } else { MAX_POINTS };
                        (testcase.max_points > most).then(|| JsonDifference {
                            path: format!("{path}.max_points"),
                            sides: [testcase.max_points.to_string(), format!("0 to {most}")]
                                .map(Some),
                        })
                    })
                    .or_else(|| beyond(&path, "score", testcase.score, -MAX_SCORES..=MAX_SCORES))
                    .or_else(|| beyond(&path, "min_score", testcase.min_score, -LARGEST..=LARGEST))
                    .or_else(|| impossible_round(&path, testcase))
            })
        })
    })
}

/// Most points of a testcase, and of all hidden ones together.
const MAX_POINTS: Points = Points::whole(100_000);
const MAX_SUM: Points = Points::from_thousandths(MAX_POINTS.thousandths() * MAX_PARTS as u64);

/// Largest absolute sum of a testcase's scores.
const MAX_SCORES: i64 = MAX_ROUND_SCORE * MAX_PARTS as i64;

/// Largest absolute threshold of a testcase.
const LARGEST: i64 = 1_000_000_000_000;

fn impossible_round(path: &str, testcase: &TestcaseReport) -> Option<JsonDifference> {
    let possible = -MAX_ROUND_SCORE..=MAX_ROUND_SCORE;
    (0..).zip(&testcase.rounds).find_map(|(at, round)| {
        let path = format!("{path}.rounds[{at}]");
        let call = round.fault.as_ref().and_then(|fault| fault.call).unwrap_or_default();
        let scores = round.outcome.as_ref().map_or([0, 0], |outcome| outcome.scores);
        beyond(&path, "score", round.score, possible.clone())
            .or_else(|| beyond(&path, "outcome.scores[0]", scores[0], possible.clone()))
            .or_else(|| beyond(&path, "outcome.scores[1]", scores[1], possible.clone()))
            .or_else(|| beyond(&path, "fault.call", call.into(), 0..=MAX_ROUND_SCORE))
    })
}

fn beyond(
    path: &str,
    key: &str,
    value: i64,
    possible: std::ops::RangeInclusive<i64>,
) -> Option<JsonDifference> {
    let (least, most) = (possible.start(), possible.end());
    let sides = [value.to_string(), format!("{least} to {most}")].map(Some);
    (!possible.contains(&value)).then(|| JsonDifference { path: format!("{path}.{key}"), sides })
}

/// The report that follows from another one's rounds.
fn implied(told: &GradeReport, suite: Option<&Suite>) -> GradeReport {
    let bots = told.bots.iter().map(|bot| implied_bot(bot, suite)).collect();
    let title = suite.map_or_else(|| told.title.clone(), |suite| suite.title.clone());
    GradeReport { bots, title, ..told.clone() }.sealed()
}

fn implied_bot(told: &BotReport, suite: Option<&Suite>) -> BotReport {
    let bot = told.bot.clone();
    if let Some(refused) = &told.refused {
        // The points of a missing folder are unknown.
        let whole = suite.filter(|suite| suite.absent.is_none());
        let max_points = whole.map_or(told.max_points, Suite::max_points);
        let refused = implied_refusal(refused);
        return BotReport::new(bot, Some(refused), max_points, Vec::new());
    }
    let own = suite.map(|suite| counterparts(told, suite)).unwrap_or_default();
    let testcases = (0..).zip(&told.testcases).map(|(at, testcase): (usize, _)| {
        if testcase.is_sum_of_hidden() {
            return implied_sum(testcase, suite);
        }
        implied_testcase(testcase, own.get(at).copied().flatten())
    });
    let testcases: Vec<TestcaseReport> = testcases.collect();
    let max_points = testcases.iter().map(TestcaseReport::counted_points).sum();
    BotReport::new(bot, None, max_points, testcases)
}

/// The refusal is of an invalid module, or of a submission beyond its bounds, or the judge's
/// failure to read a file.
fn implied_refusal(told: &Refused) -> Refused {
    let by = |blame| Refused { blame, ..told.clone() };
    match told.verdict {
        Verdict::JudgeError => Refused { shows: None, ..by(Blame::Judge) },
        Verdict::TimeLimitExceeded | Verdict::OutputLimitExceeded => by(Blame::Bot),
        // A student's view.
        Verdict::BelowThreshold if matches!(told.shows, Some(Shows::Passed | Shows::Points)) => {
            by(Blame::Bot)
        }
        _ => Refused::new(told.why.clone()),
    }
}

fn implied_testcase(told: &TestcaseReport, known: Option<&Testcase>) -> TestcaseReport {
    if told.is_withheld() {
        return withheld(told, known);
    }
    let testcase = known.cloned().unwrap_or_else(|| as_reported(told));
    let mut left = testcase.limits.fuel;
    let (mut rounds, mut before) = (Vec::new(), Vec::new());
    for (number, (round, seed)) in (1..).zip(std::iter::zip(&told.rounds, &testcase.seeds)) {
        let implied = implied_round(&testcase, number, *seed, round, left);
        before.push(left);
        left -= implied.fuel;
        rounds.push(implied);
    }
    let mut implied = conclude(&testcase, rounds);
    // Traces follow from the bot, not from the report.
    implied.trace =
        told.trace.clone().filter(|trace| implied.blame == Some(Blame::Bot) && trace.is_possible());
    // A report may contain the specification of a round in which the judge failed.
    if let Some(round) = deciding_round(&implied).filter(|one| one.blame == Some(Blame::Judge)) {
        let at = usize::try_from(round.round - 1).unwrap_or(usize::MAX);
        let again = before.get(at).map(|left| Repeat::new(&testcase, round.seed, *left));
        let again = again.map(|again| again.arguments());
        if again == told.reproduce {
            implied.reproduce = again;
        }
    }
    if told.shows.is_none() {
        // The report is by an older judge without this setting.
        implied.shows = None;
    }
    // Without the testcase's file its options are unknown.
    if known.is_none() && implied.reproduce.is_some() && told.reproduce.is_some() {
        implied.reproduce.clone_from(&told.reproduce);
    }
    implied
}

/// The visible part of a hidden testcase implies only whether it passed.
fn withheld(told: &TestcaseReport, known: Option<&Testcase>) -> TestcaseReport {
    let own = known.cloned().unwrap_or_else(|| as_reported(told));
    let case = TestcaseReport {
        title: own.title.clone(),
        game: own.game.clone(),
        opponent: own.opponent.clone(),
        seat: own.seat,
        min_score: own.min_score,
        max_points: own.points,
        extra: own.points.saturating_sub(own.counted_points()),
        weight: own.weight,
        credit: own.credit.clone(),
        limits: own.limits,
        shows: told.shows.map(|shows| known.map_or(shows, |known| known.shows)),
        ..told.clone()
    };
    let case = seen(case);
    let points = match own.credit {
        // Without its score, its exact points are unknown.
        Some(_) if case.is_masked() => told.points.min(case.max_points),
        _ => earned(&own, case.verdict, case.score),
    };
    TestcaseReport { points, ..case }
}

/// The sum of hidden testcases implies only whether it is the maximum.
fn implied_sum(told: &TestcaseReport, suite: Option<&Suite>) -> TestcaseReport {
    let whole = suite.filter(|suite| suite.absent.is_none());
    let hidden = whole.map(|suite| suite.testcases.iter().filter(|testcase| testcase.hidden));
    let Some(hidden) = hidden else { return seen(told.clone()) };
    let max_points: Points = hidden.clone().map(|testcase| testcase.points).sum();
    let counted: Points = hidden.clone().map(Testcase::counted_points).sum();
    let extra = max_points.saturating_sub(counted);
    let (game, count) = (hidden.clone().next().map(|first| first.game.clone()), hidden.count());
    let title = format!("{count} testcase{}", if count == 1 { "" } else { "s" });
    let game = game.unwrap_or_default();
    let points = told.points.min(max_points);
    seen(TestcaseReport { points, max_points, extra, title, game, ..told.clone() })
}

/// A student's view of a hidden testcase.
fn seen(case: TestcaseReport) -> TestcaseReport {
    let bot = BotIdentity { name: String::new(), sha256: case.sha256, author: None };
    let max_points = case.max_points;
    let mut seen = BotReport::new(bot, None, max_points, vec![case.clone()]).for_student();
    seen.testcases.pop().unwrap_or(case)
}

/// A testcase with the conditions in a report.
fn as_reported(told: &TestcaseReport) -> Testcase {
    Testcase {
        name: told.name.clone(),
        title: told.title.clone(),
        game: told.game.clone(),
        opponent: told.opponent.clone(),
        seat: told.seat,
        seeds: told.rounds.iter().map(|round| round.seed).collect(),
        rounds: told.rounds.len(),
        hidden: told.hidden,
        min_score: told.min_score,
        points: told.max_points,
        credit: told.credit.clone(),
        weight: told.weight,
        extra_credit: !told.extra.is_zero(),
        limits: told.limits,
        shows: told.shows.unwrap_or_default(),
        options: Options::new(),
        sha256: told.sha256,
    }
}

fn implied_round(
    testcase: &Testcase,
    number: u32,
    seed: Seed,
    told: &RoundReport,
    left: u64,
) -> RoundReport {
    let Some(outcome) = &told.outcome else { return not_played(number, seed, left) };
    let seat = testcase.seat;
    let fault = told.fault.clone().filter(|fault| fault.verdict.is_fault());
    // A round in which the judge failed counts nothing.
    let counted = fault.as_ref().is_none_or(|fault| fault.seat.is_some());
    let fuel = spent(seat, fault.as_ref(), told.fuel, left);
    RoundReport {
        round: number,
        seed,
        verdict: fault.as_ref().map_or(Verdict::Accepted, |fault| fault.verdict),
        blame: fault.as_ref().map(|fault| fault.blame(seat)),
        score: if fault.is_some() { 0 } else { outcome.score(seat) },
        opponent_score: outcome.score(seat.other()),
        outcome: told.outcome.clone(),
        fault,
        fuel,
        max_call_fuel: told.max_call_fuel.min(fuel),
        calls: if counted { told.calls } else { 0 },
        peak_memory_bytes: told.peak_memory_bytes.min(testcase.limits.memory_bytes),
        digest: told.digest,
    }
}
